package dev.ebb.port;

import dev.ebb.domain.Snapshot;
import java.util.Map;

/** Counts what age and own TTLs have taken of late, whichever instance did it. Thread-safe. */
public interface ExpiredCounts {

    /** What was deleted in the hour before it was counted, a moment ago; never fails and does not take long. */
    Expired lastHour();

    /**
     * What has expired in an hour. What was deleted at the first millisecond of it counts, what persons and caps deleted does
     * not.
     *
     * @param byNamespace events by namespace; those without any may be left out
     * @param isExact false if the audit could not be read to its end, so that there are at least so many, or if that was more than
     *     two seconds ago
     * @param countedAtMs the end of the hour, epoch milliseconds
     */
    record Expired(Map<String, Long> byNamespace, boolean isExact, long countedAtMs) {

        public Expired {
            byNamespace = Snapshot.of(byNamespace);
        }

        /** The events of that namespace. */
        public long of(String namespace) {
            return byNamespace.getOrDefault(namespace, 0L);
        }
    }
}
