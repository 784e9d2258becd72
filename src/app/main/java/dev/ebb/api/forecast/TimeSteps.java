package dev.ebb.api.forecast;

import dev.ebb.api.http.ApiRoute;
import dev.ebb.api.http.ProblemException;
import dev.ebb.api.http.ProblemKind;
import dev.ebb.api.http.QueryParams;
import dev.ebb.domain.time.DateBound;
import dev.ebb.domain.time.Durations;
import dev.ebb.wire.ProblemView.Fault;
import dev.ebb.wire.forecast.BucketView;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Buckets of time that a request asks for. They begin at the first moment and have the length of the step; the last one
 * ends at the last moment and may be shorter. Immutable.
 *
 * @param stepMs length of a bucket, in milliseconds; 30 days for calendar months
 * @param bounds the times between the buckets, ascending, epoch milliseconds, at least two
 */
record TimeSteps(long stepMs, List<Long> bounds) {

    /** Most buckets of an answer. */
    static final int MOST = 1000;

    /** The last millisecond of the year 9999: later times can neither be read nor written. */
    private static final long END_OF_TIME = 253_402_300_799_999L;

    private static final Duration SHORTEST = Duration.ofMinutes(1);
    private static final int BY_DEFAULT = 30;

    private static final Map<String, Integer> USUAL = Map.of("hour", 48, "day", 30, "week", 26, "month", 12);

    TimeSteps {
        bounds = List.copyOf(bounds);
    }

    /** Direction in which the buckets lie. */
    enum Direction {
        /** From now on. */
        AHEAD,
        /** Up to now. */
        BACK
    }

    /** Adds the parameters of buckets to a route. */
    static ApiRoute onRoute(ApiRoute route, Direction direction) {
        boolean isAhead = direction == Direction.AHEAD;
        return route.query(
                        "from",
                        "Beginning of the first bucket. Default: "
                                + (isAhead
                                        ? "the beginning of this hour, day, week or month in UTC."
                                        : "48 hours, 30 days, 26 weeks, 12 months or 30 steps before 'to'."))
                .query(
                        "to",
                        "End of the last bucket, not included; a date means its end. Default: "
                                + (isAhead
                                        ? "48 hours, 30 days, 26 weeks, 12 months or 30 steps after 'from'."
                                        : "the end of this hour, day, week or month in UTC."))
                .query(
                        "step",
                        "Length of a bucket: hour, day, week, month, or a duration of at least a minute such as 6h."
                                + " Default: day. An answer has at most " + MOST + " buckets.");
    }

    /** Returns the buckets of a request; call it before {@link QueryParams#done}. */
    static TimeSteps of(QueryParams params, Direction direction, long nowMs) {
        String word = params.text("step", "day");
        Step step = step(word);
        Long from = params.moment("from", DateBound.BEGINNING);
        Long to = params.moment("to", DateBound.AFTER);
        params.done();
        if (step == null) {
            throw fault(
                    "step",
                    "must be hour, day, week, month or a duration of at least a minute such as 6h, was '" + word + "'");
        }
        ZonedDateTime start = step.startOf(time(nowMs));
        long begin;
        long end;
        if (direction == Direction.AHEAD) {
            begin = from == null ? ms(start) : from;
            end = to == null ? ms(step.plus(time(begin), step.usual())) : to;
        } else {
            end = to == null ? ms(step.plus(start, 1)) : to;
            begin = from == null ? Math.max(0, ms(step.plus(time(end), -step.usual()))) : from;
        }
        return new TimeSteps(step.ms(), bounds(step, begin, end));
    }

    List<BucketView> views() {
        return IntStream.range(1, bounds.size())
                .mapToObj(i -> new BucketView(bounds.get(i - 1), bounds.get(i)))
                .toList();
    }

    int count() {
        return bounds.size() - 1;
    }

    long fromMs() {
        return bounds.get(0);
    }

    long toMs() {
        return bounds.get(bounds.size() - 1);
    }

