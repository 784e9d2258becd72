package dev.ebb.port;

import dev.ebb.domain.Snapshot;
import dev.ebb.domain.retention.SweepReport.Tally;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Counts the events in the partitions of this instance that age and own TTLs will take, without protected and held
 * events. Thread-safe.
 */
public interface DueForecast {

    /**
     * Returns the events that come due in each namespace, as of the last count a moment ago.
     *
     * @throws NotReadyException while the first count is under way, if it takes long
     */
    Outlook outlook();

    /**
     * Events that come due, as of the beginning of the count; nothing is estimated.
     *
     * @param byPartition events by partition and namespace, without partitions that could not be read and namespaces
     *     with nothing due
     * @param countedAtMs time of the count, epoch milliseconds
     */
    record Outlook(Map<Integer, Map<String, Due>> byPartition, long countedAtMs) {

        public Outlook {
            byPartition = Snapshot.of(byPartition);
        }

        /** Returns the events that come due in the partitions that were counted, by namespace. */
        public Map<String, Due> byNamespace() {
            Map<String, Due> sums = new TreeMap<>();
            byPartition
                    .values()
                    .forEach(partition -> partition.forEach((namespace, due) -> sums.merge(namespace, due, Due::plus)));
            return sums;
        }

        /** Returns the events that come due in that namespace, in the partitions that were counted. */
        public Due of(String namespace) {
            return byPartition.values().stream()
                    .map(partition -> partition.getOrDefault(namespace, Due.NOTHING))
                    .reduce(Due.NOTHING, Due::plus);
        }

        /** Returns this outlook, limited to the counted partitions among the given ones. */
        public Outlook within(Collection<Integer> partitions) {
            Map<Integer, Map<String, Due>> counted = new TreeMap<>(byPartition);
            counted.keySet().retainAll(partitions);
            return new Outlook(counted, countedAtMs);
        }

        /** Returns true if all of the partitions were counted. */
        public boolean isExact(Collection<Integer> partitions) {
            return byPartition.keySet().containsAll(partitions);
        }
    }

    /**
     * Events that come due in a namespace.
     *
     * @param nextHour events that go within an hour, overdue events included; without events of policies that only
     *     warn, since no sweep takes them
     * @param nextDay events that go within a day, that hour included
     * @param expiring events that come due within {@code warnBefore} of their policy, including overdue events and
     *     events of policies that only warn
     * @param held events that a hold covers
     */
    record Due(Tally nextHour, Tally nextDay, Expiring expiring, long held) {

        public static final Due NOTHING = new Due(Tally.ZERO, Tally.ZERO, Expiring.NOTHING, 0);

        Due plus(Due other) {
            return new Due(
                    sum(nextHour, other.nextHour),
                    sum(nextDay, other.nextDay),
                    expiring.plus(other.expiring),
                    held + other.held);
        }

        private static Tally sum(Tally one, Tally other) {
            return one.plus(other.events(), other.bytes());
        }
    }

    /**
     * Events of a namespace that call for a warning.
     *
     * @param earliestMs the last millisecond of the first of these events, epoch milliseconds; null if there are none
     */
    record Expiring(Tally sum, @Nullable Long earliestMs) {

        public static final Expiring NOTHING = new Expiring(Tally.ZERO, null);

        Expiring plus(Expiring other) {
            return new Expiring(Due.sum(sum, other.sum), earliest(earliestMs, other.earliestMs));
        }

        private static @Nullable Long earliest(@Nullable Long one, @Nullable Long other) {
            if (one == null || other == null) {
                return one == null ? other : one;
            }
            return (Long) Math.min(one, other);
        }
    }
}
