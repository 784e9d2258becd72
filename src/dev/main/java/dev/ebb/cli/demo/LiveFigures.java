package dev.ebb.cli.demo;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.client.RestApi;
import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.outcome.CommandFailure;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Figures of one moment.
 *
 * @param status the status of the application; an empty object if there is none
 * @param sqlRows the number of rows in the table of events, by namespace
 * @param latest the latest deletions, newest first, from the audit in SQL
 */
record LiveFigures(JsonNode status, Map<String, Long> sqlRows, List<Removal> latest) {

    private static final String ROWS = "SELECT namespace, count(*) FROM event GROUP BY namespace";
    private static final String LATEST = "SELECT deleted_at, cause, stream, events, scope FROM retention_audit"
            + " WHERE kind = 'DELETE' ORDER BY deleted_at DESC LIMIT 6";

    /**
     * A run of deletes of one stream.
     *
     * @param scope the scope of the policy
     */
    record Removal(Instant at, String cause, String stream, long events, String scope) {}

    /** Asks the application and PostgreSQL; a service that does not answer contributes nothing. */
    static LiveFigures read(RestApi api, DemoStack stack) {
        Map<String, Long> rows = new TreeMap<>();
        List<Removal> latest = new ArrayList<>();
        try (Connection sql = stack.sql();
                Statement statement = sql.createStatement()) {
            readRows(statement, rows);
            readLatest(statement, latest);
        } catch (SQLException e) {
            latest.clear();
        }
        return new LiveFigures(status(api), rows, latest);
    }

    long allSqlRows() {
        return sqlRows.values().stream().mapToLong(Long::longValue).sum();
    }

    private static JsonNode status(RestApi api) {
        try {
            return api.get(RestPath.of("v1", "status"));
        } catch (CommandFailure e) {
            return Json.object();
        }
    }

    private static void readRows(Statement statement, Map<String, Long> rows) throws SQLException {
        try (ResultSet result = statement.executeQuery(ROWS)) {
            while (result.next()) {
                rows.put(result.getString(1), result.getLong(2));
            }
        }
    }

    private static void readLatest(Statement statement, List<Removal> latest) throws SQLException {
        try (ResultSet result = statement.executeQuery(LATEST)) {
            while (result.next()) {
                latest.add(new Removal(
                        result.getTimestamp(1).toInstant(),
                        result.getString(2),
                        result.getString(3),
                        result.getLong(4),
                        result.getString(5)));
            }
        }
    }
}
