package dev.ebb.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.cli.CommandRun;
import dev.ebb.config.ConfigSources;
import dev.ebb.config.EbbConfig;
import dev.ebb.devstack.DevStack;
import dev.ebb.devstack.TestBroker;
import dev.ebb.devstack.TestStack;
import dev.ebb.runtime.kafka.KafkaClients;
import dev.ebb.runtime.kafka.TopicAdmin;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;

/** All services and two instances: one that anybody on this machine may use, and one that asks for tokens. */
final class ConsoleStack implements AutoCloseable {

    private static final String SECRET = "known to both instances of the test";

    private final DevStack stack;
    private final InstanceProcess open;
    private final InstanceProcess guarded;
    private final Path tokens;

    private ConsoleStack(DevStack stack, InstanceProcess open, InstanceProcess guarded, Path tokens) {
        this.stack = stack;
        this.open = open;
        this.guarded = guarded;
        this.tokens = tokens;
    }

    /** Returns when both instances answer. */
    static ConsoleStack start(Path folder) throws Exception {
        DevStack stack = TestBroker.ofBuild()
                .into(TestStack.builder(folder.resolve("stack")).withApp(false))
                .start();
        EbbConfig config = EbbConfig.load(new ConfigSources(stack.settingsFile(), Map.of(), Map.of()));
        try (Admin admin = new KafkaClients(config).admin()) {
            new TopicAdmin(admin, config).create();
        }
        Path tokens = folder.resolve("tokens");
        Map<String, String> shared = Map.of("api.peer.secret", SECRET, "commit.interval", "100ms");
        InstanceProcess open = new InstanceProcess("open", folder.resolve("open"), stack.settingsFile(), shared);
        InstanceProcess guarded = new InstanceProcess(
                "guarded",
                folder.resolve("guarded"),
                stack.settingsFile(),
                Map.of("api.peer.secret", SECRET, "commit.interval", "100ms", "api.tokens.file", tokens.toString()));
        ConsoleStack all = new ConsoleStack(stack, open, guarded, tokens);
        try {
            all.token("root", "admin");
            Path classes = Path.of(System.getProperty("java.class.path"));
            open.start(classes).awaitReady();
            guarded.start(classes);
            all.awaitBoth();
            return all;
        } catch (Exception | AssertionError e) {
            all.close();
            throw e;
        }
    }

    String url() {
        return open.url();
    }

    String guardedUrl() {
        return guarded.url();
    }

    /** A new token of that role. */
    String token(String name, String role) {
        CommandRun run = CommandRun.of("token", "create", "--name", name, "--role", role, "--file", tokens.toString());
        assertThat(run.exitCode()).as(run.toString()).isZero();
        return run.out().strip();
    }

    void put(String path, String json) throws Exception {
        HttpResponse<String> answer = open.put(path, json);
        assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 299);
    }

    /** Sends an event that happened at that time. */
    void send(String stream, String id, Instant at, String more) throws Exception {
        String json = "{\"id\":\"%s\",\"type\":\"order\",\"status\":\"completed\",\"occurredAt\":\"%s\"%s}"
                .formatted(id, at, more);
        String path = "/v1/streams/"
                + URLEncoder.encode(stream, StandardCharsets.UTF_8).replace("+", "%20");
        HttpResponse<String> answer = open.post(path + "/events", json);
        assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 299);
    }

    long rows(String namespace) throws SQLException {
        try (Connection connection = DriverManager.getConnection(
                        stack.endpoints().jdbcUrl(),
                        stack.endpoints().sqlUser(),
                        stack.endpoints().sqlPassword());
                Statement statement = connection.createStatement();
                ResultSet rows =
                        statement.executeQuery("SELECT count(*) FROM event WHERE stream LIKE '" + namespace + "/%'")) {
            rows.next();
            return rows.getLong(1);
        }
    }

    void awaitRows(String namespace, long expected) throws InterruptedException {
        Await.until("SQL has " + expected + " rows of " + namespace, () -> {
            long rows = rows(namespace);
            return rows == expected ? "" : rows + " rows";
        });
    }

    /** Ends the instance with tokens at once, as a machine that is gone. */
    void killGuarded() {
        guarded.kill();
    }

    private void awaitBoth() throws InterruptedException {
        Await.until("both instances have partitions", () -> {
            int kept = open.partitions().size();
            boolean isShared =
                    kept > 0 && open.json("/v1/instances").path("instances").size() == 2;
            return isShared && open.json("/v1/instances").path("unkept").isEmpty() ? "" : "the first has " + kept;
        });
    }

    @Override
    public void close() {
        open.kill();
        guarded.kill();
        stack.close();
    }
}
