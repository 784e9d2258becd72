package dev.ebb.runtime;

import java.util.Comparator;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * A partition of the input of which the group does not know any more how far it was taken in.
 *
 * @param partition what it is
 * @param next where the state goes on; null if the state does not say, since an earlier version has written it
 */
public record LostOffset(TopicPartition partition, @Nullable Long next) {

    static final Comparator<TopicPartition> ORDER =
            Comparator.comparing(TopicPartition::topic).thenComparingInt(TopicPartition::partition);

    /** What to do about it. */
    public String fix() {
        return next == null
                ? "set it with Kafka's own kafka-consumer-groups, to the time of the last stop"
                : "stop all instances and run 'ebb offsets restore', which sets it to " + next;
    }

    @Override
    public String toString() {
        String what =
                next == null ? "records of it have been taken in" : "all before offset " + next + " has been taken in";
        return "the group has no offset for " + partition + ", though " + what + ", and would be again; fix: " + fix();
    }
}
