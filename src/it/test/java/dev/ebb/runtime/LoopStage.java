package dev.ebb.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.config.EbbConfig;
import dev.ebb.config.Settings;
import dev.ebb.devstack.DevStack;
import dev.ebb.it.Await;
import dev.ebb.runtime.kafka.KafkaClients;
import dev.ebb.runtime.kafka.TopicAdmin;
import dev.ebb.runtime.life.LoggingLifecycleObserver;
import dev.ebb.runtime.life.RunOutcome;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;

/**
 * A table of jobs in a database, captured by Debezium, under retention by an instance, and a JDBC sink that deletes in that
 * very table, by the files of {@code docker/loop}.
 */
final class LoopStage implements AutoCloseable {

    private static final Path EXAMPLE = Path.of("docker", "loop");
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient http = HttpClient.newHttpClient();
    private final String mark = "loop" + System.currentTimeMillis();
    private final Instant longAgo = Instant.now().minus(Duration.ofDays(3));
    private final DevStack stack;
    private final Connection table;
    private final int port;
    private final EbbConfig config;
    private final EbbApplication application;
    private final CompletableFuture<RunOutcome> running;

    /**
     * @param table the database with the table; has a table {@code gone} with the id of each row that was deleted
     * @param port the port of the database
     */
    LoopStage(Connection table, int port) throws Exception {
        this.table = table;
        this.port = port;
        stack = SharedStack.withSql();
        try (ServerSocket free = new ServerSocket(0)) {
            config = SharedStack.config(Map.of(
                    "api.listen",
                    "127.0.0.1:" + free.getLocalPort(),
                    "commit.interval",
                    "100ms",
                    "sweep.interval",
                    "200ms",
                    "sources.plugin.path",
                    Path.of(System.getProperty("ebb.home", ""), "target", "ebb", "connect", "plugins")
                            .toAbsolutePath()
                            .toString()));
        }
        try (Admin admin = new KafkaClients(config).admin()) {
            new TopicAdmin(admin, config).create();
            admin.createTopics(List.of(
                            new NewTopic(mark + ".public.jobs", 2, (short) 1)
                                    .configs(Map.of("cleanup.policy", "compact")),
                            new NewTopic(mark + ".jobs.deletes", 2, (short) 1)))
                    .all()
                    .get();
        }
        application = new EbbApplication(config, new LoggingLifecycleObserver());
        running = CompletableFuture.supplyAsync(application::run);
        Await.until(() -> send("GET", ebb("/health/ready"), "").statusCode() == 200);
    }

    /** Returns the text of a file of the example. */
    static String file(String name) throws IOException {
        return Files.readString(EXAMPLE.resolve(name));
    }

    /**
     * Fills the table, and compares it with an oracle while work ends, begins again, and rows go by other hands.
     *
     * @param connectors the folder with the files of the two connectors in the example
     */
    void play(String connectors) throws Exception {
        // given
        Set<Long> oracle = fill();

        // when
        connect(connectors, "capture");
        connect(connectors, "deletes");
        HttpResponse<String> applied =
                send("POST", ebb("/v1/policies:apply?actor=it&reason=r"), example("sources.yaml"));

        // then
        assertThat(applied.statusCode()).as(applied.body()).isEqualTo(200);
        Await.until(() -> ids("SELECT id FROM jobs").equals(oracle));
        assertThat(send("GET", ebb("/v1/namespaces/jobs"), "").body()).contains("\"events\"");

        // when work is done, a row is deleted by its owner, and work begins again that was done
        execute("UPDATE jobs SET state = 'DONE', done_at = '" + Timestamp.from(longAgo) + "' WHERE id IN (0, 3, 6)");
        execute("DELETE FROM jobs WHERE id = 1");
        execute("UPDATE jobs SET state = 'NEW', done_at = NULL WHERE id = 4");
        oracle.removeAll(Set.of(0L, 1L, 3L, 6L));

        // then
        Await.until(() -> ids("SELECT id FROM jobs").equals(oracle));
        Await.until(() -> events() == oracle.size());
        Set<Long> gone = ids("SELECT id FROM gone");
        assertThat(ids("SELECT count(*) FROM gone").iterator().next())
                .as("each row went once")
                .isEqualTo(gone.size());
        assertThat(gone).hasSize(100 + 3 + 3 + 1).doesNotContainAnyElementsOf(oracle);
    }

