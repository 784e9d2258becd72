package dev.ebb.runtime.forecast;

import dev.ebb.domain.retention.RetentionDecider;
import dev.ebb.domain.retention.SweepReport.Tally;
import dev.ebb.port.forecast.ForecastQueries.DueStream;
import dev.ebb.store.read.StreamOutline;
import org.jspecify.annotations.Nullable;

/** Counts the events of one stream that fall due in a stretch of time. Used once. */
final class WithinTime implements DueParts.Listener {

    private final long fromMs;
    private final long toMs;
    private final long nowMs;
    private double events;
    private double bytes;
    private long firstMs = Long.MAX_VALUE;
    private long lastMs = -1;
    private boolean isExact = true;

    /**
     * @param toMs the millisecond behind the last one
     * @param nowMs the time at which events over a cap are due, epoch milliseconds
     */
    WithinTime(long fromMs, long toMs, long nowMs) {
        this.fromMs = fromMs;
        this.toMs = toMs;
        this.nowMs = nowMs;
    }

    @Override
    public void never(long someEvents, long someBytes) {
        // Never is outside the stretch.
    }

    @Override
    public void overdue(long someEvents, long someBytes) {
        if (fromMs <= nowMs && nowMs < toMs) {
            add(nowMs, nowMs, (double) someEvents, (double) someBytes);
        }
    }

    @Override
    public void due(long first, long last, long someEvents, long someBytes) {
        if (last == RetentionDecider.NEVER) {
            return;
        }
        long from = Math.max(first, fromMs);
        long to = Math.min(last, toMs - 1);
        isExact &= from > to || (from == first && to == last);
        if (from <= to) {
            double share = ((double) (to - from) + 1) / ((double) (last - first) + 1);
            add(from, to, share * someEvents, share * someBytes);
        }
    }

    /** Events that all fall due inside the stretch, or all outside it, leave the count exact. */
    @Override
    public void uncertain(long first, long last) {
        isExact &= last < fromMs || first >= toMs || (first >= fromMs && last < toMs);
    }

    private void add(long from, long to, double someEvents, double someBytes) {
        events += someEvents;
        bytes += someBytes;
        firstMs = Math.min(firstMs, from);
        lastMs = Math.max(lastMs, to);
    }

    boolean isExact() {
        return isExact;
    }

    /** Returns the stream with its events in that time; null if there are none. */
    @Nullable
    DueStream of(StreamOutline stream) {
        long rounded = Math.round(events);
        return rounded == 0
                ? null
                : new DueStream(
                        stream.stream(),
                        new Tally(rounded, Math.round(bytes)),
                        isExact,
                        firstMs,
                        lastMs,
                        new Tally(stream.events(), stream.bytes()));
    }
}
