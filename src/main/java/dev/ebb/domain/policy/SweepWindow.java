package dev.ebb.domain.policy;

import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/**
 * The part of the day in which sweeps may run, by the wall clock of a zone: from its start, inclusive, to its end,
 * exclusive. It may cross midnight. Immutable.
 */
public final class SweepWindow {

    /** No window: sweeps may always run. */
    public static final SweepWindow ALWAYS = new SweepWindow(null);

    private final @Nullable Hours hours;

    private SweepWindow(@Nullable Hours hours) {
        this.hours = hours;
    }

    /** @throws IllegalArgumentException if start and end are the same: such a window is never open */
    public static SweepWindow of(LocalTime start, LocalTime end, ZoneId zone) {
        if (start.equals(end)) {
            throw new IllegalArgumentException("the window is empty: it ends when it begins, at " + start);
        }
        return new SweepWindow(new Hours(start, end, zone));
    }

    /** Whether there is no window. */
    public boolean isAlways() {
        return hours == null;
    }

    /** Whether sweeps may run at that time, epoch milliseconds. */
    public boolean isOpen(long nowMs) {
        return hours == null
                || hours.contains(
                        Instant.ofEpochMilli(nowMs).atZone(hours.zone()).toLocalTime());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SweepWindow that && java.util.Objects.equals(hours, that.hours);
    }

    @Override
    public int hashCode() {
        return java.util.Objects.hashCode(hours);
    }

    @Override
    public String toString() {
        return hours == null ? "none" : hours.start() + "-" + hours.end() + " " + hours.zone();
    }

    private record Hours(LocalTime start, LocalTime end, ZoneId zone) {

        boolean contains(LocalTime time) {
            boolean isAfterStart = !time.isBefore(start);
            boolean isBeforeEnd = time.isBefore(end);
            return start.isBefore(end) ? isAfterStart && isBeforeEnd : isAfterStart || isBeforeEnd;
        }
    }
}
