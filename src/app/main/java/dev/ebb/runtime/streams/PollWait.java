package dev.ebb.runtime.streams;

import dev.ebb.topology.BusyThread;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * Time for which a stream thread waits for records in one poll. It wakes for a record at once in any case; what else there
 * is to do waits until the poll is over. Not thread-safe: belongs to the consumer of one thread.
 */
final class PollWait {

    /**
     * Shortest wait above zero: without any, a task that waits for something itself would have its thread turn without
     * end.
     */
    private static final Duration BUSY = Duration.ofMillis(1);

    /**
     * A thread with nothing to do has nothing to look at in between, see {@link PatientConsumer} for its end. With the hundred
     * times a second of {@code poll.ms} two such threads took some hundredths of a core.
     */
    static final Duration IDLE = Duration.ofSeconds(1);

    /**
     * A thread without records whose tasks have had a turn has at most something to commit: so much later is soon enough. Each
     * task has such a turn once a minute.
     */
    static final Duration COMMITTING = Duration.ofMillis(100);

    /** Whatever the thread has done is committed by then, with the usual {@code commit.interval}. */
    static final Duration AWAKE = Duration.ofSeconds(2);

    private long workedNanos;
    private long turnedNanos;
    private long turns;

    PollWait(long nanos) {
        workedNanos = nanos;
        turnedNanos = nanos;
    }

    /** Notes that a poll has brought records. */
    void worked(long nanos) {
        workedNanos = nanos;
    }

    /**
     * Time to wait on the current thread instead of the requested time.
     *
     * @param nowMs epoch milliseconds
     * @param nanos by the clock that only goes on
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
        boolean takesIn = nanos - workedNanos < AWAKE.toNanos();
        Duration most = nanos - turnedNanos < AWAKE.toNanos() ? COMMITTING : IDLE;
        OptionalLong toNextLook = BusyThread.msToNextLook(nowMs);
        if (takesIn || asked.compareTo(most) >= 0 || toNextLook.isEmpty()) {
            return asked;
        }
        // What falls due is gone within a second: tasks must have their look at the moment that they expect.
        return least(most, Duration.ofMillis(toNextLook.getAsLong()));
    }

    private static Duration least(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
