package dev.ebb.topology;

import dev.ebb.domain.retention.SweepBudget;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Shares the time of a stream thread among its tasks: a thread's tasks are punctuated one after the other, so
 * each takes its part of the slice only, or a thread with twenty tasks would pause twenty times as long. A round begins
 * when a task has its turn for the second time. Tasks that have work divide the rest of the slice evenly; a task whose
 * work was not yet known gets the time that the others have left. Tasks without work have their turns at the same
 * moment, since what the first of them has to fetch from memory the others find in the caches (B-5). Thread-safe: each
 * thread has its own rounds.
 */
final class ThreadSlices {

    /** A command has a sender who waits, so a thread gives it a longer slice than a sweep, which has time. */
    private static final int SLICES_FOR_COMMANDS = 2;

    private final ThreadLocal<Round> rounds;
    private final int deletes;
    private final long sliceNanos;
    private final LongSupplier nanoClock;

    /**
     * @param deletes the most deletes in one turn
     * @param slice the time of one round of a thread
     */
    ThreadSlices(int deletes, Duration slice) {
        this(deletes, slice, System::nanoTime);
    }

    ThreadSlices(int deletes, Duration slice, LongSupplier nanoClock) {
        this.deletes = deletes;
        this.sliceNanos = slice.toNanos();
        this.nanoClock = nanoClock;
        long nanos = sliceNanos;
        this.rounds = ThreadLocal.withInitial(() -> new Round(nanos));
    }

    /**
     * Turns of the tasks of one thread between two polls. It does not refer to the {@link ThreadSlices}: what a thread keeps
     * must not hold what it is kept under, or the thread would keep both for as long as it lives.
     */
    private static final class Round {
        private final Set<Object> busy = identitySet();
        private final Set<Object> served = identitySet();
        private final Set<Object> awaited = identitySet();
        private long leftNanos;
        private long begunNanos;
        private long records;
        private long firstTurnMs;

        private Round(long leftNanos) {
            this.leftNanos = leftNanos;
        }
    }

    private static Set<Object> identitySet() {
        return Collections.newSetFromMap(new IdentityHashMap<>());
    }

    /**
     * Time of the first regular turn of a task that begins on this thread, so that it has its turns with the others: a
     * moment within a period, or an earlier moment from which a whole number of periods leads there.
     *
     * @param nowMs epoch milliseconds
     * @param period the time between two regular turns, the same for all tasks
     */
    Instant firstTurn(long nowMs, Duration period) {
        Round round = rounds.get();
        long latestMs = nowMs + period.toMillis();
        // A clock that was ahead when the first task began must not put off the turns of the next.
        if (round.firstTurnMs == 0 || round.firstTurnMs > latestMs) {
            round.firstTurnMs = latestMs;
        }
        BusyThread.looks(round.firstTurnMs, period);
        return Instant.ofEpochMilli(round.firstTurnMs);
    }

    /** Notes that the task has something to do from now on. */
    void enter(Object task) {
        if (rounds.get().busy.add(task)) {
            BusyThread.enter();
        }
    }

    /** Notes that the task has nothing more to do. */
    void leave(Object task) {
        Round round = rounds.get();
        round.awaited.remove(task);
        if (round.busy.remove(task)) {
            BusyThread.leave();
        }
    }

    /**
     * Notes that a task of this thread is closed. Until its next round, which may never come, the thread would keep the task
     * and the state of its partition in memory.
     */
    void forget(Object task) {
        leave(task);
        rounds.get().served.remove(task);
    }

    /** Counts a record that a task of this thread takes in. */
    void takeRecord() {
        rounds.get().records++;
    }

    /** Number of records that the tasks of this thread have taken in. */
    long records() {
        return rounds.get().records;
    }

    /** Begins the turn of a task whose work has time. */
    SweepBudget beginTurn(Object task) {
        return beginTurn(task, false);
    }

    /**
     * Begins the turn of the task and returns the budget that it may spend; {@link #endTurn} follows.
     *
     * @param isAwaited true if it has a command to carry out: rounds are twice as long from the next one on
     */
    SweepBudget beginTurn(Object task, boolean isAwaited) {
        BusyThread.turn();
        Round round = rounds.get();
        if (isAwaited) {
            round.awaited.add(task);
        } else {
            round.awaited.remove(task);
        }
        if (!round.served.add(task)) {
            round.served.clear();
            round.served.add(task);
            round.leftNanos = round.awaited.isEmpty() ? sliceNanos : SLICES_FOR_COMMANDS * sliceNanos;
        }
        long sharers = 1
                + round.busy.stream()
                        .filter(other -> !round.served.contains(other))
                        .count();
        round.begunNanos = nanoClock.getAsLong();
        return new SweepBudget(deletes, Math.max(0, round.leftNanos) / sharers, nanoClock);
    }

    /** Ends the turn; the time that it took is not there for the others. */
    void endTurn() {
        Round round = rounds.get();
        round.leftNanos -= nanoClock.getAsLong() - round.begunNanos;
    }
}
