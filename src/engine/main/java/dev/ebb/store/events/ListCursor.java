package dev.ebb.store.events;

import dev.ebb.domain.BadCursorException;
import dev.ebb.store.layout.EventKeys;
import dev.ebb.store.layout.Position;
import dev.ebb.store.layout.Range;
import java.util.HexFormat;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * The place where a page of a list begins: the key of its first event. As text it is opaque to readers.
 *
 * @param position the position in all positional ranges; null to begin with the oldest
 * @param pinnedId the id among the protected events, once the positional ranges are passed; null before
 */
public record ListCursor(
        @Nullable Position position, @Nullable String pinnedId) {

    /**
     * Returns the cursor in the text, or the cursor of the first page for null.
     *
     * @throws BadCursorException if the text is not a cursor of this class
     */
    public static ListCursor parse(@Nullable String text) {
        if (text == null) {
            return new ListCursor(null, null);
        }
        try {
            Bytes key = Bytes.wrap(HexFormat.of().parseHex(text));
            return Range.ofCode(key.get()[0]) == Range.PINNED
                    ? new ListCursor(null, EventKeys.idOf(key))
                    : new ListCursor(EventKeys.positionOf(key), null);
        } catch (RuntimeException e) {
            throw new BadCursorException();
        }
    }

    static String of(Bytes key) {
        return HexFormat.of().formatHex(key.get());
    }

    public boolean isFirst() {
        return position == null && pinnedId == null;
    }

    boolean isPinned() {
        return pinnedId != null;
    }
}
