package dev.ebb.runtime.streams;

import dev.ebb.topology.BusyThread;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * Time for which a stream thread waits for records in one poll. A record wakes the thread at once in any case; all
 * other work waits until the poll is over. Not thread-safe: belongs to the consumer of one thread.
 */
final class PollWait {

    /** Shortest wait above zero: without one, the thread of a task that itself waits for something would spin. */
    private static final Duration BUSY = Duration.ofMillis(1);

    /**
     * Longest wait of a thread with nothing to do, which has nothing to look at meanwhile; {@link PatientConsumer}
     * describes its end. At the hundred polls a second of {@code poll.ms}, two such threads took some hundredths of a
     * core.
     */
    static final Duration IDLE = Duration.ofSeconds(1);

    /**
     * Longest wait of a thread that takes records in, or whose tasks have had a turn and have at most something to commit.
     * The next record ends it; what records ask for besides, such as the answer of the policy gate or a commit, is soon
     * enough. At a few records a second, the hundred polls of {@code poll.ms} were a good part of the CPU time of an
     * instance (B-23). Each task has a turn once a minute.
     */
    static final Duration LITTLE_TO_DO = Duration.ofMillis(100);

    /** Time after which all work of the thread is committed, with the usual {@code commit.interval}. */
    static final Duration AWAKE = Duration.ofSeconds(4);

    /**
     * Time for which a thread leaves events on the broker after a poll that has brought a few. At a few events a second,
     * each would be a poll, a fetch and a round of the thread of its own (B-23). An event after a rest of that time is
     * taken at once.
     */
    static final Duration GATHERING = Duration.ofMillis(150);

    /** Most events of a poll after which a thread lets others gather. */
    static final int FEW = 20;

    /** Time after a poll with more events, or with anything else, in which the thread lets none gather. */
    static final Duration BRISK = Duration.ofSeconds(1);

    private long workedNanos;
    private long turnedNanos;
    private long turns;
    private long briskNanos;
    private boolean hasTakenFew;

    PollWait(long nanos) {
        workedNanos = nanos;
        turnedNanos = nanos;
        briskNanos = nanos;
    }

    /**
     * Notes what a poll has brought.
     *
     * @param events number of events
     * @param others number of other records, such as commands and answers, whose senders wait for an answer
     */
    void polled(int events, int others, long nanos) {
        hasTakenFew = events > 0;
        if (others > 0 || events > FEW) {
            briskNanos = nanos;
        }
        if (others > 0 || events > 0) {
            workedNanos = nanos;
        }
    }

    /**
     * Returns the time to let events gather before the next poll on the current thread; zero if the thread shall poll at
     * once.
     *
     * @param nowMs the present time, epoch milliseconds
     * @param nanos the present time, by the monotonic clock
     */
    Duration gathering(Duration asked, long nowMs, long nanos) {
        boolean isBrisk = nanos - briskNanos < BRISK.toNanos();
        OptionalLong toNextLook = BusyThread.msToNextLook(nowMs);
        if (!hasTakenFew || isBrisk || asked.isZero() || BusyThread.isCurrent() || toNextLook.isEmpty()) {
            return Duration.ZERO;
        }
        return least(GATHERING, Duration.ofMillis(toNextLook.getAsLong()));
    }

    /**
     * Returns the time to wait on the current thread instead of the requested time.
     *
     * @param nowMs the present time, epoch milliseconds
     * @param nanos the present time, by the monotonic clock
     */
    Duration of(Duration asked, long nowMs, long nanos) {
        if (asked.isZero()) {
            return asked;
        }
        if (BusyThread.isCurrent()) {
            return least(asked, BUSY);
        }
        if (BusyThread.turns() != turns) {
            turns = BusyThread.turns();
            turnedNanos = nanos;
        }
        boolean isAwake = Math.min(nanos - workedNanos, nanos - turnedNanos) < AWAKE.toNanos();
        Duration most = isAwake ? LITTLE_TO_DO : IDLE;
        OptionalLong toNextLook = BusyThread.msToNextLook(nowMs);
        if (asked.compareTo(most) >= 0 || toNextLook.isEmpty()) {
            return asked;
        }
        // Events go within a second after they are due, so tasks must have their look at the time that they expect.
        return least(most, Duration.ofMillis(toNextLook.getAsLong()));
    }

    private static Duration least(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
