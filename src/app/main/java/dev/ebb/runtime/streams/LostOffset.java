package dev.ebb.runtime.streams;

import java.util.Comparator;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * A partition of the input that a start would take in again, since the group's offset is missing or behind the state.
 *
 * @param partition the partition of the input
 * @param committed the group's offset; null if it has none
 * @param next the offset at which the state continues
 */
public record LostOffset(TopicPartition partition, @Nullable Long committed, long next) {

    static final Comparator<TopicPartition> ORDER =
            Comparator.comparing(TopicPartition::topic).thenComparingInt(TopicPartition::partition);

    /** Returns the remedy, as a clause. */
    public String fix() {
        return "stop all instances and run 'ebb offsets restore', which sets it to " + next;
    }

    @Override
    public String toString() {
        String group = committed == null
                ? "the group has no offset for " + partition
                : "the group's offset for " + partition + " is " + committed;
        return group + ", but the state has taken in everything before offset " + next
                + "; a start would take it in again; fix: " + fix();
    }
}
