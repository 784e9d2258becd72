package dev.ebb.port.history;

/**
 * A stretch of time, both ends in it.
 *
 * @param fromMs its first millisecond, epoch milliseconds, at least 0
 * @param toMs its last one, not before the first
 */
public record TimeRange(long fromMs, long toMs) {

    /** All of time. */
    public static final TimeRange ALWAYS = new TimeRange(0, Long.MAX_VALUE);

    public TimeRange {
        if (fromMs < 0 || toMs < fromMs) {
            throw new IllegalArgumentException("a stretch of time from " + fromMs + " to " + toMs + " is none");
        }
    }

    public boolean contains(long timeMs) {
        return fromMs <= timeMs && timeMs <= toMs;
    }
}
