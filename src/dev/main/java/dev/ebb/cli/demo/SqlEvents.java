package dev.ebb.cli.demo;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Events in the table. */
final class SqlEvents {

    private static final String ALL = "SELECT stream, event_id FROM event";

    private SqlEvents() {}

    /** Returns all rows, sorted like {@link StoredEvents}; includes a duplicate row twice. */
    static List<EventRef> read(Connection sql) throws SQLException {
        List<EventRef> events = new ArrayList<>();
        try (Statement statement = sql.createStatement();
                ResultSet rows = statement.executeQuery(ALL)) {
            while (rows.next()) {
                events.add(new EventRef(rows.getString(1), rows.getString(2)));
            }
        }
        Collections.sort(events);
        return events;
    }
}
