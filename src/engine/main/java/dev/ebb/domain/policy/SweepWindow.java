package dev.ebb.domain.policy;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The part of the day in which sweeps may run, by the wall clock of a zone: from its start, inclusive, to its end,
 * exclusive. It may cross midnight. A start that the clock skips when it is put forward takes effect at that moment;
 * hours that occur twice when it is put back count twice. Immutable.
 */
public final class SweepWindow {

    /** No window: sweeps may always run. */
    public static final SweepWindow ALWAYS = new SweepWindow(null);

    /** Opening time of a window that does not open again. */
    public static final long NEVER = Long.MAX_VALUE;

    private static final String NONE = "none";
    private static final String EXAMPLE = "write for example '22:00-06:00 Europe/Berlin', or none";
    private static final String TIME = "\\d\\d:\\d\\d(?::\\d\\d)?";
    private static final Pattern TEXT = Pattern.compile("(" + TIME + ")\\s*-\\s*(" + TIME + ")(?:\\s+(\\S+))?");
    private static final Pattern MIDNIGHT = Pattern.compile("24:00(?::00)?");

    private final @Nullable Hours hours;

    private SweepWindow(@Nullable Hours hours) {
        this.hours = hours;
    }

    /**
     * @throws IllegalArgumentException if start and end are equal, since such a window never opens, or if they are not
     *     whole seconds
     */
    public static SweepWindow of(LocalTime start, LocalTime end, ZoneId zone) {
        if (!isWholeSecond(start) || !isWholeSecond(end)) {
            throw new IllegalArgumentException("a window begins and ends at a whole second");
        }
        if (start.equals(end)) {
            throw new IllegalArgumentException(
                    "the window is empty, it ends when it begins, at " + start + "; write none for always");
        }
        return new SweepWindow(new Hours(start, end, zone));
    }

    /**
     * Returns the window of a text like {@code 22:00-06:00 Europe/Berlin}, or {@code none}. Times may have seconds; an
     * end of {@code 24:00} is midnight.
     *
     * @throws IllegalArgumentException if the text is not a window, is an empty window, or names an unknown zone; the
     *     message describes a valid window
     */
    public static SweepWindow parse(String text) {
        String stripped = text.strip();
        if (stripped.equalsIgnoreCase(NONE)) {
            return ALWAYS;
        }
        Matcher matcher = TEXT.matcher(stripped);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("'" + text + "' is not a window; " + EXAMPLE);
        }
        if (matcher.group(3) == null) {
            throw new IllegalArgumentException("'" + text + "' names no zone; " + EXAMPLE);
        }
        String end = MIDNIGHT.matcher(matcher.group(2)).matches() ? "00:00" : matcher.group(2);
        return of(time(matcher.group(1)), time(end), zone(matcher.group(3)));
    }

    private static LocalTime time(String text) {
        try {
            return LocalTime.parse(text);
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException("'" + text + "' is not a time of day; " + EXAMPLE, e);
        }
    }

    private static ZoneId zone(String text) {
        try {
            return ZoneId.of(text);
        } catch (DateTimeException e) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not a known zone; write one like Europe/Berlin, UTC or +02:00", e);
        }
    }

    private static boolean isWholeSecond(LocalTime time) {
        return time.equals(time.truncatedTo(ChronoUnit.SECONDS));
    }

    /** Returns true if there is no window. */
    public boolean isAlways() {
        return hours == null;
    }

    /** Returns true if sweeps may run at the given time, epoch milliseconds. */
    public boolean isOpen(long nowMs) {
        return hours == null || hours.contains(nowMs);
    }

    /**
     * Returns the first millisecond, from this one on, at which sweeps may run; {@link #NEVER} if no calendar goes that
     * far.
     */
    public long nextOpenMs(long nowMs) {
        return hours == null ? nowMs : hours.nextOpenMs(nowMs);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SweepWindow that && Objects.equals(hours, that.hours);
    }

    @Override
    public int hashCode() {
        return Objects.hashCode(hours);
    }

    /** Returns the text that {@link #parse} reads. */
    @Override
    public String toString() {
        return hours == null ? NONE : hours.start() + "-" + hours.end() + " " + hours.zone();
    }

    private record Hours(LocalTime start, LocalTime end, ZoneId zone) {

        private static final long NANOS_PER_MS = 1_000_000;
        private static final long MS_PER_DAY = 86_400_000;

        /** After this time, the next change of the offset may be too late for a long. */
        private static final long LAST_MS = Long.MAX_VALUE - 1000 * MS_PER_DAY;

        boolean contains(long nowMs) {
            LocalTime time = timeAt(nowMs);
            boolean isAfterStart = !time.isBefore(start);
            boolean isBeforeEnd = time.isBefore(end);
            return start.isBefore(end) ? isAfterStart && isBeforeEnd : isAfterStart || isBeforeEnd;
        }

        /**
         * Returns the first millisecond from the given one on at which the window is open. Between two changes of the
         * offset the wall clock runs evenly, so only the start of the window or a change can open it.
         */
        long nextOpenMs(long nowMs) {
            if (nowMs > LAST_MS) {
                return NEVER;
            }
            long fromMs = nowMs;
            while (!contains(fromMs)) {
                long edgeMs = fromMs + Math.floorMod(msOf(start) - msOf(timeAt(fromMs)), MS_PER_DAY);
                ZoneOffsetTransition change = zone.getRules().nextTransition(Instant.ofEpochMilli(fromMs));
                fromMs = change == null
                        ? edgeMs
                        : Math.min(edgeMs, change.getInstant().toEpochMilli());
            }
            return fromMs;
        }

        private LocalTime timeAt(long ms) {
            return Instant.ofEpochMilli(ms).atZone(zone).toLocalTime();
        }

        private static long msOf(LocalTime time) {
            return time.toNanoOfDay() / NANOS_PER_MS;
        }
    }
}
