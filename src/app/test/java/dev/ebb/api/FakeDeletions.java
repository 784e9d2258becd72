package dev.ebb.api;

import dev.ebb.domain.retention.SweepReport.Tally;
import dev.ebb.port.forecast.DeletionHistory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Deletes that a test has set: all of a namespace and cause in the first bucket. */
final class FakeDeletions implements DeletionHistory {

    final Map<String, Map<String, Tally>> deleted = new TreeMap<>();
    Long sinceMs;
    boolean isComplete;
    List<Long> asked = List.of();

    @Override
    public Deletions deletions(String namespace, List<Long> buckets) {
        asked = buckets;
        Map<String, Map<String, List<Tally>>> found = new TreeMap<>();
        deleted.forEach((name, causes) -> {
            if (namespace == null || namespace.equals(name)) {
                causes.forEach((cause, tally) -> {
                    List<Tally> tallies = new ArrayList<>(Collections.nCopies(buckets.size() - 1, Tally.ZERO));
                    tallies.set(0, tally);
                    found.computeIfAbsent(name, key -> new TreeMap<>()).put(cause, tallies);
                });
            }
        });
        return new Deletions(sinceMs, isComplete, null, found);
    }
}
