package dev.ebb.topology;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.kafka.common.record.internal.AbstractRecords;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.streams.test.TestRecord;

/**
 * Limits of producer and broker on the size of a record, which the driver of topologies does not check: a test must not
 * pass where the broker would have refused. The limits are written down anew, as the topics are made.
 */
final class BrokerSizes {

    private static final int FRAME = 64 * 1024;

    private BrokerSizes() {}

    static void require(String topic, TestRecord<byte[], byte[]> record, int recordMaxBytes) {
        boolean isWide = topic.endsWith(".rejected") || topic.endsWith(".rekey") || topic.endsWith(".archive");
        int limit = (isWide ? 2 : 1) * recordMaxBytes + FRAME;
        int bytes = AbstractRecords.estimateSizeInBytesUpperBound(
                RecordBatch.CURRENT_MAGIC_VALUE,
                CompressionType.NONE,
                record.key(),
                record.value(),
                record.headers().toArray());
        assertThat(bytes).as("bytes of a record for %s", topic).isLessThanOrEqualTo(limit);
    }
}
