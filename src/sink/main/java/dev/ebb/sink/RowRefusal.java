package dev.ebb.sink;

import java.sql.SQLException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The reason why a change cannot be written, without any value of its row.
 *
 * @param code the error code of PostgreSQL; null if the record is no row of the table
 */
record RowRefusal(@Nullable String code, String reason) {

    static RowRefusal of(BadRowException e) {
        return new RowRefusal(null, Objects.requireNonNullElse(e.getMessage(), "it is no row"));
    }

    static RowRefusal of(SQLException e) {
        return new RowRefusal(e.getSQLState(), SqlFault.reason(e));
    }
}
