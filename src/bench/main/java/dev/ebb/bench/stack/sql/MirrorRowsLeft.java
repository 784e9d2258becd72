package dev.ebb.bench.stack.sql;

import dev.ebb.bench.harness.Contents;
import dev.ebb.bench.load.EventGenerator;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.event.StreamName;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Reads and empties the table of events. */
public final class MirrorRowsLeft {

    private MirrorRowsLeft() {}

    public static Contents contents(Connection connection) throws SQLException {
        return contents(connection, "event_id", "(extract(epoch FROM occurred_at) * 1000)::bigint", "event");
    }

    /** Returns the contents of a table of events with the names of its columns for id and time, in epoch milliseconds. */
    public static Contents contents(Connection connection, String id, String time, String table) throws SQLException {
        Contents all = Contents.NONE;
        String query = String.format("SELECT stream, %s, status, %s, payload FROM %s", id, time, table);
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            while (rows.next()) {
                all = all.plus(Contents.of(EventGenerator.event(
                        new StreamName(rows.getString(1)),
                        new EventId(rows.getString(2)),
                        rows.getString(3),
                        rows.getLong(4),
                        OwnTtl.NONE,
                        rows.getBytes(5))));
            }
        }
        return all;
    }

    public static void empty(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("TRUNCATE event");
        }
    }
}
