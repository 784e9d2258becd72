package dev.ebb.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.CommandRun;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.Map;
import java.util.function.Predicate;

/** Two instances that ask for tokens, with the services that the tests of a process share. */
final class ConsoleStack implements AutoCloseable {

    /** Number of events that a change of policies may always make due at once. */
    static final int ALLOWED = 25;

    private static final String SECRET = "known-to-both-instances-of-the-test";

    private final OwnServices services;
    private final InstanceProcess first;
    private final InstanceProcess second;
    private final String admin;
    private final Path tokens;
    private Connection sql;

    private ConsoleStack(OwnServices services, Path folder) throws IOException {
        this.services = services;
        this.tokens = folder.resolve("tokens");
        this.admin = token("root", "admin");
        Map<String, String> shared = services.with(Map.of(
                "api.peer.secret",
                SECRET,
                "api.tokens.file",
                tokens.toString(),
                "commit.interval",
                "100ms",
                "undo.notice",
                "1s",
                "brake.min.events",
                Integer.toString(ALLOWED)));
        this.first = new InstanceProcess("first", folder.resolve("first"), services.settingsFile(), shared).as(admin);
        this.second =
                new InstanceProcess("second", folder.resolve("second"), services.settingsFile(), shared).as(admin);
    }

    /** Returns when both instances answer. */
    static ConsoleStack start(Path folder) throws Exception {
        OwnServices services = OwnServices.begin();
        services.createTopics(Map.of());
        ConsoleStack all = new ConsoleStack(services, folder);
        try {
            all.first.start().awaitReady();
            all.second.start();
            all.awaitBoth();
            return all;
        } catch (Exception | AssertionError e) {
            all.close();
            throw e;
        }
    }

    String url() {
        return first.url();
    }

    /** The other instance. */
    String otherUrl() {
        return second.url();
    }

    /** The token of root, an admin. */
    String adminToken() {
        return admin;
    }

    /** A new token of that role. */
    String token(String name, String role) {
        CommandRun run = CommandRun.of("token", "create", "--name", name, "--role", role, "--file", tokens.toString());
        assertThat(run.exitCode()).as(run.toString()).isZero();
        return run.out().strip();
    }

    void put(String path, String json) throws Exception {
        HttpResponse<String> answer = first.put(path, json);
        assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 299);
    }

    void delete(String path) throws Exception {
        HttpResponse<String> answer = first.delete(path);
        assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 299);
    }

    JsonNode json(String path) throws Exception {
        return first.json(path);
    }

    /** Sends an event that happened at that time. */
    void send(String stream, String id, Instant at, String more) throws Exception {
        String json = "{\"id\":\"%s\",\"type\":\"order\",\"status\":\"completed\",\"occurredAt\":\"%s\"%s}"
                .formatted(id, at, more);
        HttpResponse<String> answer = first.post("/v1/streams/" + segment(stream) + "/events", json);
        assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 299);
    }

    /** A name as one segment of a path. */
    static String segment(String name) {
        return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
    }

    long rows(String namespace) throws SQLException {
        try (Statement statement = sql().createStatement();
                ResultSet rows =
                        statement.executeQuery("SELECT count(*) FROM event WHERE stream LIKE '" + namespace + "/%'")) {
            rows.next();
            return rows.getLong(1);
        }
    }

    /** Takes a row out of SQL behind the back of the mirror. */
    void loseRow(String stream, String id) throws SQLException {
        try (PreparedStatement statement =
                sql().prepareStatement("DELETE FROM event WHERE stream = ? AND event_id = ?")) {
            statement.setString(1, stream);
            statement.setString(2, id);
            assertThat(statement.executeUpdate()).isEqualTo(1);
        }
    }

    private Connection sql() throws SQLException {
        if (sql == null || sql.isClosed()) {
            sql = services.sql();
        }
        return sql;
    }

    /** Returns when the first instance answers so. */
    void awaitJson(String what, String path, Predicate<JsonNode> condition) throws InterruptedException {
        Await.until(what, () -> {
            JsonNode answer = first.json(path);
            return condition.test(answer) ? "" : answer.toString();
        });
    }

    void awaitRows(String namespace, long expected) throws InterruptedException {
        Await.until("SQL has " + expected + " rows of " + namespace, () -> {
            long rows = rows(namespace);
            return rows == expected ? "" : rows + " rows";
        });
    }

    /** Ends the other instance at once, as a machine that is gone. */
    void killOther() {
        second.kill();
    }

    private void awaitBoth() throws InterruptedException {
        Await.until("both instances have partitions", () -> {
            JsonNode all = first.json("/v1/instances");
            boolean isShared =
                    all.path("instances").size() == 2 && all.path("unkept").isEmpty();
            return isShared
                    ? ""
                    : all.path("unanswered") + " and unkept " + all.path("unkept") + " of "
                            + all.path("instances").findValues("partition");
        });
    }

    /** The full name of a topic, such as {@code events}. */
    String topic(String kind) {
        return services.topic(kind);
    }

    @Override
    public void close() throws Exception {
        first.end();
        second.end();
        if (sql != null) {
            sql.close();
        }
        services.close();
    }
}
