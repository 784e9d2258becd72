package dev.ebb.sql;

import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** Determines which months of the table of events need a partition, and which no longer do. Months are in UTC. */
final class PartitionPlan {

    /** Number of months after the current one that have a partition too. */
    static final int MONTHS_AHEAD = 3;

    /** Time after the end of a month in which rows of that month may still arrive. */
    private static final Duration GRACE = Duration.ofDays(1);

    private static final Pattern NAME = Pattern.compile("event_(\\d{4})_(0[1-9]|1[0-2])");

    private PartitionPlan() {}

    static List<YearMonth> needed(Instant now) {
        YearMonth current = monthOf(now);
        return IntStream.rangeClosed(0, MONTHS_AHEAD)
                .mapToObj(current::plusMonths)
                .toList();
    }

    /** Returns the months that have ended, the oldest first. */
    static List<YearMonth> past(Collection<YearMonth> existing, Instant now) {
        YearMonth oldestNeeded = monthOf(now.minus(GRACE));
        return existing.stream()
                .filter(month -> month.isBefore(oldestNeeded))
                .sorted()
                .toList();
    }

    /**
     * Returns the month of a partition by its name; empty for the default partition and for tables of other programs.
     */
    static Optional<YearMonth> monthOf(String table) {
        Matcher matcher = NAME.matcher(table);
        return matcher.matches()
                ? Optional.of(YearMonth.of(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2))))
                : Optional.empty();
    }

    private static YearMonth monthOf(Instant time) {
        return YearMonth.from(time.atOffset(ZoneOffset.UTC));
    }
}
