package dev.ebb.runtime.streams;

import dev.ebb.topology.observe.ClockWatch;
import java.util.function.Supplier;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.utils.Time;

/**
 * The time by which Kafka Streams commits, punctuates and stamps its records: the machine's time, or the broker's where
 * the machine's clock is too far from it (O-7). It never runs back: where it is ahead of that time, it advances more
 * slowly until that time has caught up. If it ran back, Kafka Streams would not commit for as long, and its
 * transactions would time out. Events are stored by {@link ClockWatch#trusted}, which corrects the rest. Thread-safe.
 */
final class TrustedTime implements Time {

    /** The trusted time may change during a wait. */
    private static final long LONGEST_WAIT_MS = 1000;

    /** Slow enough to fall back to the trusted time, fast enough to keep intervals of all kinds. */
    private static final long SLOW_PERCENT = 90;

    private static final long NANOS_PER_MS = 1_000_000;

    private final ClockWatch clock;
    private final Time machine;
    private long lastMs = Long.MIN_VALUE;
    private long lastNanos;

    TrustedTime(ClockWatch clock, Time machine) {
        this.clock = clock;
        this.machine = machine;
    }

    @Override
    public long milliseconds() {
        return neverBack(clock.trusted(machine.milliseconds()), machine.nanoseconds());
    }

    private synchronized long neverBack(long trustedMs, long nanos) {
        long leastMs = lastMs == Long.MIN_VALUE ? trustedMs : lastMs + slowMs(nanos - lastNanos);
        if (trustedMs < leastMs) {
            return leastMs;
        }
        lastMs = trustedMs;
        lastNanos = nanos;
        return trustedMs;
    }

    private static long slowMs(long nanos) {
        return Math.max(0, nanos / 100 * SLOW_PERCENT / NANOS_PER_MS);
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
                    throw new TimeoutException("the awaited condition did not come in time");
                }
                object.wait(Math.min(leftMs, LONGEST_WAIT_MS));
            }
        }
    }
}
