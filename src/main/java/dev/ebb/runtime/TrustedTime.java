package dev.ebb.runtime;

import dev.ebb.topology.ClockWatch;
import java.util.function.Supplier;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.utils.Time;

/**
 * The time by which Kafka Streams commits, punctuates and stamps what it writes: that of the machine, or the broker's where
 * the machine's is too far from it (O-7). With a clock that is put back by two hours there would be no commit for two hours.
 * Thread-safe.
 */
final class TrustedTime implements Time {

    /** What is trusted may change while somebody waits. */
    private static final long LONGEST_WAIT_MS = 1000;

    private final ClockWatch clock;
    private final Time machine;

    TrustedTime(ClockWatch clock, Time machine) {
        this.clock = clock;
        this.machine = machine;
    }

    @Override
    public long milliseconds() {
        return clock.trusted(machine.milliseconds());
    }

    @Override
    public long nanoseconds() {
        return machine.nanoseconds();
    }

    @Override
    public void sleep(long ms) {
        machine.sleep(ms);
    }

    @Override
    public void waitObject(Object object, Supplier<Boolean> condition, long deadlineMs) throws InterruptedException {
        synchronized (object) {
            while (!condition.get()) {
                long leftMs = deadlineMs - milliseconds();
                if (leftMs <= 0) {
                    throw new TimeoutException("what was waited for did not come in time");
                }
                object.wait(Math.min(leftMs, LONGEST_WAIT_MS));
            }
        }
    }
}