    /** Returns the ids of the rows that must stay. */
    private Set<Long> fill() throws SQLException {
        Set<Long> oracle = new TreeSet<>();
        for (long id = 0; id < 300; id++) {
            boolean isOpen = id % 3 == 0;
            boolean isYoung = id % 3 == 1;
            insert(id, "q" + id % 7, isOpen ? "NEW" : "DONE", isOpen ? null : isYoung ? Instant.now() : longAgo);
            if (isOpen || isYoung) {
                oracle.add(id);
            }
        }
        for (long id = 1000; id < 1008; id++) {
            insert(id, "guarded", "FAILED", longAgo.plusSeconds(id));
            if (id >= 1003) {
                oracle.add(id);
            }
        }
        return oracle;
    }

    /** Returns the number of events of the source, which are the rows that Debezium has told of. */
    private long events() throws Exception {
        return JSON.readTree(send("GET", ebb("/v1/namespaces/jobs"), "").body())
                .path("events")
                .asLong();
    }

    private void connect(String connectors, String connector) throws Exception {
        ObjectNode settings = (ObjectNode) JSON.readTree(example(connectors + connector + ".json"));
        HttpResponse<String> made = send(
                "PUT",
                stack.connect().url() + "/connectors/" + mark + "-" + connector + "/config",
                settings.toString());
        assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
    }

    /** Returns a file of the example with names and addresses of this test. */
    private String example(String file) throws IOException {
        return file(file)
                .replaceAll("jobs-db:\\d+", "127.0.0.1:" + port)
                .replace("\"jobs-db\"", "\"127.0.0.1\"")
                .replaceAll("(\"database.port\": )\"\\d+\"", "$1\"" + port + "\"")
                .replace("kafka-1:9092", stack.endpoints().bootstrapServers())
                .replace("\"shop\"", "\"" + mark + "\"")
                .replace("shop.", mark + ".");
    }

    private void insert(long id, String queue, String state, Instant done) throws SQLException {
        try (PreparedStatement insert = table.prepareStatement("INSERT INTO jobs VALUES (?, ?, ?, ?)")) {
            insert.setLong(1, id);
            insert.setString(2, queue);
            insert.setString(3, state);
            insert.setTimestamp(4, done == null ? null : Timestamp.from(done));
            insert.executeUpdate();
        }
    }

    private void execute(String statement) throws SQLException {
        try (var sql = table.createStatement()) {
            sql.execute(statement);
        }
    }

    private Set<Long> ids(String query) throws SQLException {
        Set<Long> ids = new TreeSet<>();
        try (var sql = table.createStatement();
                ResultSet rows = sql.executeQuery(query)) {
            while (rows.next()) {
                ids.add(rows.getLong(1));
            }
        }
        return ids;
    }

    private String ebb(String path) {
        return "http://" + config.get(Settings.API_LISTEN) + path;
    }

    private HttpResponse<String> send(String method, String url, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url))
                .header("Content-Type", url.contains(":apply") ? "application/yaml" : "application/json")
                .timeout(Duration.ofSeconds(30))
                .method(method, BodyPublishers.ofByteArray(body.getBytes(UTF_8)))
                .build();
        return http.send(request, BodyHandlers.ofString());
    }

    @Override
    public void close() throws Exception {
        send("DELETE", stack.connect().url() + "/connectors/" + mark + "-capture", "");
        send("DELETE", stack.connect().url() + "/connectors/" + mark + "-deletes", "");
        application.stop();
        assertThat(running.get(60, TimeUnit.SECONDS)).isEqualTo(RunOutcome.STOPPED);
    }
}
