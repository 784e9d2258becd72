package dev.ebb.port;

import dev.ebb.domain.Snapshot;
import dev.ebb.domain.retention.DueSums;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

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
    record Outlook(Map<Integer, Map<String, DueSums>> byPartition, long countedAtMs) {

        public Outlook {
            byPartition = Snapshot.of(byPartition);
        }

        /** Returns the events that come due in the partitions that were counted, by namespace. */
        public Map<String, DueSums> byNamespace() {
            Map<String, DueSums> sums = new TreeMap<>();
            byPartition
                    .values()
                    .forEach(partition ->
                            partition.forEach((namespace, due) -> sums.merge(namespace, due, DueSums::plus)));
            return sums;
        }

        /** Returns the events that come due in that namespace, in the partitions that were counted. */
        public DueSums of(String namespace) {
            return byPartition.values().stream()
                    .map(partition -> partition.getOrDefault(namespace, DueSums.NOTHING))
                    .reduce(DueSums.NOTHING, DueSums::plus);
        }

        /** Returns this outlook, limited to the counted partitions among the given ones. */
        public Outlook within(Collection<Integer> partitions) {
            Map<Integer, Map<String, DueSums>> counted = new TreeMap<>(byPartition);
            counted.keySet().retainAll(partitions);
            return new Outlook(counted, countedAtMs);
        }

        /** Returns true if all of the partitions were counted. */
        public boolean isExact(Collection<Integer> partitions) {
            return byPartition.keySet().containsAll(partitions);
        }
    }
}
