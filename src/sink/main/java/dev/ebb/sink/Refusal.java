package dev.ebb.sink;

import java.sql.SQLException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The reason why a change cannot be written, without any value of its row.
 *
 * @param code the error code of PostgreSQL; null if the record is no row of the table
 */
record Refusal(@Nullable String code, String reason) {

    static Refusal of(BadRowException e) {
        return new Refusal(null, Objects.requireNonNullElse(e.getMessage(), "it is no row"));
    }

    static Refusal of(SQLException e) {
        return new Refusal(e.getSQLState(), SqlFault.reason(e));
    }
}
