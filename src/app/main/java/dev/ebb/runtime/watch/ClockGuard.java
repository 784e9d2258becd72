package dev.ebb.runtime.watch;

import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.time.Durations;
import dev.ebb.topology.observe.ClockWatch;
import java.time.Clock;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Compares the clock of this instance with the broker's time, and with a time that cannot be set (O-7). Thread-safe.
 *
 * <p>The broker made its answer at some moment between request and response, so the difference is taken from the nearer
 * of the two: it never exceeds the real one, however long the way was. Between two answers, the clock must go as fast
 * as {@code nanoTime}: any other movement counts as part of the difference at once.
 */
public final class ClockGuard implements ClockWatch {

    private static final long NANOS_PER_MS = 1_000_000;
    private static final int MISSED_ANSWERS = 10;

    private final long limitMs;
    private final long patienceMs;
    private final Clock clock;
    private final LongSupplier nanoTime;
    private volatile @Nullable Answer last;

    /**
     * Creates a guard that trusts no clock before the first answer.
     *
     * @param limitMs difference in milliseconds above which there is a problem; none if no difference is one
     * @param interval time between two requests to the broker. An answer is valid for ten intervals, or for as long as
     *     the limit if that is more
     */
    public ClockGuard(Limit limitMs, Duration interval, Clock clock, LongSupplier nanoTime) {
        this.limitMs = limitMs.value();
        this.patienceMs = Math.max(this.limitMs, MISSED_ANSWERS * interval.toMillis());
        this.clock = clock;
        this.nanoTime = nanoTime;
    }

    /** Returns the present moment, for a request to the broker. */
    public Moment now() {
        return new Moment(clock.millis(), nanoTime.getAsLong());
    }

    /**
     * Takes an answer.
     *
     * @param asked the moment of the request
     * @param brokerMs the broker's time when it took the request, epoch milliseconds
     */
    public void answered(Moment asked, long brokerMs) {
        long latestMs = asked.wallMs() + msSince(asked) + 1;
        long difference = 0;
        if (brokerMs < asked.wallMs()) {
            difference = asked.wallMs() - brokerMs;
        } else if (brokerMs > latestMs) {
            difference = latestMs - brokerMs;
        }
        last = new Answer(asked, difference);
    }

    @Override
    public @Nullable String problem() {
        if (limitMs == Long.MAX_VALUE) {
            return null;
        }
        Answer answer = last;
        return answer == null ? "the broker has not told its time yet" : problem(answer);
    }

    @Override
    public long trusted(long nowMs) {
        Answer answer = last;
        if (answer == null || limitMs == Long.MAX_VALUE) {
            return nowMs;
        }
        long step = stepMs(answer, nowMs);
        long difference = answer.differenceMs() + step;
        return isTooMuch(step) || isTooMuch(difference) ? nowMs - difference : nowMs;
    }

    /**
     * Returns the least lead of the clock over the broker's clock, in milliseconds, negative if behind; empty if not
     * known.
     */
    public OptionalLong differenceMs() {
        Answer answer = last;
        return answer == null
                ? OptionalLong.empty()
                : OptionalLong.of(answer.differenceMs() + stepMs(answer, clock.millis()));
    }

    private @Nullable String problem(Answer answer) {
        long step = stepMs(answer, clock.millis());
        if (isTooMuch(step)) {
            return "the clock of this instance has stepped " + text(step) + (step > 0 ? " forward" : " back");
        }
        long difference = answer.differenceMs() + step;
        if (isTooMuch(difference)) {
            return "the clock of this instance is " + text(difference) + (difference > 0 ? " ahead of" : " behind")
                    + " the broker's";
        }
        long silentMs = msSince(answer.asked());
        return silentMs > patienceMs ? "the broker has not told its time for " + text(silentMs) : null;
    }

    /** Returns the lead of the clock over the time that has passed, in milliseconds. */
    private long stepMs(Answer answer, long wallMs) {
        return wallMs - answer.asked().wallMs() - msSince(answer.asked());
    }

    private long msSince(Moment moment) {
        return (nanoTime.getAsLong() - moment.nanos()) / NANOS_PER_MS;
    }

    private boolean isTooMuch(long differenceMs) {
        return Math.abs(differenceMs) > limitMs;
    }

    /** Formats a time to the second, or to the minute where seconds no longer matter. */
    private static String text(long ms) {
        long seconds = Math.abs(ms) / 1000;
        long rounded = seconds < 600 ? seconds : seconds - seconds % 60;
        return rounded == 0 ? Math.abs(ms) + "ms" : Durations.format(rounded * 1000);
    }

    /**
     * A moment by two clocks.
     *
     * @param wallMs the time by the clock that can be set, epoch milliseconds
     * @param nanos the time by the monotonic clock
     */
    record Moment(long wallMs, long nanos) {}

    private record Answer(Moment asked, long differenceMs) {}
}
