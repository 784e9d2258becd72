package dev.ebb.runtime.watch;

import dev.ebb.runtime.kafka.KafkaProblem;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;

/**
 * Measures a lag again and again, so that others can read it from memory. A lag without readers is measured rarely: at
 * the usual load this question cost the broker more than the events. Its methods may be called by any thread.
 */
public final class LagWatch implements Runnable, AutoCloseable {

    /** Age at which a lag is measured again once it is read; the next reader gets the new one. */
    static final Duration FRESH = Duration.ofSeconds(1);

    /** Time after which a lag is measured again although no caller has read it. */
    static final Duration UNASKED = Duration.ofSeconds(5);

    private final LongSupplier lag;
    private final Presence broker;
    private final LongSupplier nanos;
    private final Runnable release;
    private volatile Runnable soon = () -> {};
    private volatile OptionalLong measured = OptionalLong.empty();
    private volatile long measuredNanos;

    /** The beginning of the last measurement; guarded by this object. */
    private long begunNanos;

    private volatile boolean isAsked;

    /** Guards the end of measurements for those who wait for one. */
    private final Object ends = new Object();

    /** The beginning of the last measurement that has ended; guarded by {@link #ends}. */
    private long endedNanos;

    /**
     * @param lag measures once; may throw a {@link KafkaException}
     * @param broker the broker that is asked
     * @param nanos nanoseconds of a monotonic clock
     * @param release closes the resources of the measurement
     */
    public LagWatch(LongSupplier lag, Presence broker, LongSupplier nanos, Runnable release) {
        this.lag = lag;
        this.broker = broker;
        this.nanos = nanos;
        this.release = release;
        this.begunNanos = nanos.getAsLong() - 1;
        this.endedNanos = begunNanos;
    }

    /** Sets the action that a reader's thread runs when the lag should be {@linkplain #run measured} soon. */
    public void whenAsked(Runnable newSoon) {
        soon = newSoon;
    }

    /** Measures once if needed; to be called at least each second. */
    @Override
    public synchronized void run() {
        if (isAsked || measured.isEmpty() || age() >= UNASKED.toNanos()) {
            isAsked = false;
            measure();
        }
    }

    private void measure() {
        begunNanos = nanos.getAsLong();
        try {
            measureOnce();
        } finally {
            synchronized (ends) {
                endedNanos = begunNanos;
                ends.notifyAll();
            }
        }
    }

    private void measureOnce() {
        try {
            measured = OptionalLong.of(lag.getAsLong());
            broker.answered();
        } catch (InterruptException e) {
            // The end of this instance says nothing about the broker.
            throw e;
        } catch (KafkaException e) {
            measured = OptionalLong.empty();
            if (KafkaProblem.isRefusal(e)) {
                broker.refused(KafkaProblem.text(e));
            } else {
                broker.gaveNoAnswer(KafkaProblem.text(e));
            }
        }
        measuredNanos = nanos.getAsLong();
    }

    /** Returns why the broker gave no answer at the last measurements, at least two; null if it gave one. */
    public @Nullable String problem() {
        return broker.problem();
    }

    private long age() {
        return nanos.getAsLong() - measuredNanos;
    }

    /** Returns the number of records that were not taken at the last measurement; empty if not known. */
    public OptionalLong measured() {
        OptionalLong last = measured;
        if (age() >= FRESH.toNanos()) {
            ask();
        }
        return last;
    }

    private void ask() {
        if (!isAsked) {
            isAsked = true;
            soon.run();
        }
    }

    /**
     * Returns a lag that was measured after this call, as {@link #measureNow} does, or the last one if the broker takes
     * longer than the limit: for an answer that has all else that it needs, and must not wait for a broker.
     */
    public OptionalLong measureWithin(Duration limit) {
        long askedNanos = nanos.getAsLong();
        ask();
        if (broker.problem() != null) {
            return measured;
        }
        long untilNanos = System.nanoTime() + limit.toNanos();
        try {
            synchronized (ends) {
                while (endedNanos - askedNanos < 0 && untilNanos - System.nanoTime() > 0) {
                    TimeUnit.NANOSECONDS.timedWait(ends, untilNanos - System.nanoTime());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return measured;
    }

    /**
     * Measures the lag now, and returns it; empty if not known. For an answer that must not be older than its question:
     * a person who has just sent records asks whether all are taken in. Waits for the broker, which answers within the
     * time-outs of its client, unless it gave no answer lately; questions at the same time share a measurement.
     */
    public OptionalLong measureNow() {
        long askedNanos = nanos.getAsLong();
        if (broker.problem() != null) {
            return measured();
        }
        synchronized (this) {
            if (begunNanos - askedNanos < 0) {
                measure();
            }
            return measured;
        }
    }

    @Override
    public synchronized void close() {
        release.run();
    }
}
