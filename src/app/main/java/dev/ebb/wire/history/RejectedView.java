package dev.ebb.wire.history;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.ebb.domain.event.RejectReason;
import dev.ebb.port.history.RejectedRecord;
import dev.ebb.port.history.RejectedRecord.Header;
import dev.ebb.port.history.RejectedRecord.LeftOut;
import dev.ebb.port.history.TimeRange;
import dev.ebb.wire.read.Parameter;
import dev.ebb.wire.read.Read;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A rejected record as it is shown.
 *
 * @param partition the partition of its origin; -1 if unknown
 * @param offset its offset there; -1 if unknown
 * @param timestampMs its original Kafka timestamp, unchanged
 * @param key its key, if the key is text
 * @param keyBase64 its key, if the key is not text
 * @param bytes size of its value, even if the value was left out
 * @param valueBase64 its value; left out in lists
 * @param headers its original headers, as far as they are text; left out in lists
 * @param leftOut the parts that were too big to be kept, the value above all; left out if the record is there in full
 */
public record RejectedView(
        String id,
        String reason,
        String detail,
        Instant rejectedAt,
        String topic,
        int partition,
        long offset,
        long timestampMs,
        @Nullable String key,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String keyBase64,
        long bytes,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String valueBase64,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Map<String, String> headers,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable LeftOut leftOut) {

    /** Lists rejected records. */
    public static final Read<Query, Page> LIST =
            new Read<>("/v1/rejected", "Lists rejected records, newest first.", Query.class, Page.class);

    /** Shows one rejected record. */
    public static final Read<One, RejectedView> SHOW = new Read<>(
            "/v1/rejected/{id}",
            "Shows a rejected record with its headers and its bytes in Base64.",
            One.class,
            RejectedView.class);

    public static RejectedView withValue(RejectedRecord record) {
        Map<String, String> headers = new TreeMap<>();
        for (Header header : record.headers()) {
            String text = textOf(header.value());
            if (text != null) {
                headers.put(header.name(), text);
            }
        }
        return of(record, base64(record.value()), headers);
    }

    public static RejectedView withoutValue(RejectedRecord record) {
        return of(record, null, null);
    }

    /**
     * Returns the record without its contents, for callers that may not see them. The detail is withheld too, since it
     * may quote them.
     */
    public RejectedView withoutContent() {
        return new RejectedView(
                id,
                reason,
                "only an operator may read it",
                rejectedAt,
                topic,
                partition,
                offset,
                timestampMs,
                key,
                keyBase64,
                bytes,
                null,
                null,
                leftOut);
    }

    private static RejectedView of(
            RejectedRecord record, @Nullable String value, @Nullable Map<String, String> headers) {
        String key = textOf(record.key());
        byte[] bytes = record.value();
        LeftOut leftOut = record.leftOut();
        return new RejectedView(
                record.id().toString(),
                record.reason(),
                record.detail(),
                Instant.ofEpochMilli(record.rejectedAtMs()),
                record.topic(),
                record.partition(),
                record.offset(),
                record.timestampMs(),
                key,
                key == null ? base64(record.key()) : null,
                leftOut != null ? leftOut.valueBytes() : bytes == null ? 0 : bytes.length,
                value,
                headers,
                leftOut);
    }

    private static @Nullable String textOf(byte @Nullable [] bytes) {
        try {
            return bytes == null
                    ? null
                    : StandardCharsets.UTF_8
                            .newDecoder()
                            .decode(ByteBuffer.wrap(bytes))
                            .toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }

    private static @Nullable String base64(byte @Nullable [] bytes) {
        return bytes == null ? null : Base64.getEncoder().encodeToString(bytes);
    }

    /** The id of one record. */
    public record One(
            @Parameter("Id as 'ebb rejected list' shows it.")
            RejectedRecord.Id id) {}

    /** A selection of records. */
    public record Query(
            @Parameter("Reason why the records were rejected: {words}. Default: all.") @Nullable
            RejectReason reason,

            TimeRange time,
            int limit,
            @Nullable String after) {}

    /** One page; {@code next} goes into {@code after} of the next request and is null on the last page. */
    public record Page(
            List<RejectedView> rejected, @Nullable String next) {}

    /** A record that was sent again, and its topic. */
    public record Replayed(String id, String topic) {}
}
