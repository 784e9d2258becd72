package dev.ebb.port.history;

/**
 * A range of time, both ends included.
 *
 * @param fromMs its first millisecond, epoch milliseconds, at least 0
 * @param toMs its last millisecond, not before the first
 */
public record TimeRange(long fromMs, long toMs) {

    /** The range of all times. */
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
