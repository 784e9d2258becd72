package dev.ebb.sql;

import dev.ebb.serde.mirror.SqlTimes;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/** Times in PostgreSQL: exact to the microsecond, and infinite outside PostgreSQL's range. Stateless. */
final class SqlTime {

    private SqlTime() {}

    static @Nullable Instant read(ResultSet row, int column) throws SQLException {
        OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }

    /** Returns the time as a parameter; outside PostgreSQL's range, infinity on that side. */
    static OffsetDateTime of(Instant time) {
        if (SqlTimes.isInfinite(time)) {
            return OffsetDateTime.MAX;
        }
        return SqlTimes.isMinusInfinite(time) ? OffsetDateTime.MIN : time.atOffset(ZoneOffset.UTC);
    }
}
