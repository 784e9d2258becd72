package dev.ebb.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ebb.cli.CommandRun;
import dev.ebb.config.EbbConfig;
import dev.ebb.config.Settings;
import dev.ebb.it.Await;
import dev.ebb.runtime.kafka.KafkaClients;
import dev.ebb.runtime.kafka.TopicAdmin;
import dev.ebb.runtime.life.LifecycleObserver;
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
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The command line against one application with a real broker and a real registry. */
@Tag("O-16")
@Timeout(180)
@TestInstance(Lifecycle.PER_CLASS)
class ReadingCommandsIT {

    private static final byte[] PAYLOAD = {0, -1, 'x'};

    private final HttpClient http = HttpClient.newHttpClient();
    private EbbConfig config;
    private EbbApplication application;
    private CompletableFuture<RunOutcome> running;

    @BeforeAll
    void start() throws Exception {
        try (ServerSocket free = new ServerSocket(0)) {
            config = SharedStack.config(
                    Map.of("api.listen", "127.0.0.1:" + free.getLocalPort(), "commit.interval", "100ms"));
        }
        try (Admin admin = new KafkaClients(config).admin()) {
            new TopicAdmin(admin, config).create();
        }
        application = new EbbApplication(config, new LifecycleObserver() {});
        running = CompletableFuture.supplyAsync(application::run);
        Await.until(() -> send("GET", "/health/ready", "").statusCode() == 200);
    }

    @AfterAll
    void stop() throws Exception {
        application.stop();
        assertThat(running.get(60, TimeUnit.SECONDS)).isEqualTo(RunOutcome.STOPPED);
    }

    @Test
    @Tag("M-5")
    @Tag("M-6")
    void shouldShowExecutionsAndNameThemWhereADeleteIsRefused() throws Exception {
        // given
        post(
                "/v1/streams/jobs%2F1/events",
                "[{\"execution\":1,\"status\":\"completed\",\"parent\":\"plans/1\"},"
                        + "{\"execution\":2,\"status\":\"running\"},{\"id\":\"a\",\"type\":\"t\",\"execution\":2},"
                        + "{\"id\":\"b\",\"type\":\"t\",\"status\":\"pending\"}]");
        Await.until(() -> run("event", "list", "jobs/1").out().contains("pending"));

        // when
        CommandRun list = run("execution", "list", "jobs/1");
        JsonNode first = json("execution", "list", "jobs/1", "--limit", "1", "-o", "json");
        CommandRun described = run("stream", "describe", "jobs/1");
        CommandRun refused = run("delete", "jobs/1", "--yes");

        // then
        assertThat(list.exitCode()).as(list.err()).isZero();
        assertThat(list.out().lines().map(line -> line.strip().split(" +")[0]))
                .containsExactly("EXECUTION", "2", "1", "0");
        assertThat(list.out()).containsPattern("2 +open, current +running").containsPattern("1 +closed +completed");
        assertThat(first.at("/executions/0/execution").asInt()).isEqualTo(2);
        assertThat(first.path("next").asText()).isEqualTo("2");
        assertThat(described.out())
                .containsPattern("parent +plans/1")
                .contains("open: execution 2 is not terminal; event 'b' is of a protected status");
        assertThat(refused.exitCode()).isEqualTo(5);
        assertThat(refused.err())
                .contains("it is still open: execution 2 (running) is not terminal; 1 event is of a protected status")
                .contains("Open: execution 2 is not terminal; event 'b'");
    }

    /** The same records as before the delete, one request for the end of the execution and one for its event. */
    @Test
    @DisplayName("ImportAfterDeleteIsComplete")
    @Tag("O-10")
    void importAfterDeleteIsComplete() throws Exception {
        // given
        long ms = System.currentTimeMillis();
        String end = "{\"execution\":1,\"status\":\"completed\",\"completedAt\":" + ms + ",\"startedAt\":" + (ms - 1000)
                + "}";
        String event = "{\"id\":\"b\",\"type\":\"t\",\"execution\":1}";
        post("/v1/streams/import%2F1/events", "[" + end + "," + event + "]");
        Await.until(() -> run("event", "list", "import/1").out().contains("b "));
        assertThat(run("delete", "import/1", "--force", "--reason", "again", "--yes")
                        .exitCode())
                .isZero();

        // when
        post("/v1/streams/import%2F1/events", end);
        Await.until(() -> run("stream", "describe", "import/1")
                .err()
                .contains("there is no stream 'import/1'; an end of execution 1 waits for its events"));
        post("/v1/streams/import%2F1/events", event);
        Await.until(() -> run("event", "list", "import/1").out().contains("b "));

        // then
        assertThat(run("stream", "describe", "import/1").out())
                .containsPattern("state +closed")
                .doesNotContain("waits");
        assertThat(run("delete", "import/1", "--reason", "done", "--yes").exitCode())
                .isZero();
    }

