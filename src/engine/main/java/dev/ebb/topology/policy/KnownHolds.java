package dev.ebb.topology.policy;

import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.PolicyKey;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Holds in force: the offset of the newest one, and whether a record cannot be read. Not thread-safe. */
final class KnownHolds {

    private final Map<String, Long> offsets = new HashMap<>();
    private final NavigableSet<Long> inOrder = new TreeSet<>();

    /** Keys of the holds in force whose records cannot be read: the streams that they cover are not known. */
    private final NavigableSet<String> lost = new TreeSet<>();

    /** Returns the offset of the newest hold in force; -1 if there is none. */
    long newestOffset() {
        return inOrder.isEmpty() ? -1 : inOrder.last();
    }

    /** Names a hold in force that cannot be read; null if all can. */
    @Nullable
    String problem() {
        return lost.isEmpty()
                ? null
                : lost.first() + " is in force and its record cannot be read; place or release it again";
    }

    /** Notes a good record that comes into force: a hold, the release of one, or something else. */
    void accept(PolicyKey key, Accepted accepted) {
        lost.remove(accepted.key());
        Hold hold = accepted.hold();
        String caseId = hold == null ? key.caseId() : hold.caseId();
        if (caseId != null) {
            Long before = hold == null ? offsets.remove(caseId) : offsets.put(caseId, accepted.offset());
            if (before != null) {
                inOrder.remove(before);
            }
            if (hold != null) {
                inOrder.add(accepted.offset());
            }
        }
    }

    /**
     * Notes a record without meaning if its key is that of a hold: nothing is deleted until the hold is placed or
     * released again.
     */
    void lose(Accepted accepted) {
        if (accepted.isOfPolicy() && PolicyKey.parse(accepted.key()).caseId() != null) {
            lost.add(accepted.key());
        }
    }
}
