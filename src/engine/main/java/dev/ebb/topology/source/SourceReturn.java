package dev.ebb.topology.source;

import dev.ebb.domain.source.SourcePlace;
import dev.ebb.domain.source.SourceRecord;
import dev.ebb.domain.source.TombstoneHeader;
import dev.ebb.topology.wire.EbbHeaders;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/** A row that an undo has sent to the topic of its source again, under its key (F-9). */
public final class SourceReturn {

    private static final String DELETED = "ebb-returned";
    private static final Pattern OFFSET = Pattern.compile("\\d{1,18}");

    private SourceReturn() {}

    /**
     * Returns the headers of the row.
     *
     * @param deleted the place of the version that was deleted
     * @param undoId the id of the undo
     */
    public static Headers headers(SourcePlace deleted, String undoId) {
        Headers headers = new RecordHeaders();
        EbbHeaders.set(headers, DELETED, deleted.offset());
        EbbHeaders.set(headers, TombstoneHeader.ID.key(), undoId);
        return headers;
    }

    /** Returns the offset of the version that was deleted; null if no undo has sent the record. */
    static @Nullable Long deletedOffset(SourceRecord record) {
        byte[] deleted = record.value() == null ? null : record.header(DELETED);
        String text = deleted == null ? "" : new String(deleted, StandardCharsets.UTF_8);
        return OFFSET.matcher(text).matches() ? Long.valueOf(text) : null;
    }
}
