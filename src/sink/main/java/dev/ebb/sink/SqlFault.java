package dev.ebb.sink;

import java.sql.SQLException;
import java.util.Objects;
import java.util.Set;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/**
 * Kinds of errors of PostgreSQL, by the classes of their codes
 * (https://www.postgresql.org/docs/17/errcodes-appendix.html).
 */
final class SqlFault {

    /**
     * Values, constraints, views with a check, sizes that a row may have, and exceptions of an operator's trigger: errors
     * of a row.
     */
    private static final Set<String> OF_ROWS = Set.of("22", "23", "44", "54", "P0");

    /**
     * Connections, conflicts of transactions, resources, locks, an operator's intervention, the system: errors that may
     * pass.
     */
    private static final Set<String> PASSING = Set.of("08", "40", "53", "55", "57", "58");

    private static final String DUPLICATE = "23505";

    private SqlFault() {}

    /** Returns true if a row is at fault, so that other rows may be written. */
    static boolean isOfRow(SQLException e) {
        return OF_ROWS.contains(classOf(e));
    }

    /** Returns true if the statement may succeed later. */
    static boolean mayPass(SQLException e) {
        return e.getSQLState() == null || PASSING.contains(classOf(e));
    }

    /** Returns true if a row with that key exists already. */
    static boolean isDuplicate(SQLException e) {
        return DUPLICATE.equals(e.getSQLState());
    }

    /** Returns the error without its detail and its context, which may contain a user's data. */
    static String message(SQLException e) {
        ServerErrorMessage server = e instanceof PSQLException error ? error.getServerErrorMessage() : null;
        String text = server == null ? e.getMessage() : server.getMessage();
        return text + " (" + e.getSQLState() + ")";
    }

    /**
     * Returns the error of a row without values of the row: messages on data quote the value, and a trigger may say
     * anything. Everyone who may see the status sees these reasons.
     */
    static String reason(SQLException e) {
        return switch (classOf(e)) {
            case "22" -> "a value does not fit its column or an index (" + e.getSQLState() + ")";
            case "23" -> "it violates " + constraint(e) + " (" + e.getSQLState() + ")";
            case "44", "P0" -> "a view or a trigger of the table refuses the row (" + e.getSQLState() + ")";
            default -> message(e);
        };
    }

    private static String constraint(SQLException e) {
        ServerErrorMessage server = e instanceof PSQLException error ? error.getServerErrorMessage() : null;
        String name = server == null ? null : server.getConstraint();
        String column = server == null ? null : server.getColumn();
        if (name != null) {
            return "the constraint " + name;
        }
        return column == null ? "a constraint" : "a constraint of the column " + column;
    }

    private static String classOf(SQLException e) {
        String state = Objects.requireNonNullElse(e.getSQLState(), "");
        return state.length() < 2 ? "" : state.substring(0, 2);
    }
}
