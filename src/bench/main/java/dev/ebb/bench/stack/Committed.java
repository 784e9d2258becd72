package dev.ebb.bench.stack;

import dev.ebb.bench.harness.VoidRunException;
import dev.ebb.bench.harness.Wait;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/** Input that a group has committed; only committed input has been processed exactly once. */
public record Committed(Lane lane, String group) {

    /** @param lastOffsets the offset of the last record to wait for in each partition; -1 where there is none */
    public void await(long[] lastOffsets, Duration limit) throws InterruptedException {
        try (Admin admin = lane.clients().admin()) {
            Wait.until(
                    () -> isReached(
                            lastOffsets,
                            admin.listConsumerGroupOffsets(group)
                                    .partitionsToOffsetAndMetadata()
                                    .get()),
                    limit,
                    "the input was not committed");
        } catch (ExecutionException e) {
            throw new VoidRunException("the broker does not tell what is committed: " + e.getMessage(), e);
        }
    }

    private boolean isReached(long[] lastOffsets, Map<TopicPartition, OffsetAndMetadata> committed) {
        for (int partition = 0; partition < lastOffsets.length; partition++) {
            var offset = committed.get(new TopicPartition(lane.topics().events(), partition));
            if (lastOffsets[partition] >= 0 && (offset == null || offset.offset() <= lastOffsets[partition])) {
                return false;
            }
        }
        return true;
    }
}
