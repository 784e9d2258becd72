package dev.ebb.serde.mirror;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Locale;

/** Times of PostgreSQL, which are infinite outside its range, and their texts. Stateless. */
public final class SqlTimes {

    private static final Instant LAST = Instant.parse("+294276-12-31T23:59:59.999999Z");
    private static final Instant FIRST = Instant.parse("-4712-01-01T00:00:00Z");

    private SqlTimes() {}

    /** Returns true if the time is {@code infinity} in PostgreSQL. */
    public static boolean isInfinite(Instant time) {
        return time.isAfter(LAST);
    }

    /** Returns true if the time is {@code -infinity} in PostgreSQL. */
    public static boolean isMinusInfinite(Instant time) {
        return time.isBefore(FIRST);
    }

    /** Returns the time as a text for PostgreSQL. */
    public static String text(Instant time) {
        if (isInfinite(time)) {
            return "infinity";
        }
        return isMinusInfinite(time) ? "-infinity" : text(time.atOffset(ZoneOffset.UTC));
    }

    private static String text(OffsetDateTime utc) {
        int year = utc.getYear();
        return String.format(
                Locale.ROOT,
                "%04d-%02d-%02d %02d:%02d:%02d.%06d+00%s",
                year > 0 ? year : 1 - year,
                utc.getMonthValue(),
                utc.getDayOfMonth(),
                utc.getHour(),
                utc.getMinute(),
                utc.getSecond(),
                utc.getNano() / 1000,
                year > 0 ? "" : " BC");
    }
}
