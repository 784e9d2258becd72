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
import java.sql.Timestamp;

/** Reads and empties the table of events. */
public final class MirrorRowsLeft {

    private MirrorRowsLeft() {}

    public static Contents contents(Connection connection) throws SQLException {
        Contents all = Contents.NONE;
        try (Statement statement = connection.createStatement();
                ResultSet rows =
                        statement.executeQuery("SELECT stream, event_id, status, occurred_at, payload FROM event")) {
            while (rows.next()) {
                Timestamp occurredAt = rows.getTimestamp(4);
                all = all.plus(Contents.of(EventGenerator.event(
                        new StreamName(rows.getString(1)),
                        new EventId(rows.getString(2)),
                        rows.getString(3),
                        occurredAt.getTime(),
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