    private static List<Long> bounds(Step step, long fromMs, long toMs) {
        if (toMs > END_OF_TIME || fromMs >= toMs) {
            throw fault("to", fromMs >= toMs ? "must be after 'from'" : "must not be after the year 9999");
        }
        if ((toMs - fromMs - 1) / step.shortestMs() >= MOST + 1L) {
            throw tooMany(step, fromMs, toMs);
        }
        List<Long> bounds = new ArrayList<>();
        ZonedDateTime start = time(fromMs);
        long next = fromMs;
        while (next < toMs) {
            bounds.add(next);
            next = ms(step.plus(start, bounds.size()));
        }
        bounds.add(toMs);
        if (bounds.size() - 1 > MOST) {
            throw tooMany(step, fromMs, toMs);
        }
        return bounds;
    }

    private static ProblemException tooMany(Step step, long fromMs, long toMs) {
        return fault(
                "step",
                "makes more than " + MOST + " buckets between " + Instant.ofEpochMilli(fromMs) + " and "
                        + Instant.ofEpochMilli(toMs) + "; ask for a longer step than " + step.word()
                        + ", or for a shorter time");
    }

    private static ProblemException fault(String name, String what) {
        return new ProblemException(
                ProblemKind.BAD_REQUEST, "the query parameters are wrong", List.of(new Fault(name, what)));
    }

    private static @Nullable Step step(String word) {
        String unit = word.toLowerCase(Locale.ROOT);
        Integer usual = USUAL.get(unit);
        if (usual != null) {
            return new Step(unit, 0, usual);
        }
        try {
            long ms = Durations.parseMs(word);
            return ms < SHORTEST.toMillis() || ms > END_OF_TIME ? null : new Step(word, ms, BY_DEFAULT);
        } catch (IllegalArgumentException e) {
            throw fault("step", "must be hour, day, week, month or a duration such as 6h: " + e.getMessage());
        }
    }

    private static ZonedDateTime time(long ms) {
        return Instant.ofEpochMilli(Math.min(ms, END_OF_TIME)).atZone(ZoneOffset.UTC);
    }

    private static long ms(ZonedDateTime time) {
        return time.toInstant().toEpochMilli();
    }

    /**
     * Length of a bucket.
     *
     * @param word the word that the caller wrote
     * @param durationMs milliseconds; 0 for a word of the calendar
     * @param usual number of buckets if the caller names none
     */
    private record Step(String word, long durationMs, int usual) {

        private static final long HOUR_MS = Duration.ofHours(1).toMillis();
        private static final long DAY_MS = Duration.ofDays(1).toMillis();
        private static final int DAYS_OF_WEEK = 7;
        private static final int DAYS_OF_MONTH = 30;
        private static final int FEWEST_DAYS_OF_MONTH = 28;

        long ms() {
            return switch (word) {
                case "hour" -> HOUR_MS;
                case "day" -> DAY_MS;
                case "week" -> DAYS_OF_WEEK * DAY_MS;
                case "month" -> DAYS_OF_MONTH * DAY_MS;
                default -> durationMs;
            };
        }

        long shortestMs() {
            return word.equals("month") ? FEWEST_DAYS_OF_MONTH * DAY_MS : ms();
        }

        ZonedDateTime plus(ZonedDateTime time, int steps) {
            return word.equals("month") ? time.plusMonths(steps) : time(Math.max(0, TimeSteps.ms(time) + steps * ms()));
        }

        ZonedDateTime startOf(ZonedDateTime time) {
            return switch (word) {
                case "hour" -> time.truncatedTo(ChronoUnit.HOURS);
                case "day" -> time.truncatedTo(ChronoUnit.DAYS);
                case "week" ->
                    time.truncatedTo(ChronoUnit.DAYS).with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY));
                case "month" -> time.truncatedTo(ChronoUnit.DAYS).withDayOfMonth(1);
                default -> time(TimeSteps.ms(time) / durationMs * durationMs);
            };
        }
    }
}
