package dev.ebb.runtime.forecast;

import dev.ebb.domain.retention.RetentionDecider;
import dev.ebb.domain.retention.SweepReport.Tally;
import dev.ebb.port.forecast.ForecastQueries.Due;
import dev.ebb.port.forecast.ForecastQueries.Sums;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Adds up events by the time at which they fall due. Where only the first and the last time of events are known, the
 * events are spread evenly between the two; the sum over all times is right in any case. The cost of adding a stretch
 * does not depend on the number of buckets that it covers. Not thread-safe.
 */
final class Spread implements DueParts.Listener {

    private final long nowMs;
    private final long[] bounds;
    private final double[] events;
    private final double[] bytes;
    private final double[] eventDensity;
    private final double[] byteDensity;
    private final int[] inexact;
    private Tally stored = Tally.ZERO;
    private double overdueEvents;
    private double overdueBytes;
    private Tally never = Tally.ZERO;

    /**
     * @param nowMs time of the forecast, epoch milliseconds; events whose last millisecond is before it are overdue
     * @param bounds the times between the buckets, ascending
     */
    Spread(long nowMs, List<Long> bounds) {
        this.nowMs = nowMs;
        this.bounds = bounds.stream().mapToLong(Long::longValue).toArray();
        // One place before the first bucket, and one behind the last.
        int places = this.bounds.length + 1;
        this.events = new double[places];
        this.bytes = new double[places];
        this.eventDensity = new double[places + 1];
        this.byteDensity = new double[places + 1];
        this.inexact = new int[places + 1];
    }

    void stored(long someEvents, long someBytes) {
        stored = stored.plus(someEvents, someBytes);
    }

    @Override
    public void never(long someEvents, long someBytes) {
        never = never.plus(someEvents, someBytes);
    }

    @Override
    public void overdue(long someEvents, long someBytes) {
        overdueEvents += someEvents;
        overdueBytes += someBytes;
    }

    @Override
    public void due(long firstMs, long lastMs, long someEvents, long someBytes) {
        if (lastMs == RetentionDecider.NEVER) {
            never(someEvents, someBytes);
            return;
        }
        double length = (double) (lastMs - firstMs) + 1;
        if (firstMs < nowMs) {
            double share = Math.min(length, (double) (nowMs - firstMs)) / length;
            overdueEvents += share * someEvents;
            overdueBytes += share * someBytes;
        }
        if (lastMs >= nowMs) {
            spread(Math.max(firstMs, nowMs), lastMs, someEvents / length, someBytes / length);
        }
        uncertain(firstMs, lastMs);
    }

    /** Where all of these events fall into one bucket, that bucket stays exact. */
    @Override
    public void uncertain(long firstMs, long lastMs) {
        if (lastMs < nowMs) {
            return;
        }
        int first = placeOf(Math.max(firstMs, nowMs));
        int last = placeOf(lastMs);
        if (firstMs < nowMs || first != last) {
            inexact[first]++;
            inexact[last + 1]--;
        }
    }

    /** Adds events from one millisecond to another, both inclusive. */
    private void spread(long from, long to, double eventsEach, double bytesEach) {
        int first = placeOf(from);
        int last = placeOf(to);
        if (first == last) {
            add(first, to - from + 1.0, eventsEach, bytesEach);
        } else {
            add(first, (double) (bounds[first] - from), eventsEach, bytesEach);
            add(last, to - bounds[last - 1] + 1.0, eventsEach, bytesEach);
            eventDensity[first + 1] += eventsEach;
            eventDensity[last] -= eventsEach;
            byteDensity[first + 1] += bytesEach;
            byteDensity[last] -= bytesEach;
        }
    }

    private void add(int place, double length, double eventsEach, double bytesEach) {
        events[place] += length * eventsEach;
        bytes[place] += length * bytesEach;
    }

    /** Returns 0 before the first bucket, 1 in it, and so on. */
    private int placeOf(long timeMs) {
        int found = Arrays.binarySearch(bounds, timeMs);
        return found >= 0 ? found + 1 : -found - 1;
    }

    Sums sums() {
        int places = bounds.length + 1;
        List<Due> due = new ArrayList<>(places);
        Rounding rounding = new Rounding();
        Tally overdue = rounding.next(overdueEvents, overdueBytes);
        double density = 0;
        double densityOfBytes = 0;
        int uncertain = 0;
        Tally sooner = Tally.ZERO;
        Tally later = Tally.ZERO;
        for (int place = 0; place < places; place++) {
            density += eventDensity[place];
            densityOfBytes += byteDensity[place];
            uncertain += inexact[place];
            boolean isBucket = place > 0 && place < places - 1;
            double length = isBucket ? bounds[place] - bounds[place - 1] : 0;
            Tally tally = rounding.next(events[place] + length * density, bytes[place] + length * densityOfBytes);
            if (place == 0) {
                sooner = tally;
            } else if (isBucket) {
                due.add(new Due(tally, uncertain == 0));
            } else {
                later = tally;
            }
        }
        return new Sums(stored, overdue, sooner, due, later, never);
    }

    /** Rounds a sequence of numbers so that their sum is the rounded sum. */
    private static final class Rounding {

        private double exactEvents;
        private double exactBytes;
        private long toldEvents;
        private long toldBytes;

        Tally next(double someEvents, double someBytes) {
            exactEvents += someEvents;
            exactBytes += someBytes;
            // Rounding may leave a sum a little below the number that was counted.
            Tally tally = new Tally(
                    Math.max(0, Math.round(exactEvents) - toldEvents), Math.max(0, Math.round(exactBytes) - toldBytes));
            toldEvents += tally.events();
            toldBytes += tally.bytes();
            return tally;
        }
    }
}
