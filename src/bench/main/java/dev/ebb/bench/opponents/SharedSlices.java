package dev.ebb.bench.opponents;

import java.time.Duration;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Divides a slice of a stream thread among those of its tasks that have something to expire, and keeps the polls of the
 * thread short until nothing is left. Thread-safe: each thread has a round of its own.
 */
final class SharedSlices {

    private static final Duration POLL_WITH_WORK = Duration.ofMillis(1);

    private final ThreadLocal<Round> rounds = ThreadLocal.withInitial(Round::new);
    private final long sliceNanos;
    private final LongSupplier nanoClock;

    /** @param slice the time of all tasks of a thread together */
    SharedSlices(Duration slice) {
        this(slice, System::nanoTime);
    }

    SharedSlices(Duration slice, LongSupplier nanoClock) {
        this.sliceNanos = slice.toNanos();
        this.nanoClock = nanoClock;
    }

    /** One turn of each task of a thread; the second turn of any task begins the next round. */
    private final class Round {
        private final Set<Object> busy = Collections.newSetFromMap(new IdentityHashMap<>());
        private final Set<Object> served = Collections.newSetFromMap(new IdentityHashMap<>());
        private long leftNanos = sliceNanos;
        private long begunNanos;
    }

    /** Begins the turn of a task, and returns its end by the nano clock; {@link #end} must follow. */
    long begin(Object task) {
        Round round = rounds.get();
        if (!round.served.add(task)) {
            round.served.clear();
            round.served.add(task);
            round.leftNanos = sliceNanos;
        }
        int waiting = 0;
        for (Object other : round.busy) {
            waiting += round.served.contains(other) ? 0 : 1;
        }
        round.begunNanos = nanoClock.getAsLong();
        return round.begunNanos + Math.max(0, round.leftNanos) / (1 + waiting);
    }

    /**
     * Ends the turn of a task.
     *
     * @param hasWork true if the task has more to do
     */
    void end(Object task, boolean hasWork) {
        Round round = rounds.get();
        round.leftNanos -= nanoClock.getAsLong() - round.begunNanos;
        if (hasWork) {
            round.busy.add(task);
        } else {
            round.busy.remove(task);
        }
    }

    /** Removes a task that leaves this thread. */
    void leave(Object task) {
        Round round = rounds.get();
        round.busy.remove(task);
        round.served.remove(task);
    }

    /**
     * Returns the time for which a poll of this thread waits for records, in place of the time that Kafka Streams asks
     * for.
     */
    Duration pollWait(Duration asked) {
        boolean isShorter = asked.compareTo(POLL_WITH_WORK) < 0;
        return isShorter || rounds.get().busy.isEmpty() ? asked : POLL_WITH_WORK;
    }
}
