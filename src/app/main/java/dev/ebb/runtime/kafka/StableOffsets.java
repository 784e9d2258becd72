package dev.ebb.runtime.kafka;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsOptions;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * Offsets of a consumer group that no open transaction is about to change. A killed member leaves its transaction open
 * until the transaction times out; meanwhile the answer to the admin client lacks these partitions, as if the group had
 * no offset there. Stateless.
 */
public final class StableOffsets {

    /** Three times the longest transaction. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final Duration PAUSE = Duration.ofMillis(200);

    private StableOffsets() {}

    /**
     * Asks the broker, and waits as long as a transaction is open.
     *
     * @return the offsets by partition, without the partitions that have none
     * @throws TimeoutException if a transaction stays open for a minute
     */
    public static Map<TopicPartition, OffsetAndMetadata> of(
            Admin admin, String group, Collection<TopicPartition> partitions) {
        var spec = Map.of(group, new ListConsumerGroupOffsetsSpec().topicPartitions(List.copyOf(partitions)));
        var options = new ListConsumerGroupOffsetsOptions().requireStable(true);
        return of(
                () -> Answers.of(admin.listConsumerGroupOffsets(spec, options).partitionsToOffsetAndMetadata(group)),
                partitions,
                (int) PATIENCE.dividedBy(PAUSE),
                PAUSE);
    }

    /**
     * @param answers returns null for a partition without an offset, and no entry for a partition whose offset may
     *     still change
     * @param most the maximum number of requests
     */
    static Map<TopicPartition, OffsetAndMetadata> of(
            Supplier<Map<TopicPartition, OffsetAndMetadata>> answers,
            Collection<TopicPartition> partitions,
            int most,
            Duration pause) {
        for (int asked = 1; asked <= most; asked++) {
            Map<TopicPartition, OffsetAndMetadata> answer = answers.get();
            if (answer.keySet().containsAll(partitions)) {
                Map<TopicPartition, OffsetAndMetadata> known = new HashMap<>(answer);
                known.values().removeIf(offset -> offset == null);
                return known;
            }
            sleep(pause);
        }
        throw new TimeoutException("a transaction that is about to commit offsets of the group does not end");
    }

    private static void sleep(Duration pause) {
        try {
            Thread.sleep(pause.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptException(e);
        }
    }
}
