package dev.ebb.runtime.history;

import dev.ebb.port.history.TimeRange;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Stretches of time in which to look for a record by its id. Stateless. */
final class HistoryTimes {

    private static final Pattern TIME = Pattern.compile("-(\\d{13})-");
    private static final Pattern SWEEP = Pattern.compile("sweep-\\d+-(\\d{13})-[0-9a-f]+");
    private static final long BEFORE_MS = Duration.ofMinutes(20).toMillis();
    private static final long AFTER_MS = Duration.ofHours(1).toMillis();

    private HistoryTimes() {}

    /**
     * Returns the time before which a sweep has deleted nothing; 0 for an id that Ebb has not created, which may mean
     * anything.
     */
    static long begin(String sweep) {
        Matcher matcher = SWEEP.matcher(sweep);
        return matcher.matches() ? Math.max(0, Long.parseLong(matcher.group(1)) - BEFORE_MS) : 0;
    }

    /** Returns the stretches of time to search in turn; the last one is all of time. */
    static List<TimeRange> likely(String id) {
        Matcher matcher = TIME.matcher(id);
        if (!matcher.find()) {
            return List.of(TimeRange.ALWAYS);
        }
        long timeMs = Long.parseLong(matcher.group(1));
        return List.of(new TimeRange(Math.max(0, timeMs - BEFORE_MS), timeMs + AFTER_MS), TimeRange.ALWAYS);
    }
}
