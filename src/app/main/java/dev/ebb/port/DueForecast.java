package dev.ebb.port;

import dev.ebb.domain.Snapshot;
import dev.ebb.domain.event.StreamUsage;
import dev.ebb.domain.retention.SweepReport.Tally;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Counts what age and own TTLs will take, in the partitions of this instance; never what is protected or held. Thread-safe. */
public interface DueForecast {

    /**
     * What comes due in each namespace, as it was counted a moment ago.
     *
     * @throws NotReadyException while it is counted for the first time, if that takes long
     */
    Outlook outlook();

    /**
     * What of a stream is due already and still there, also where its policy only warns.
     *
     * @throws NotReadyException while its partition restores
     */
    Overdue overdue(StreamUsage stream);

    /**
     * What comes due, at the moment when the count began; nothing is estimated.
     *
     * @param byPartition by partition and namespace; a partition that could not be read is left out, as are namespaces with
     *     nothing due
     * @param countedAtMs when it was counted, epoch milliseconds
     */
    record Outlook(Map<Integer, Map<String, Due>> byPartition, long countedAtMs) {

        public Outlook {
            byPartition = Snapshot.of(byPartition);
        }

        /** What comes due in the partitions that were counted, by namespace. */
        public Map<String, Due> byNamespace() {
            Map<String, Due> sums = new TreeMap<>();
            byPartition
                    .values()
                    .forEach(partition -> partition.forEach((namespace, due) -> sums.merge(namespace, due, Due::plus)));
            return sums;
        }

        /** What comes due in that namespace, in the partitions that were counted. */
        public Due of(String namespace) {
            return byPartition.values().stream()
                    .map(partition -> partition.getOrDefault(namespace, Due.NOTHING))
                    .reduce(Due.NOTHING, Due::plus);
        }

        /** The same for those of these partitions that were counted. */
        public Outlook within(Collection<Integer> partitions) {
            Map<Integer, Map<String, Due>> counted = new TreeMap<>(byPartition);
            counted.keySet().retainAll(partitions);
            return new Outlook(counted, countedAtMs);
        }

        /** Whether all of the partitions were counted. */
        public boolean isExact(Collection<Integer> partitions) {
            return byPartition.keySet().containsAll(partitions);
        }
    }

    /**
     * What comes due in a namespace.
     *
     * @param nextHour what goes within an hour, what is overdue included, what policies only warn of left out: nothing will
     *     take it
     * @param nextDay what goes within a day, that hour included
     * @param expiring what is due within {@code warnBefore} of its policy, what is overdue and what policies only warn of
     *     included
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
     * What a namespace is to be warned of.
     *
     * @param earliestMs the last millisecond of the first of them, epoch milliseconds; null if there is none
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

    /**
     * What is due already.
     *
     * @param isExact false if there was too much to count: there is at least so much
     */
    record Overdue(long events, boolean isExact) {}
}
