package dev.ebb.oracle;

import dev.ebb.oracle.World.Input;
import java.nio.ByteBuffer;
import java.util.Map;
import org.apache.avro.generic.GenericRecord;

/** Effect of a record on the stored event (M-1, M-2). */
final class Expected {

    private Expected() {}

    /**
     * The row of an event.
     *
     * @param former the event that it replaces; null if it is new
     */
    static Row ofEvent(Input input, Row former, long storedAt) {
        GenericRecord event = input.value();
        String status = Fields.text(event, "status");
        boolean isTerminal = Names.isTerminal(status);
        Long occurredAt = Fields.number(event, "occurredAt");
        Long kept = former == null ? null : former.completedAt();
        ByteBuffer buffer = ((ByteBuffer) event.get("payload")).duplicate();
        byte[] payload = new byte[buffer.remaining()];
        buffer.get(payload);
        return new Row(
                Fields.text(event, "stream"),
                Fields.text(event, "id"),
                storedAt,
                Fields.text(event, "type"),
                status,
                isTerminal,
                occurredAt == null ? (Long) input.timestampMs() : occurredAt,
                completedAt(input, isTerminal, kept),
                Fields.number(event, "ttlSeconds"),
                Fields.truth(event, "noExpiration"),
                Fields.number(event, "expiresAt"),
                Fields.number(event, "execution"),
                Fields.text(event, "correlationId"),
                Fields.text(event, "contentType"),
                Fields.texts(event, "metadata"),
                Row.digest(payload),
                payload.length);
    }

    /** The row that an update leaves. */
    static Row ofUpdate(Input input, Row former) {
        GenericRecord update = input.value();
        String status = update.get("status") == null ? former.status() : Fields.text(update, "status");
        boolean isTerminal = Names.isTerminal(status);
        boolean namesTtl = update.get("ttlSeconds") != null
                || update.get("noExpiration") != null
                || update.get("expiresAt") != null;
        Map<String, String> metadata =
                update.get("metadata") == null ? former.metadata() : Fields.texts(update, "metadata");
        Row changed = new Row(
                former.stream(),
                former.id(),
                former.storedAt(),
                former.type(),
                status,
                isTerminal,
                former.occurredAt(),
                completedAt(input, isTerminal, former.completedAt()),
                former.ttlSeconds(),
                former.noExpiration(),
                former.expiresAt(),
                former.execution(),
                former.correlationId(),
                former.contentType(),
                metadata,
                former.payload(),
                former.payloadBytes());
        return namesTtl
                ? changed.withTtl(
                        Fields.number(update, "ttlSeconds"),
                        Fields.truth(update, "noExpiration"),
                        Fields.number(update, "expiresAt"))
                : changed;
    }

    private static Long completedAt(Input input, boolean isTerminal, Long kept) {
        Long named = Fields.number(input.value(), "completedAt");
        if (!isTerminal || named != null) {
            return isTerminal ? named : null;
        }
        return kept != null ? kept : (Long) input.timestampMs();
    }
}
