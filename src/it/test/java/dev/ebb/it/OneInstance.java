package dev.ebb.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** One instance as a process of its own, its command line, and SQL. */
final class OneInstance implements AutoCloseable {

    private static final String ROWS = "SELECT stream, event_id, event::text FROM event";
    private static final Duration PATIENCE = Duration.ofSeconds(120);

    private final OwnServices services;
    private final InstanceProcess process;
    private Connection sql;

    private OneInstance(OwnServices services, InstanceProcess process) {
        this.services = services;
        this.process = process;
    }

    /**
     * Makes the topics, and starts the instance.
     *
     * @param folder for its state and its log
     */
    static OneInstance start(String name, Path folder) throws Exception {
        return start(name, folder, Map.of());
    }

    /** @param settings of the instance, beside those of the services */
    static OneInstance start(String name, Path folder, Map<String, String> settings) throws Exception {
        OwnServices services = OwnServices.begin();
        OneInstance one = new OneInstance(
                services, new InstanceProcess(name, folder, services.settingsFile(), services.with(settings)));
        try {
            services.createTopics(settings);
            one.begin();
        } catch (Exception | AssertionError e) {
            one.close();
            throw e;
        }
        return one;
    }

    private void begin() throws Exception {
        process.start().awaitReady();
    }

    OwnServices services() {
        return services;
    }

    InstanceProcess process() {
        return process;
    }

    /** Kills the instance and starts it again, with the state that it has left. */
    void killAndRestart() throws Exception {
        process.end();
        begin();
    }

    /** Ends the instance as an orchestrator does, and starts it without a state: it makes it anew from the changelogs. */
    void restartWithoutState() throws Exception {
        process.stop();
        try (Stream<Path> files = Files.walk(process.state())) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
        begin();
    }

    CommandRun run(String... args) {
        return process.run(args);
    }

    /** Runs a command that must succeed. */
    CommandRun done(String... args) {
        CommandRun run = run(args);
        assertThat(run.exitCode()).as(run.toString()).isZero();
        return run;
    }

    JsonNode json(String path) throws IOException, InterruptedException {
        return process.json(path);
    }

    /**
     * Sends events to a stream.
     *
     * @param events a JSON object, or an array of them
     */
    void send(String stream, String events) throws IOException, InterruptedException {
        post("/v1/streams/" + stream.replace("/", "%2F") + "/events", events);
    }

    void post(String path, String body) throws IOException, InterruptedException {
        ok(process.post(path, body).statusCode());
    }

    void put(String path, String body) throws IOException, InterruptedException {
        ok(process.put(path, body).statusCode());
    }

    private static void ok(int status) {
        assertThat(status).isBetween(200, 299);
    }

    /** All rows of events, by stream and id, once there are so many. */
    Map<String, String> awaitRows(int expected) throws Exception {
        Await.until("SQL has " + expected + " rows", PATIENCE, () -> {
            long now = count("SELECT count(*) FROM event");
            return now == expected ? "" : now + " rows";
        });
        return rows();
    }

    Map<String, String> rows() throws SQLException {
        Map<String, String> rows = new TreeMap<>();
        try (Statement statement = sql().createStatement();
                ResultSet row = statement.executeQuery(ROWS)) {
            while (row.next()) {
                rows.put(row.getString(1) + " " + row.getString(2), row.getString(3));
            }
        }
        return rows;
    }

    /** The number that the query asks for. */
    long count(String query) throws SQLException {
        try (Statement statement = sql().createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getLong(1);
        }
    }

    /** Stays open: to connect takes both sides longer than an answer, and tests ask until the answer is right. */
    private Connection sql() throws SQLException {
        if (sql == null || sql.isClosed()) {
            sql = services.sql();
        }
        return sql;
    }

    @Override
    public void close() throws Exception {
        process.end();
        if (sql != null) {
            sql.close();
        }
        services.close();
    }
}
