package dev.ebb.it;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.cli.CommandRun;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.client.RestPath;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Does to the mirror what should not be done to it, and asks {@code ebb verify} about it. */
final class MirrorHealing {

    static final String STREAM = "healing/a";

    private final RunningStack stack;

    MirrorHealing(RunningStack stack) {
        this.stack = stack;
    }

    /** Stores events that stay, and two executions; returns when the mirror has them. */
    void store() throws Exception {
        ArrayNode records = Json.object().putArray("records");
        for (int i = 0; i < 6; i++) {
            records.addObject()
                    .put("id", "e" + i)
                    .put("type", "test")
                    .put("status", "pending")
                    .put("payload", "content " + i)
                    .putObject("metadata")
                    .put("b", "2")
                    .put("a", "😀");
        }
        for (int i = 1; i <= 2; i++) {
            records.addObject().put("execution", i).put("status", "running");
        }
        stack.api().post(RestPath.of("v1", "streams", STREAM, "events"), records);
        Await.until("the rows to be in SQL", () -> {
            String rows = text("SELECT (SELECT count(*) FROM event WHERE stream = '" + STREAM + "') || ' '"
                    + " || (SELECT count(*) FROM execution WHERE stream = '" + STREAM + "')");
            return rows.equals("6 2") ? "" : rows;
        });
    }

    /** One row of each kind of damage; returns what is to be named, sorted. */
    List<String> damage() throws SQLException {
        String of = " WHERE stream = '" + STREAM + "' AND event_id = ";
        execute("DELETE FROM event" + of + "'e0'");
        execute("UPDATE event SET payload = payload || '!'::bytea, metadata = '{\"a\": \"1\"}'" + of + "'e1'");
        execute("UPDATE event SET stored_at = stored_at - interval '2 months'" + of + "'e2'");
        execute("UPDATE event SET ttl_seconds = 1, completed_at = now(), status = NULL" + of + "'e3'");
        execute(
                "INSERT INTO event SELECT '2026-02-01 00:00:00.000001Z', 'healing/ghost', 'by hand', 'healing', '', NULL,"
                        + " true, now(), now(), NULL, false, NULL, 0, NULL, NULL, '{}', '', 64");
        execute("INSERT INTO event SELECT 'infinity', stream, ' ', 'healing', '', NULL,"
                + " true, now(), now(), NULL, false, NULL, 0, NULL, NULL, '{}', '', 64 FROM event" + of + "'e4'");
        execute("DELETE FROM execution WHERE stream = '" + STREAM + "' AND execution = 1");
        execute("UPDATE execution SET status = 'done', terminal = true WHERE stream = '" + STREAM
                + "' AND execution = 2");
        execute("INSERT INTO execution VALUES ('" + STREAM + "', 3, 'running', false, NULL, now(), NULL)");
        return Stream.of(
                        STREAM + " e0 MISSING_IN_SQL []",
                        STREAM + " e1 DIFFERS [metadata, payload]",
                        STREAM + " e2 MISSING_IN_SQL []",
                        STREAM + " e2 TOO_MANY_IN_SQL []",
                        STREAM + " e3 DIFFERS [status, completed_at, ttl_seconds]",
                        STREAM + "   TOO_MANY_IN_SQL []",
                        "healing/ghost by hand TOO_MANY_IN_SQL []",
                        STREAM + " 1 MISSING_IN_SQL []",
                        STREAM + " 2 DIFFERS [status, terminal]",
                        STREAM + " 3 TOO_MANY_IN_SQL []")
                .sorted()
                .toList();
    }

    /** Takes away by hand the record that the sink cannot write, as its message says. */
    void takeAway(String condition) throws SQLException {
        execute("DELETE FROM event WHERE " + condition);
    }

    /** All of the stream that SQL has, as one text. */
    String rows() throws SQLException {
        return text(
                "SELECT (SELECT string_agg(e::text, chr(10) ORDER BY event_id) FROM event e WHERE namespace = 'healing'"
                        + " AND stream NOT LIKE '%flow') || (SELECT string_agg(x::text, chr(10) ORDER BY execution) FROM execution x"
                        + " WHERE stream = '" + STREAM + "')");
    }

    /** Sends events one by one until it is interrupted. */
    void flow() {
        for (int i = 0; !Thread.currentThread().isInterrupted(); i++) {
            ObjectNode event = Json.object().put("id", "f" + i % 50).put("type", "v" + i);
            stack.api().post(RestPath.of("v1", "streams", "healing/flow", "events"), event);
        }
    }

    /** Sends one event. */
    void send(String id) {
        stack.api()
                .post(
                        RestPath.of("v1", "streams", "healing/away", "events"),
                        Json.object().put("id", id));
    }

    CommandRun verify(String... options) {
        return stack.run(Stream.concat(Stream.of("verify", "-o", "json"), Stream.of(options))
                .toArray(String[]::new));
    }

    /** Differences that a comparison has named, in the form of {@link #damage}. */
    static List<String> named(CommandRun run) throws Exception {
        List<String> rows = new ArrayList<>();
        for (JsonNode row : Json.parse(run.out()).path("rows")) {
            List<String> fields = new ArrayList<>();
            row.path("fields").forEach(field -> fields.add(field.asText()));
            String id = row.path("eventId").isTextual()
                    ? row.path("eventId").textValue()
                    : row.path("execution").asText();
            rows.add(row.path("stream").asText() + " " + id + " "
                    + row.path("what").asText() + " " + fields);
        }
        return rows.stream().sorted().toList();
    }

    JsonNode mirror() {
        return stack.status().path("mirror");
    }

    String text(String query) throws SQLException {
        try (Connection sql = stack.sql();
                Statement statement = sql.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getString(1);
        }
    }

    private void execute(String change) throws SQLException {
        try (Connection sql = stack.sql();
                Statement statement = sql.createStatement()) {
            statement.execute(change);
        }
    }
}
