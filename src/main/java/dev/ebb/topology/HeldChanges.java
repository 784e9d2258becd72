package dev.ebb.topology;

import dev.ebb.store.ParkedRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the brake holds back, in the order of arrival: stored, and in memory, since the gate looks at it after each record.
 * Not thread-safe.
 */
final class HeldChanges {

    private final GateStore store;
    private @Nullable Map<Long, HeldBack> held;

    HeldChanges(GateStore store) {
        this.store = store;
    }

    List<HeldBack> all() {
        return List.copyOf(held().values());
    }

    Optional<HeldBack> find(long id) {
        return Optional.ofNullable(held().get(id));
    }

    void add(HeldBack change) {
        held().put(change.id(), change);
        store.holdBack(change);
    }

    /** The change is the same, but it is known now how much it would delete. */
    void found(HeldBack change) {
        held().put(change.id(), change);
        store.holdBackStill(change);
    }

    void remove(HeldBack change) {
        held().remove(change.id());
        store.letGo(change);
    }

    /**
     * Takes the records with these keys out; what is left of a file is another change, which is assessed anew.
     *
     * @return the changes that are not what they were
     */
    List<HeldBack> takeOut(Set<String> keys) {
        List<HeldBack> changed = new ArrayList<>();
        for (HeldBack waiting : all()) {
            List<ParkedRecord> left = waiting.records().stream()
                    .filter(record -> !keys.contains(PolicyJudge.keyOf(record)))
                    .toList();
            if (left.size() < waiting.records().size()) {
                changed.add(waiting);
                remove(waiting);
                if (!left.isEmpty()) {
                    add(waiting.without(left));
                }
            }
        }
        return changed;
    }

    /** Read when it is asked for first: the store is not full before. */
    private Map<Long, HeldBack> held() {
        Map<Long, HeldBack> known = held;
        if (known == null) {
            known = new TreeMap<>();
            for (HeldBack change : store.heldBack()) {
                known.put(change.id(), change);
            }
            held = known;
        }
        return known;
    }
}
