package dev.ebb.sink;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;

/** The connection of a task, opened when it is needed and given up after a fault. Not thread-safe. */
final class SinkConnection implements AutoCloseable {

    private final SinkSettings settings;
    private @Nullable Connection connection;

    SinkConnection(SinkSettings settings) {
        this.settings = settings;
    }

    /** Returns the connection, without a transaction of its own for each statement. */
    Connection open() throws SQLException {
        Connection open = connection;
        if (open == null) {
            open = new Driver().connect(settings.url(), settings.driver());
            if (open == null) {
                throw new SinkTableException("connection.url is no JDBC address of PostgreSQL: " + settings.url());
            }
            connection = open;
            open.setAutoCommit(false);
            try (Statement statement = open.createStatement()) {
                // Planning a delete anew over all partitions takes longer than the delete.
                statement.execute("SET plan_cache_mode = force_generic_plan");
                // A bitmap reads a whole range before its first row: a limit would not end it.
                statement.execute("SET enable_bitmapscan = off");
            }
            open.commit();
        }
        return open;
    }

    static void rollback(Connection open) {
        try {
            open.rollback();
        } catch (SQLException e) {
            // The first error says more. The connection is given up together with it.
        }
    }

    /** Gives up the connection; the next use opens another one. */
    @Override
    public void close() {
        Connection open = connection;
        connection = null;
        if (open != null) {
            try {
                open.close();
            } catch (SQLException e) {
                // The connection was of no use any more.
            }
        }
    }
}
