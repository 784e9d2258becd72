package dev.ebb.topology.trash;

import java.util.HashMap;
import java.util.Map;
import java.util.function.ObjLongConsumer;
import java.util.function.ToLongFunction;

/**
 * Records that a reading has found, compared with those that were promised (T-16). Not
 * thread-safe.
 */
public final class FoundTrash {

    /** Nothing was promised, and nothing found. */
    static final FoundTrash NOTHING = new FoundTrash(TrashPromise.NOTHING);

    private final Map<TrashSlot, long[]> found = new HashMap<>();
    private final TrashPromise promise;

    FoundTrash(TrashPromise promise) {
        this.promise = promise;
    }

    TrashPromise promise() {
        return promise;
    }

    /** Counts a genuine record of that slot, unless it came after the promise. */
    void add(TrashSlot slot, TrashKey key) {
        if (key.serial() < promise.nextSerial()) {
            found.computeIfAbsent(slot, of -> new long[2])[key.kind() == TrashKey.Kind.EVENT ? 0 : 1]++;
        }
    }

    /** Returns the number of events that are promised and were not found; known when all was read. */
    public long missingEvents() {
        return missing(TrashPromise.Numbers::events);
    }

    /** Returns the number of executions that are promised and were not found; known when all was read. */
    public long missingExecutions() {
        return missing(TrashPromise.Numbers::executions);
    }

    private long missing(ToLongFunction<TrashPromise.Numbers> kind) {
        return promise.waiting().keySet().stream()
                .mapToLong(slot -> kind.applyAsLong(missing(slot)))
                .sum();
    }

    /** Returns the number of events and executions of a slot that are promised and were not found. */
    TrashPromise.Numbers missing(TrashSlot slot) {
        TrashPromise.Numbers promised = promise.waiting().getOrDefault(slot, new TrashPromise.Numbers(0, 0));
        long[] there = found.getOrDefault(slot, new long[2]);
        return new TrashPromise.Numbers(
                Math.max(0, promised.events() - there[0]), Math.max(0, promised.executions() - there[1]));
    }

    /**
     * Shows each slot that is promised with the number of its records that were not found, in an earlier reading neither.
     * A slot that was not promised to the earlier reading is left out: it has been looked for only once.
     *
     * @param before the earlier reading, or this one
     */
    void forEachMissing(FoundTrash before, ObjLongConsumer<TrashSlot> visitor) {
        promise.waiting().keySet().stream()
                .filter(before.promise.waiting()::containsKey)
                .forEach(slot -> visitor.accept(slot, Math.min(records(slot), before.records(slot))));
    }

    private long records(TrashSlot slot) {
        TrashPromise.Numbers numbers = missing(slot);
        return numbers.events() + numbers.executions();
    }

    /** Returns true if nothing that is promised is missing. */
    public boolean isComplete() {
        return promise.waiting().keySet().stream()
                .map(this::missing)
                .allMatch(numbers -> numbers.events() == 0 && numbers.executions() == 0);
    }
}
