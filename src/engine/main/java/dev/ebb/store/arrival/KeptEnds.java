package dev.ebb.store.arrival;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.layout.Grave;
import dev.ebb.store.layout.UsageKeys;
import dev.ebb.store.layout.WaitingEnd;
import dev.ebb.store.state.Graves;
import dev.ebb.store.state.StreamState;
import dev.ebb.store.state.StreamTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * The ends of executions that wait beside graves, as the store keeps them: counted, and dropped with their grave. Not
 * thread-safe.
 */
final class KeptEnds {

    private static final byte[] NOTHING = new byte[0];

    private final KeyValueStore<Bytes, byte[]> usage;
    private final StreamTable streams;
    private final Graves graves;
    private long count;
    private List<StreamName> dropped = new ArrayList<>();

    KeptEnds(KeyValueStore<Bytes, byte[]> usage, StreamTable streams) {
        this.usage = usage;
        this.streams = streams;
        this.graves = streams.graves();
    }

    /** Counts the ends. */
    void open() {
        count = 0;
        dropped = new ArrayList<>();
        try (var ends = usage.range(UsageKeys.waitingEnd("", 0), UsageKeys.afterWaitingEnds())) {
            while (ends.hasNext()) {
                count += UsageKeys.kindOf(ends.next().key) == UsageKeys.WAITING_END ? 1 : 0;
            }
        }
    }

    long count() {
        return count;
    }

    /** Returns the stream of each end that was dropped since the last call; each end counts. */
    List<StreamName> takeDropped() {
        if (dropped.isEmpty()) {
            return List.of();
        }
        List<StreamName> taken = dropped;
        dropped = new ArrayList<>();
        return taken;
    }

    /** Returns the end that waits for the execution; null if there is none. */
    byte @Nullable [] find(StreamName name, long execution) {
        return usage.get(key(name, execution));
    }

    /** @param isNew true if none has waited for the execution before */
    void put(StreamName name, long execution, byte[] end, boolean isNew) {
        if (count == 0) {
            usage.put(UsageKeys.afterWaitingEnds(), NOTHING);
        }
        usage.put(key(name, execution), end);
        count += isNew ? 1 : 0;
    }

    void remove(StreamName name, long execution) {
        usage.put(key(name, execution), null);
        count--;
    }

    /** Removes an end that never takes effect. */
    void drop(StreamName name, long execution) {
        remove(name, execution);
        dropped.add(name);
    }

    /** Saves a grave whose ends have changed. */
    void change(StreamName name, Grave grave) {
        graves.change(name, grave);
        StreamState stream = streams.find(name);
        if (stream != null) {
            stream.follow(grave);
        }
    }

    /** Drops ends of the stream as far as the budget goes, since their grave ends; returns true if none is left. */
    boolean drop(StreamName stream, SweepBudget budget) {
        Grave grave = count == 0 ? null : graves.of(stream);
        if (grave == null || grave.ends() == 0) {
            return true;
        }
        int most = Math.max(1, budget.deletesLeft());
        Grave left = drop(stream, grave, end -> true, most);
        int gone = grave.ends() - left.ends();
        for (int i = 0; i < gone; i++) {
            budget.spendDelete();
        }
        change(stream, left);
        return gone < most || left.ends() == 0;
    }

    /** Drops ends beside the grave, and reads no further than its count; returns the grave without them. */
    Grave drop(StreamName stream, Grave grave, Predicate<WaitingEnd> isOver, int most) {
        Set<Long> numbers = new TreeSet<>();
        Grave left = grave;
        Bytes from = key(stream, 0);
        try (var ends = usage.range(from, key(stream, Long.MAX_VALUE))) {
            for (int i = 0; i < grave.ends() && numbers.size() < most && ends.hasNext(); i++) {
                var entry = ends.next();
                long number = UsageKeys.executionOfWaitingEnd(entry.key);
                if (isOver.test(WaitingEnd.decode(stream, number, entry.value))) {
                    numbers.add(number);
                    left = left.withEnds(-1, -entry.value.length);
                }
            }
        }
        for (long number : numbers) {
            drop(stream, number);
        }
        return left;
    }

    private static Bytes key(StreamName stream, long execution) {
        return UsageKeys.waitingEnd(stream.value(), execution);
    }
}
