package dev.ebb.sql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Times in PostgreSQL: exact to the microsecond, and infinite outside PostgreSQL's range. Stateless. */
final class SqlTime {

    private static final Instant LAST = Instant.parse("+294276-12-31T23:59:59.999999Z");
    private static final Instant FIRST = Instant.parse("-4712-01-01T00:00:00Z");

    private SqlTime() {}

    static @Nullable Instant read(ResultSet row, int column) throws SQLException {
        OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }

    /** Returns the time as a parameter; outside PostgreSQL's range, infinity on that side. */
    static OffsetDateTime of(Instant time) {
        if (time.isAfter(LAST)) {
            return OffsetDateTime.MAX;
        }
        return time.isBefore(FIRST) ? OffsetDateTime.MIN : time.atOffset(ZoneOffset.UTC);
    }

    /** Returns the time as a text for PostgreSQL. */
    static String text(Instant time) {
        if (time.isAfter(LAST)) {
            return "infinity";
        }
        return time.isBefore(FIRST) ? "-infinity" : text(time.atOffset(ZoneOffset.UTC));
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
