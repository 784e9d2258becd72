package dev.ebb.bench.stack.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** A way in which a database deletes all rows of terminal statuses. */
@FunctionalInterface
public interface SqlDelete {

    /**
     * Deletes the rows.
     *
     * @param connection commits each statement
     * @return the number of deleted rows
     */
    long run(Connection connection) throws SQLException;

    /**
     * Returns a loop of batches that ends when one deletes nothing.
     *
     * @param batch deletes one batch; its parameter is the time before which rows go
     */
    static SqlDelete loop(String batch) {
        return connection -> {
            long deleted = 0;
            try (PreparedStatement statement = connection.prepareStatement(batch)) {
                statement.setLong(1, System.currentTimeMillis());
                for (int rows = statement.executeUpdate(); rows > 0; rows = statement.executeUpdate()) {
                    deleted += rows;
                }
            }
            return deleted;
        };
    }

    /**
     * Returns a loop of batches, each of which begins where the one before ended, so that none walks over the dead
     * index entries of the others.
     *
     * @param batch deletes one batch and returns the number of its rows and their latest time; its parameters are the
     *     time from which rows go and the time before which they go
     */
    static SqlDelete cursor(String batch) {
        return connection -> {
            long deleted = 0;
            long from = Long.MIN_VALUE;
            try (PreparedStatement statement = connection.prepareStatement(batch)) {
                statement.setLong(2, System.currentTimeMillis());
                while (true) {
                    statement.setLong(1, from);
                    try (ResultSet gone = statement.executeQuery()) {
                        gone.next();
                        if (gone.getLong(1) == 0) {
                            return deleted;
                        }
                        deleted += gone.getLong(1);
                        from = gone.getLong(2);
                    }
                }
            }
        };
    }

    /**
     * Returns one statement without a parameter.
     *
     * @param count counts the rows beforehand; empty if the statement itself returns the number
     */
    static SqlDelete once(String count, String statement) {
        return connection -> {
            try (Statement one = connection.createStatement()) {
                if (count.isEmpty()) {
                    return one.executeUpdate(statement);
                }
                try (ResultSet rows = one.executeQuery(count)) {
                    rows.next();
                    long deleted = rows.getLong(1);
                    one.execute(statement);
                    return deleted;
                }
            }
        };
    }
}
