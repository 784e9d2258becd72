package dev.ebb.runtime.watch;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures a lag again and again, so that others can read it from memory. A lag of zero that is not
 * asked for is measured seldom: an instance with nothing to do should cost nothing. Its methods may be called by any thread.
 */
public final class LagWatch implements Runnable, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LagWatch.class);

    /** A lag this old is measured again once it is asked for; the next question gets the new one. */
    static final Duration FRESH = Duration.ofSeconds(1);

    /** Time after which a lag of zero is measured again although it was not asked for. */
    static final Duration UNASKED = Duration.ofSeconds(5);

    private final LongSupplier lag;
    private final LongSupplier nanos;
    private final Runnable release;
    private volatile Runnable soon = () -> {};
    private volatile OptionalLong measured = OptionalLong.empty();
    private volatile long measuredNanos;
    private volatile boolean isAsked;

    /**
     * @param lag measures once; may throw a {@link KafkaException}
     * @param nanos nanoseconds of a clock that only goes on
     * @param release closes what measuring needs
     */
    public LagWatch(LongSupplier lag, LongSupplier nanos, Runnable release) {
        this.lag = lag;
        this.nanos = nanos;
        this.release = release;
    }

    /** Has that called, by the thread that asks, when the lag should be {@linkplain #run measured} soon. */
    public void whenAsked(Runnable newSoon) {
        soon = newSoon;
    }

    /** Measures once if that is worth it: called at least each second. */
    @Override
    public synchronized void run() {
        if (isAsked || !isZero() || age() >= UNASKED.toNanos()) {
            isAsked = false;
            measure();
        }
    }

    private void measure() {
        try {
            measured = OptionalLong.of(lag.getAsLong());
        } catch (KafkaException e) {
            measured = OptionalLong.empty();
            LOG.atDebug().setCause(e).log("the lag of the input is not known");
        }
        measuredNanos = nanos.getAsLong();
    }

    private boolean isZero() {
        OptionalLong last = measured;
        return last.isPresent() && last.getAsLong() == 0;
    }

    private long age() {
        return nanos.getAsLong() - measuredNanos;
    }

    /** Records that were not taken at the last look; empty if that is not known. */
    public OptionalLong measured() {
        OptionalLong last = measured;
        if (!isAsked && age() >= FRESH.toNanos()) {
            isAsked = true;
            soon.run();
        }
        return last;
    }

    @Override
    public synchronized void close() {
        release.run();
    }
}
