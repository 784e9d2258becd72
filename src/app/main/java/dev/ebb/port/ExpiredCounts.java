package dev.ebb.port;

import dev.ebb.domain.Snapshot;
import java.util.Map;

/** Counts events that age and own TTLs have taken of late, on any instance. Thread-safe. */
public interface ExpiredCounts {

    /**
     * Events that were deleted in the hour before the count, which was a moment ago; never fails and does not take
     * long.
     */
    Expired lastHour();

    /**
     * Events that have expired in an hour. Deletes at its first millisecond count; deletes by persons and caps do not.
     *
     * @param byNamespace events by namespace; those without any may be left out
     * @param isExact false if the audit could not be read to its end, so that the numbers are lower bounds, or if it
     *     was last read to its end more than two seconds ago
     * @param countedAtMs the end of the hour, epoch milliseconds
     */
    record Expired(Map<String, Long> byNamespace, boolean isExact, long countedAtMs) {

        public Expired {
            byNamespace = Snapshot.of(byNamespace);
        }

        /** Number of events of that namespace. */
        public long of(String namespace) {
            return byNamespace.getOrDefault(namespace, 0L);
        }
    }
}
