package dev.ebb.store.gather;

import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.layout.Range;
import dev.ebb.store.rocks.DerivingStore;
import dev.ebb.store.rocks.LogEnds;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.jspecify.annotations.Nullable;

/**
 * Snapshot of a store in its own log, in place of a compaction: everything that is stored is logged again in the order
 * of the keys, in slices between which records come and go. Of each record that is there in the end, the log then has a
 * put behind the offset at which the snapshot began: that of the snapshot, or a later one. Removals before that offset
 * have nothing left to remove. So the log can be cut there once the end of the snapshot is committed.
 *
 * <p>Logs are cut in this way by systems built on Raft, see section 7 of its paper (Ongaro, Ousterhout 2014). Not
 * thread-safe.
 */
final class LogSnapshot {

    private static final Set<Range> DERIVED = EnumSet.of(Range.DUE, Range.IDS, Range.WAITING, Range.SOURCED);

    private static final List<Range> LOGGED =
            Stream.of(Range.values()).filter(range -> !DERIVED.contains(range)).toList();

    private final DerivingStore store;
    private State state = State.IDLE;
    private long begin;
    private long committedAtEnd;
    private int range;
    private @Nullable Bytes next;

    private enum State {
        IDLE,
        WRITING,
        /** Everything is written, and the mark of the end is not committed. */
        WRITTEN
    }

    LogSnapshot(DerivingStore store) {
        this.store = store;
    }

    /** Takes the records of the snapshot. */
    interface Target {

        void put(byte[] key, byte[] value);

        /**
         * Marks the end. Only the commit of this mark makes the snapshot hold: it passed over all that its transaction
         * had removed, and an abort brings that back.
         */
        void end();
    }

    /**
     * Begins the snapshot if it is time, or goes on with it.
     *
     * @param sendHeldBack sends all changes that are held back, so that none of them is taken for one that the log
     *     knows nothing of
     * @return true if there is more to write
     */
    boolean slice(LogEnds ends, LongSupplier live, SweepBudget budget, Runnable sendHeldBack, Target target) {
        if (state == State.IDLE && ends.isLong(live) && !budget.isSpent()) {
            begin(ends.end());
        }
        if (state == State.WRITING && !budget.isSpent()) {
            sendHeldBack.run();
            write(ends, budget, target);
        }
        if (state == State.WRITTEN && ends.end() > committedAtEnd) {
            state = State.IDLE;
            ends.cover(begin);
        }
        return state == State.WRITING;
    }

    private void begin(long committed) {
        state = State.WRITING;
        begin = committed + 1;
        range = 0;
        next = null;
    }

    private void write(LogEnds ends, SweepBudget budget, Target target) {
        while (range < LOGGED.size() && !budget.isSpent()) {
            byte code = LOGGED.get(range).code();
            Bytes from = next == null ? Bytes.wrap(new byte[] {code}) : next;
            try (KeyValueIterator<Bytes, byte[]> records =
                    store.range(from, Bytes.wrap(new byte[] {(byte) (code + 1)}))) {
                while (records.hasNext() && !budget.isSpent()) {
                    KeyValue<Bytes, byte[]> record = records.next();
                    target.put(record.key.get(), record.value);
                    next = behind(record.key);
                    budget.spendDelete();
                }
                if (!records.hasNext()) {
                    range++;
                    next = null;
                }
            }
        }
        if (range == LOGGED.size()) {
            target.end();
            committedAtEnd = ends.end();
            state = State.WRITTEN;
        }
    }

    /** Returns the least key above this one. */
    private static Bytes behind(Bytes key) {
        return Bytes.wrap(Arrays.copyOf(key.get(), key.get().length + 1));
    }

    boolean isUnderWay() {
        return state != State.IDLE;
    }

    /** Forgets the snapshot: the transaction that held a part of it is aborted. */
    void abandon() {
        state = State.IDLE;
    }
}