    @Test
    @Tag("M-17")
    void shouldListWhatGoesFromAllPartitionsTheSoonestFirst() throws Exception {
        // given streams in both partitions
        for (int i = 0; i < 8; i++) {
            post(
                    "/v1/streams/soon%2F" + i + "/events",
                    "[{\"id\":\"e" + i + "\",\"type\":\"t\",\"ttlSeconds\":" + (3600 - i)
                            + "},{\"id\":\"far\",\"type\":\"t\"}]");
        }
        Await.until(() -> json("stream", "list", "--namespace", "soon", "-o", "json")
                        .path("streams")
                        .size()
                == 8);

        // when
        JsonNode all = json("event", "list", "--namespace", "soon", "--expiring-within", "2h", "-o", "json");
        CommandRun page = run("event", "list", "--namespace", "soon", "--expiring-within", "2h", "--limit", "3");

        // then
        assertThat(all.path("events").findValuesAsText("id"))
                .hasSize(8)
                .doesNotContain("far")
                .startsWith("e7");
        assertThat(all.path("events").findValuesAsText("dueAt")).isSorted();
        assertThat(page.out().lines()).hasSize(4);
        assertThat(page.err()).contains("--after ");
        assertThat(run("event", "list", "--namespace", "soon").exitCode()).isEqualTo(2);
    }

    @Test
    @Tag("O-3")
    void shouldListWhatWasArchived() throws Exception {
        // given three events that a sweep deletes and archives
        put("/v1/policies/namespace:old", "{\"maxAge\":\"1ms\",\"archive\":true}");
        for (String id : new String[] {"a", "b", "c"}) {
            post("/v1/streams/old%2F1/events", "{\"id\":\"" + id + "\",\"type\":\"t\",\"occurredAt\":1700000000000}");
        }

        // when
        Await.until(() -> json("archive", "list", "--stream", "old/1", "-o", "json")
                        .path("archived")
                        .size()
                == 3);

        // then
        assertThat(run("archive", "list", "--namespace", "old", "--cause", "MAX_AGE")
                        .out())
                .contains("old/1", "MAX_AGE", "namespace:old");
    }

    @Test
    @Tag("O-14")
    void shouldPlanByNamespaceFirst(@TempDir Path folder) throws Exception {
        // given
        post("/v1/streams/plan%2F1/events", "[{\"id\":\"a\",\"type\":\"t\"},{\"id\":\"b\",\"type\":\"t\"}]");
        Await.until(() ->
                json("event", "list", "plan/1", "-o", "json").path("events").size() == 2);
        Path file =
                Files.writeString(folder.resolve("p.yaml"), "policies:\n  - scope: namespace:plan\n    maxAge: 1ms\n");

        // when
        CommandRun plan = run("policy", "plan", "-f", file.toString());

        // then
        assertThat(plan.exitCode()).as(plan.err()).isZero();
        assertThat(plan.out())
                .containsPattern("(?s)NAMESPACE .*plan +2 .* 2 +100.0 %.*STREAM +CAUSE")
                .contains("more than 20 % of the stored events of its scope");
    }

    private CommandRun run(String... args) {
        return CommandRun.of(
                Stream.concat(Stream.of(args), Stream.of("--api", "http://" + config.get(Settings.API_LISTEN)))
                        .toArray(String[]::new));
    }

    private JsonNode json(String... args) throws IOException {
        return new ObjectMapper().readTree(run(args).out());
    }

    private void post(String path, String body) throws Exception {
        assertThat(send("POST", path, body).statusCode()).isEqualTo(202);
    }

    private void put(String path, String body) throws Exception {
        assertThat(send("PUT", path, body).statusCode()).isEqualTo(200);
    }

    private HttpResponse<String> send(String method, String path, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + config.get(Settings.API_LISTEN) + path))
                .header("Content-Type", "application/json")
                .method(method, BodyPublishers.ofString(body))
                .build();
        return http.send(request, BodyHandlers.ofString());
    }
}
