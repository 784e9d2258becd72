package dev.ebb.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.CommandRun;
import dev.ebb.config.ConfigSources;
import dev.ebb.config.EbbConfig;
import dev.ebb.devstack.DevStack;
import dev.ebb.devstack.TestBroker;
import dev.ebb.devstack.TestStack;
import dev.ebb.runtime.kafka.KafkaClients;
import dev.ebb.runtime.kafka.TopicAdmin;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Mistakes are taken back with the command line, over the real broker, the real sink and SQL. */
@Tag("T-2")
@Tag("T-3")
@Tag("T-4")
@Timeout(600)
class UndoIT {

    private static final String ROWS = "SELECT stream, event_id, event::text FROM event";
    private static final String RESTORED =
            "SELECT count(*) FROM retention_audit WHERE kind = 'RESTORE' AND actor = 'anna' AND reason = 'mistake'";

    @TempDir
    private Path folder;

    private DevStack stack;
    private InstanceProcess instance;

    @AfterEach
    void stop() {
        if (instance != null) {
            instance.kill();
        }
        if (stack != null) {
            stack.close();
        }
    }

    @Test
    void shouldTakeBackACommandAPolicyAndAKill() throws Exception {
        start();
        takeBackAPurge();
        takeBackAPolicy();
        holdWhatComesBack();
        surviveAKill();
    }

    private void takeBackAPurge() throws Exception {
        // given
        send("shop", 40);
        send("mail", 10);
        Map<String, String> before = awaitRows(50);
        done(instance.run("purge", "--namespace", "shop", "--command-id", "p-1", "--reason", "wrong", "--yes"));
        awaitRows(10);
        CommandRun waiting = instance.run("trash", "list");
        assertThat(waiting.out()).contains("command p-1", "shop", "40");
        assertThat(instance.run("status").out()).contains("40 events", "can be brought back");

        // when
        CommandRun undone = undo("--command", "p-1");

        // then each row is as it was, to the byte
        done(undone);
        assertThat(undone.out()).contains("events that came back", "40");
        assertThat(awaitRows(50)).isEqualTo(before);
        Await.until("SQL knows the undo", () -> count(RESTORED) > 0 ? "" : "no RESTORE");
        Await.until(
                "the trash is empty",
                () -> instance.json("/v1/status").at("/trash/events").asText().equals("0") ? "" : "it is not");
        CommandRun twice = undo("--command", "p-1");
        done(twice);
        assertThat(awaitRows(50)).isEqualTo(before);
    }

    private void takeBackAPolicy() throws Exception {
        // given a policy that keeps one event of each stream, which would make all others due again
        Map<String, String> before = awaitRows(50);
        done(instance.run(
                "policy", "set", "namespace:shop", "--max-count", "1", "--confirmed", "--reason", "one nought lost"));
        awaitRows(10 + 10);
        JsonNode waiting =
                instance.json("/v1/trash?namespace=shop").path("deletions").path(0);
        String change = waiting.path("change").asText();
        assertThat(change).startsWith("namespace:shop@");

        // when
        CommandRun refused = undo("--policy", change);
        CommandRun reverted = undo("--policy", change, "--revert");

        // then
        assertThat(refused.exitCode()).as(refused.toString()).isEqualTo(5);
        assertThat(refused.err()).contains("WOULD_BE_DUE", "--revert", "--hold");
        done(reverted);
        assertThat(awaitRows(50)).isEqualTo(before);
        assertThat(instance.get("/v1/policies/namespace:shop").body()).doesNotContain("\"maxCount\":1");
    }

    private void holdWhatComesBack() throws Exception {
        // given
        Map<String, String> before = awaitRows(50);
        done(instance.run(
                "policy", "set", "namespace:shop", "--max-count", "1", "--confirmed", "--reason", "once more"));
        awaitRows(10 + 10);

        // when
        CommandRun held = undo("--since", "5m", "--namespace", "shop", "--hold", "INC-7");

        // then nothing goes while the hold stands, although the policy does
        done(held);
        assertThat(held.out()).contains("the hold INC-7 over namespace:shop stands");
        assertThat(awaitRows(50)).isEqualTo(before);
        done(instance.run("policy", "delete", "namespace:shop", "--reason", "it was wrong"));
        done(instance.run("hold", "release", "INC-7", "--reason", "mended"));
        assertThat(awaitRows(50)).isEqualTo(before);
    }

