package dev.ebb.bench.stack;

import dev.ebb.bench.harness.VoidRunException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/** Input that a group has committed; only committed input has been processed exactly once. */
public final class Committed {

    private static final long POLL_MS = 50;

    private final Lane lane;
    private final String group;

    public Committed(Lane lane, String group) {
        this.lane = lane;
        this.group = group;
    }

    /** @param lastOffsets the offset of the last record to wait for in each partition; -1 where there is none */
    public void await(long[] lastOffsets, Duration limit) throws InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        try (Admin admin = lane.clients().admin()) {
            while (!isReached(
                    lastOffsets,
                    admin.listConsumerGroupOffsets(group)
                            .partitionsToOffsetAndMetadata()
                            .get())) {
                if (System.nanoTime() > end) {
                    throw new VoidRunException("the input was not committed within " + limit.toSeconds() + " s");
                }
                TimeUnit.MILLISECONDS.sleep(POLL_MS);
            }
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
