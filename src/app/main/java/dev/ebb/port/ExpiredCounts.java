package dev.ebb.port;

import dev.ebb.domain.Snapshot;
import java.util.Map;

/** Counts events that age and own TTLs have taken recently, on any instance. Thread-safe. */
public interface ExpiredCounts {

    /**
     * Returns the events that were deleted in the hour before the last count, which was a moment ago; never fails and
     * does not take long.
     */
    Expired lastHour();

    /**
     * Events that have expired in an hour. Deletes at the first millisecond of the hour count; deletes by persons and
     * caps do not.
     *
     * @param byNamespace events by namespace; namespaces without any may be left out
     * @param isExact false if the numbers are lower bounds because the audit could not be read to its end, or if the
     *     last read to its end was more than two seconds ago
     * @param countedAtMs the end of the hour, epoch milliseconds
     */
    record Expired(Map<String, Long> byNamespace, boolean isExact, long countedAtMs) {

        public Expired {
            byNamespace = Snapshot.of(byNamespace);
        }

        /** Returns the number of events of that namespace. */
        public long of(String namespace) {
            return byNamespace.getOrDefault(namespace, 0L);
        }
    }
}
