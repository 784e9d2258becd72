package dev.ebb.topology.wire;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.streams.processor.TimestampExtractor;

/**
 * The timestamp of the record, or 0 if that is negative. Kafka's default ends the thread on a negative one; ours leaves a
 * mark in the headers, by which the record is rejected like any other that cannot be used (O-20).
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
