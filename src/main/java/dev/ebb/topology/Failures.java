package dev.ebb.topology;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Remembers over the end of a task what made it fail, so that the next task of the partition in this instance sets that
 * aside in place of failing again. In memory only; another instance fails once itself. Thread-safe.
 */
final class Failures {

    /** The oldest is forgotten where there are more; each has cost a restore. */
    private static final int MOST = 1000;

    private final Map<Key, String> reasons = new LinkedHashMap<>();

    private record Key(int partition, String what) {}

    /** Something of that partition has failed when half of its writes were done. */
    synchronized void remember(int partition, String what, String reason) {
        reasons.put(new Key(partition, what), reason);
        if (reasons.size() > MOST) {
            reasons.remove(reasons.keySet().iterator().next());
        }
    }

    /** All that has failed in that partition, with the reasons. */
    synchronized Map<String, String> of(int partition) {
        Map<String, String> found = new LinkedHashMap<>();
        reasons.forEach((key, reason) -> {
            if (key.partition() == partition) {
                found.put(key.what(), reason);
            }
        });
        return found;
    }

    /** It is set aside for good. */
    synchronized void forget(int partition, String what) {
        reasons.remove(new Key(partition, what));
    }
}