    private void surviveAKill() throws Exception {
        // given
        send("big", 3000);
        Map<String, String> before = awaitRows(3050);
        done(instance.run("purge", "--namespace", "big", "--command-id", "p-2", "--reason", "wrong", "--yes"));
        awaitRows(50);

        // when
        String path = "/v1/undo?commandId=u-2&actor=anna&reason=mistake&wait=0";
        ok(instance.post(path, "{\"command\":\"p-2\"}").statusCode());
        Await.until("something is back", () -> rows().size() > 50 ? "" : "nothing");
        instance.kill();
        instance.awaitEnd();
        instance.start(Path.of(System.getProperty("java.class.path"))).awaitReady();

        // then
        Await.until(
                "the undo is done",
                () -> instance.json("/v1/commands/u-2").path("state").asText().equals("DONE")
                        ? ""
                        : instance.json("/v1/commands/u-2").toString());
        assertThat(awaitRows(3050)).isEqualTo(before);
        JsonNode undo = instance.json("/v1/commands/u-2").path("undo");
        assertThat(undo.path("events").asLong()).isEqualTo(3000);
    }

    private CommandRun undo(String... args) {
        String[] all = new String[args.length + 6];
        all[0] = "undo";
        System.arraycopy(args, 0, all, 1, args.length);
        System.arraycopy(new String[] {"--actor", "anna", "--reason", "mistake", "--yes"}, 0, all, args.length + 1, 5);
        return instance.run(all);
    }

    private void start() throws Exception {
        stack = TestBroker.ofBuild()
                .into(TestStack.builder(folder.resolve("stack")).withApp(false))
                .start();
        EbbConfig config = EbbConfig.load(new ConfigSources(stack.settingsFile(), Map.of(), Map.of()));
        try (Admin admin = new KafkaClients(config).admin()) {
            new TopicAdmin(admin, config).create();
        }
        instance = new InstanceProcess("undo", folder, stack.settingsFile(), Map.of());
        instance.start(Path.of(System.getProperty("java.class.path"))).awaitReady();
    }

    /** Events of ten streams of the namespace. */
    private void send(String namespace, int events) throws Exception {
        for (int stream = 0; stream < 10; stream++) {
            StringBuilder batch = new StringBuilder("[");
            for (int i = 0; i < events / 10; i++) {
                batch.append(i == 0 ? "" : ",")
                        .append("{\"id\":\"e-%d\",\"type\":\"t\",\"metadata\":{\"n\":\"%d\"},\"payload\":\"%d-%s\"}"
                                .formatted(i, i, i, "x".repeat(100)));
            }
            ok(instance.post(
                            "/v1/streams/" + namespace + "%2F" + stream + "/events",
                            batch.append("]").toString())
                    .statusCode());
        }
    }

    private static void ok(int status) {
        assertThat(status).isBetween(200, 299);
    }

    private static void done(CommandRun run) {
        assertThat(run.exitCode()).as(run.toString()).isZero();
    }

    /** All rows, by stream and id, once there are so many. */
    private Map<String, String> awaitRows(int expected) throws Exception {
        Await.until("SQL has " + expected + " rows", Duration.ofSeconds(120), () -> {
            int now = rows().size();
            return now == expected ? "" : now + " rows";
        });
        return rows();
    }

    private Map<String, String> rows() throws SQLException {
        Map<String, String> rows = new TreeMap<>();
        try (Connection sql = connect();
                Statement statement = sql.createStatement();
                ResultSet row = statement.executeQuery(ROWS)) {
            while (row.next()) {
                rows.put(row.getString(1) + " " + row.getString(2), row.getString(3));
            }
        }
        return rows;
    }

    private long count(String query) throws SQLException {
        try (Connection sql = connect();
                Statement statement = sql.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getLong(1);
        }
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection(
                stack.endpoints().jdbcUrl(),
                stack.endpoints().sqlUser(),
                stack.endpoints().sqlPassword());
    }
}
