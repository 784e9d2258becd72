package dev.ebb.topology.wire;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.streams.processor.TimestampExtractor;

/**
 * Extractor of the timestamp of the record, or 0 if it is negative. Kafka's default extractor ends the thread on a
 * negative timestamp; ours leaves a mark in the headers, by which the record is rejected like any other unusable one
 * (O-20).
 */
public final class SafeTimestampExtractor implements TimestampExtractor {

    @Override
    public long extract(ConsumerRecord<Object, Object> record, long partitionTime) {
        if (record.timestamp() >= 0) {
            return record.timestamp();
        }
        EbbHeaders.set(record.headers(), EbbHeaders.BAD_TIMESTAMP, record.timestamp());
        return 0;
    }
}
