package dev.ebb.topology;

import dev.ebb.domain.event.Rejection;
import dev.ebb.store.ParkedRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.Record;

/** Makes of a record that cannot be used the one for the rejected topic: unchanged, with the reason in its headers (O-20). */
final class Rejects {

    private Rejects() {}

    static Record<Addressed, byte[]> of(ParkedRecord record, Rejection rejection, int partition) {
        Headers headers = new RecordHeaders(record.headers());
        String badTimestamp = EbbHeaders.text(headers, EbbHeaders.BAD_TIMESTAMP);
        headers.remove(EbbHeaders.BAD_TIMESTAMP);
        EbbHeaders.set(headers, EbbHeaders.REJECTED_REASON, rejection.reason().name());
        EbbHeaders.set(headers, EbbHeaders.REJECTED_DETAIL, rejection.detail());
        EbbHeaders.set(headers, EbbHeaders.REJECTED_TOPIC, record.topic());
        EbbHeaders.set(headers, EbbHeaders.REJECTED_PARTITION, record.partition());
        EbbHeaders.set(headers, EbbHeaders.REJECTED_OFFSET, record.offset());
        EbbHeaders.set(
                headers,
                EbbHeaders.REJECTED_TIMESTAMP,
                badTimestamp == null ? Long.toString(record.timestampMs()) : badTimestamp);
        return new Record<>(new Addressed(record.key(), partition), record.value(), record.timestampMs(), headers);
    }
}
