package dev.ebb.topology.wire;

import dev.ebb.domain.event.Rejection;
import dev.ebb.store.layout.InputRecord;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/**
 * Converter of unusable records into those for the rejected topic: each goes there unchanged, with the reason in its
 * headers (O-20). A record that is too big for that topic goes without its value, with the beginning of its key and the
 * headers that fit; additional headers name the missing parts. Stateless.
 */
public final class Rejects {

    private static final int KEPT_KEY_BYTES = 1024;
    private static final int KEPT_HEADERS_BYTES = 16 * 1024;

    private Rejects() {}

    public static Record<Addressed, byte[]> of(
            InputRecord record, Rejection rejection, int partition, RecordLimits limits) {
        Headers reasons = reasons(record, rejection);
        Headers headers = new RecordHeaders();
        int leftOut = copy(record.headers(), headers, Long.MAX_VALUE);
        byte[] key = record.key();
        byte[] value = record.value();
        long bytes = RecordLimits.bytes(key, value, headers) + RecordLimits.bytes(null, null, reasons);
        OmittedValue omitted = OmittedValue.of(record);
        if (omitted != null || bytes > limits.sentBytes(Nodes.REJECTED_SINK)) {
            headers = new RecordHeaders();
            leftOut = copy(record.headers(), headers, KEPT_HEADERS_BYTES);
            describe(reasons, key, omitted == null ? omitted(value) : omitted, leftOut);
            key = key == null || key.length <= KEPT_KEY_BYTES ? key : Arrays.copyOf(key, KEPT_KEY_BYTES);
            value = null;
        }
        reasons.forEach(headers::add);
        return new Record<>(new Addressed(key, partition), value, record.timestampMs(), headers);
    }

    private static Headers reasons(InputRecord record, Rejection rejection) {
        Headers headers = new RecordHeaders();
        EbbHeaders.set(headers, EbbHeaders.REJECTED_REASON, rejection.reason().name());
        EbbHeaders.set(headers, EbbHeaders.REJECTED_DETAIL, rejection.detail());
        EbbHeaders.set(headers, EbbHeaders.REJECTED_TOPIC, record.topic());
        EbbHeaders.set(headers, EbbHeaders.REJECTED_PARTITION, record.partition());
        EbbHeaders.set(headers, EbbHeaders.REJECTED_OFFSET, record.offset());
        // Zero is not a negative timestamp, so it stands for a missing mark.
        long badTimestamp = EbbHeaders.number(record.headers(), EbbHeaders.BAD_TIMESTAMP, 0);
        EbbHeaders.set(headers, EbbHeaders.REJECTED_TIMESTAMP, badTimestamp == 0 ? record.timestampMs() : badTimestamp);
        return headers;
    }

    /** Copies the headers that are not ours as far as they fit; returns the number of those that did not. */
    private static int copy(Headers from, Headers to, long mostBytes) {
        long left = mostBytes;
        int leftOut = 0;
        for (Header header : from) {
            long bytes = RecordLimits.bytes(header);
            if (EbbHeaders.isOfRejection(header.key())) {
                continue;
            }
            if (bytes <= left) {
                to.add(header);
                left -= bytes;
            } else {
                leftOut++;
            }
        }
        return leftOut;
    }

    private static @Nullable OmittedValue omitted(byte @Nullable [] value) {
        return value == null ? null : new OmittedValue(value.length, OmittedValue.sha256(ByteBuffer.wrap(value)));
    }

    private static void describe(
            Headers headers, byte @Nullable [] key, @Nullable OmittedValue value, int headersLeftOut) {
        EbbHeaders.set(headers, EbbHeaders.REJECTED_VALUE_BYTES, value == null ? 0 : value.bytes());
        if (value != null) {
            EbbHeaders.set(headers, EbbHeaders.REJECTED_VALUE_SHA256, value.sha256());
        }
        EbbHeaders.set(headers, EbbHeaders.REJECTED_KEY_BYTES, key == null ? 0 : key.length);
        EbbHeaders.set(headers, EbbHeaders.REJECTED_HEADERS_LEFT_OUT, headersLeftOut);
    }
}
