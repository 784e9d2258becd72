package dev.ebb.store.state;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.layout.Grave;
import dev.ebb.store.layout.UsageKeys;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * The times at which commands deleted streams (O-10): for a while, records that were produced before such a delete are
 * not taken in. A purge leaves as many graves as it deletes streams, so they lie in the usage store, by name and in the
 * order in which they end. Memory holds only their number and the times of the first and the last. Nearly all records
 * are younger than the last delete of the partition and need no further look. Ends of executions may wait beside a grave
 * and go with it. Not thread-safe.
 */
public final class Graves {

    /** Default lifetime of a grave. */
    public static final Duration DEFAULT_RETENTION = Duration.ofHours(24);

    private static final int BATCH = 256;
    private static final byte[] NOTHING = new byte[0];

    private final KeyValueStore<Bytes, byte[]> usage;
    private final long retentionMs;
    private long count;

    /** The time of the latest delete; of no meaning while there are no graves. */
    private long newestMs;

    /** No grave was dug before this time; the oldest one may be younger. */
    private long oldestMs;

    /** No key of the order of graves lies before this one; the grave of this key may be long gone. */
    private Bytes head = UsageKeys.graveAt(0, "");

    private BiPredicate<StreamName, SweepBudget> endsBeside = (stream, budget) -> true;

    /** @param retentionMs the lifetime of a grave in milliseconds; 0: no graves are dug, and none stands */
    Graves(KeyValueStore<Bytes, byte[]> usage, long retentionMs) {
        this.usage = usage;
        this.retentionMs = retentionMs;
    }

    void clear() {
        count = 0;
    }

    /**
     * Has the ends that wait beside a grave dropped before the grave is forgotten.
     *
     * @param ends returns true if none is left, false if the budget ended the slice
     */
    public void dropWith(BiPredicate<StreamName, SweepBudget> ends) {
        endsBeside = ends;
    }

    /** Reads a key of the order of graves; calls must come in that order. */
    void read(Bytes key) {
        include(UsageKeys.timeOfGraveAt(key), key);
        count++;
    }

    private void include(long deletedAtMs, Bytes key) {
        newestMs = count == 0 ? deletedAtMs : Math.max(newestMs, deletedAtMs);
        oldestMs = count == 0 ? deletedAtMs : Math.min(oldestMs, deletedAtMs);
        head = count == 0 || key.compareTo(head) < 0 ? key : head;
    }

    /** Notes that a command has deleted the stream; of two deletes the later one counts. */
    public void dig(StreamName stream, Grave grave) {
        String name = stream.value();
        Grave former = of(stream);
        if (retentionMs == 0 || (former != null && former.deletedAtMs() > grave.deletedAtMs())) {
            return;
        }
        if (former != null) {
            usage.put(UsageKeys.graveAt(former.deletedAtMs(), name), null);
            count--;
        }
        if (count == 0) {
            usage.put(UsageKeys.endOfGraves(), NOTHING);
        }
        Bytes key = UsageKeys.graveAt(grave.deletedAtMs(), name);
        change(stream, grave);
        usage.put(key, NOTHING);
        include(grave.deletedAtMs(), key);
        count++;
    }

    /** Returns true if no graves are kept. */
    public boolean isOff() {
        return retentionMs == 0;
    }

    /** Keeps another account of the same delete. */
    public void change(StreamName stream, Grave grave) {
        usage.put(UsageKeys.named(UsageKeys.GRAVE, stream.value()), grave.encode());
    }

    /** Forgets the grave, beside which nothing may wait. */
    public void remove(StreamName stream, Grave grave) {
        forget(UsageKeys.graveAt(grave.deletedAtMs(), stream.value()));
    }

    /** Returns the grave of a stream of this name, which may have ended; null if there is none. */
    public @Nullable Grave of(StreamName stream) {
        byte[] grave = count == 0 ? null : usage.get(UsageKeys.named(UsageKeys.GRAVE, stream.value()));
        return grave == null ? null : Grave.decode(grave);
    }

    /** Returns the time at which a command last deleted a stream of this name; -1 if it has no grave. */
    private long deletedAtMs(StreamName stream) {
        Grave grave = of(stream);
        return grave == null || grave.isLifted() ? -1 : grave.deletedAtMs();
    }

    /** Returns true if a grave may cover a record of that time: nearly all are younger than the last delete. */
    public boolean mayCover(long timestampMs) {
        return count > 0 && timestampMs < newestMs;
    }

    /**
     * Returns true if a record was produced before a delete of its stream whose grave stands. A record from the
     * millisecond of the delete was produced after it; a grave still stands in the last millisecond of its lifetime.
     *
     * @param stream the stream that has the name now; null if there is none
     * @param timestampMs the Kafka timestamp of the record
     */
    public boolean cover(StreamName name, @Nullable StreamState stream, long timestampMs, long nowMs) {
        return timestampMs < standingMs(name, stream, nowMs);
    }

    /**
     * Returns the time at which a command last deleted a stream of this name, if its grave stands, epoch milliseconds;
     * else -1.
     *
     * @param stream the stream that has the name now; null if there is none
     */
    public long standingMs(StreamName name, @Nullable StreamState stream, long nowMs) {
        if (count == 0) {
            return -1;
        }
        long deletedAtMs = stream == null ? deletedAtMs(name) : stream.formerDeletedMs();
        return stands(deletedAtMs, nowMs) ? deletedAtMs : -1;
    }

    /** Returns true if the grave has not ended; an undo may have lifted it. */
    public boolean stands(Grave grave, long nowMs) {
        return stands(grave.deletedAtMs(), nowMs);
    }

    private boolean stands(long deletedAtMs, long nowMs) {
        return deletedAtMs >= 0 && retentionMs > 0 && nowMs - deletedAtMs <= retentionMs;
    }

    /** Returns the number of graves; a few of them may have ended. */
    public long count() {
        return count;
    }

    /**
     * Returns the time from which there may be graves to forget, epoch milliseconds; {@link Long#MAX_VALUE} if there
     * are no graves.
     */
    public long nextMs() {
        return count == 0 ? Long.MAX_VALUE : oldestMs + retentionMs + 1;
    }

    /**
     * Forgets the graves that have ended; returns true if none of these is left, false if the budget ended the slice.
     */
    public boolean forget(long nowMs, SweepBudget budget) {
        while (nowMs >= nextMs()) {
            if (budget.isSpent()) {
                return false;
            }
            forgetSome(nowMs, budget);
        }
        return true;
    }

    /** Begins where the previous slice ended, and stops at the count, so as never to read past the last grave. */
    private void forgetSome(long nowMs, SweepBudget budget) {
        List<Bytes> ended = new ArrayList<>();
        try (var graves = usage.range(head, UsageKeys.graveAt(Long.MAX_VALUE, ""))) {
            if (!graves.hasNext()) {
                clear();
                return;
            }
            while (ended.size() < Math.min(count, BATCH) && !budget.isSpent()) {
                head = graves.next().key;
                if (stands(UsageKeys.timeOfGraveAt(head), nowMs)) {
                    break;
                }
                ended.add(head);
                budget.spendDelete();
            }
        }
        for (Bytes key : ended) {
            if (!endsBeside.test(new StreamName(UsageKeys.nameOfTimed(key)), budget)) {
                head = key;
                break;
            }
            forget(key);
        }
        oldestMs = UsageKeys.timeOfGraveAt(head);
    }

    private void forget(Bytes key) {
        usage.put(UsageKeys.named(UsageKeys.GRAVE, UsageKeys.nameOfTimed(key)), null);
        usage.put(key, null);
        count--;
    }
}
