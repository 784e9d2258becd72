package dev.ebb.store.due;

import dev.ebb.domain.BadCursorException;
import dev.ebb.store.due.DueWalk.Entry;
import dev.ebb.store.layout.Position;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The place at which a {@link DueWalk} continues. Its text names no stream, so a cursor taken from another stream does
 * not lead into that stream.
 *
 * @param execution the number of the execution in which the walk continues
 * @param ordered the position of the next ordered event; null if none is left
 * @param dueMs the next deadline, epoch milliseconds; null if none is left
 * @param timed the position of the event with this deadline
 */
public record DueCursor(
        long execution,
        @Nullable Position ordered,
        @Nullable Long dueMs,
        Position timed) {

    private static final Pattern TEXT =
            Pattern.compile("d(\\d{1,18})(?:-o(\\d{1,18})-(\\d{1,18}))?(?:-t(\\d{1,18})-(\\d{1,18})-(\\d{1,18}))?");

    static DueCursor of(long execution, @Nullable Entry ordered, @Nullable Entry timed) {
        return new DueCursor(
                execution,
                ordered == null ? null : ordered.position(),
                timed == null ? null : (Long) timed.lastMs(),
                timed == null ? new Position(execution, 0, 0) : timed.position());
    }

    /** @throws BadCursorException if the text is not a cursor of this class */
    public static DueCursor parse(String text) {
        Matcher parts = TEXT.matcher(text);
        if (!parts.matches()) {
            throw new BadCursorException();
        }
        long execution = Long.parseLong(parts.group(1));
        boolean hasTimed = parts.group(4) != null;
        return new DueCursor(
                execution,
                parts.group(2) == null ? null : position(execution, parts, 2),
                hasTimed ? (Long) Long.parseLong(parts.group(4)) : null,
                hasTimed ? position(execution, parts, 5) : new Position(execution, 0, 0));
    }

    private static Position position(long execution, Matcher parts, int group) {
        return new Position(execution, Long.parseLong(parts.group(group)), Long.parseLong(parts.group(group + 1)));
    }

    @Override
    public String toString() {
        String ofOrdered = ordered == null ? "" : "-o" + ordered.anchorMs() + "-" + ordered.seq();
        String ofTimed = dueMs == null ? "" : "-t" + dueMs + "-" + timed.anchorMs() + "-" + timed.seq();
        return "d" + execution + ofOrdered + ofTimed;
    }
}
