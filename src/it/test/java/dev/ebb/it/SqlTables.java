package dev.ebb.it;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Tables as PostgreSQL shows them. */
record SqlTables(List<EventRow> events, List<String> audits) {

    static SqlTables read(Connection sql) throws SQLException {
        return new SqlTables(events(sql), audits(sql));
    }

    /** A line for each record of a run of deletes, in the form of {@link Deletions#audits}. */
    private static List<String> audits(Connection sql) throws SQLException {
        return query(
                sql,
                "SELECT audit_id, stream, cause, scope, coalesce(policy_version, -1), events, bytes"
                        + " FROM retention_audit WHERE kind = 'DELETE'",
                row -> row.getString(1) + " " + row.getString(2) + " " + row.getString(3) + " " + row.getString(4) + " "
                        + row.getLong(5) + " " + row.getLong(6) + " " + row.getLong(7));
    }

    private static List<EventRow> events(Connection sql) throws SQLException {
        return query(sql, "SELECT " + EventRow.COLUMNS + " FROM event", EventRow::ofSql);
    }

    private static <T> List<T> query(Connection sql, String query, Reader<T> reader) throws SQLException {
        List<T> found = new ArrayList<>();
        try (Statement statement = sql.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            while (rows.next()) {
                found.add(reader.read(rows));
            }
        }
        return found;
    }

    private interface Reader<T> {
        T read(ResultSet row) throws SQLException;
    }
}
