package dev.ebb.topology;

import dev.ebb.domain.retention.SweepBudget;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Slices of the time of a stream thread, shared among its tasks. The tasks of a thread are punctuated one after
 * the other, so each takes only its part of the slice; otherwise a thread with twenty tasks would pause twenty times as
 * long. A round begins when a task has its second turn. Tasks that have work divide the rest of the slice evenly; a
 * task whose work was not known before gets the time that the others have left. Tasks without work have their turns at
 * the same moment, since the others find in the caches what the first one had to fetch from memory (B-5). Thread-safe:
 * each thread has its own rounds.
 */
final class ThreadSlices {

    /** Slices of a round with commands: the sender of a command waits, while a sweep has time. */
    private static final int SLICES_FOR_COMMANDS = 2;

    private final ThreadLocal<Round> rounds;
    private final int deletes;
    private final long sliceNanos;
    private final LongSupplier nanoClock;

    /**
     * @param deletes the largest number of deletes in one turn
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
     * Turns of the tasks of one thread between two polls. A round does not refer to the {@link ThreadSlices}: a value
     * of a thread-local variable that refers to this variable would live as long as its thread.
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
     * Returns the time of the first regular turn of a task that begins on this thread, chosen so that the task has its
     * turns with the others: a time within the next period, or an earlier time from which a whole number of periods
     * leads there.
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
     * Notes that a task of this thread is closed. Otherwise the thread would keep the task and the state of its
     * partition in memory until its next round, which may never come.
     */
    void forget(Object task) {
        leave(task);
        rounds.get().served.remove(task);
    }

    /** Counts a record that a task of this thread takes in. */
    void takeRecord() {
        rounds.get().records++;
    }

    /** Returns the number of records that the tasks of this thread have taken in. */
    long records() {
        return rounds.get().records;
    }

    /**
     * Begins the turn of the task and returns the budget that it may spend; {@link #endTurn} follows.
     *
     * @param isAwaited true if the task has a command to carry out: rounds are twice as long from the next one on
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

    /** Ends the turn; the time that it took is lost to the other tasks. */
    void endTurn() {
        Round round = rounds.get();
        round.leftNanos -= nanoClock.getAsLong() - round.begunNanos;
    }
}
