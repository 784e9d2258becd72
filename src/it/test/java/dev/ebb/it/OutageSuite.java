package dev.ebb.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.client.RestPath;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Operations that still work while a system is away, and the status meanwhile: the table of outages in docs/operations/outages.md.
 * That no data is lost meanwhile is what {@link RetentionIT} is about.
 */
@Timeout(240)
@Tag("O-18")
@TestInstance(Lifecycle.PER_CLASS)
class OutageSuite {

    private static final String STREAM = "outage/a";

    private final HttpClient http = HttpClient.newHttpClient();
    private RunningStack stack;
    private int ids;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        stack = RunningStack.start(folder.resolve("stack"));
        awaitRow(post());
    }

    @AfterAll
    void stop() {
        if (stack != null) {
            stack.close();
        }
    }

    @Test
    @Tag("A-14")
    void shouldTakeInAndDeleteWithoutSqlAndSendTheRowsLater() throws Exception {
        // when
        stack.services().postgres().stop();

        // then
        String id = post();
        awaitStored(id);
        shouldStillDelete();
        awaitStatus("rows wait", status -> status.path("mirror").path("lag").asLong(0) > 0);
        assertThat(get("/health/ready").statusCode()).isEqualTo(200);

        // when
        stack.services().postgres().start();

        // then
        awaitRow(id);
        awaitMirror();
    }

    @Test
    @Tag("A-14")
    void shouldTakeInAndDeleteWithoutConnectAndSayThatItIsUnreachable() throws Exception {
        // when
        stack.services().connect().kill();

        // then
        awaitStatus(
                "the sinks are unreachable",
                status -> status.path("mirror").path("state").asText().equals("UNREACHABLE"));
        String id = post();
        awaitStored(id);
        shouldStillDelete();
        assertThat(get("/health/ready").statusCode()).isEqualTo(200);

        // when
        stack.services().connect().start();

        // then
        awaitRow(id);
        awaitMirror();
    }

    @Test
    @Tag("O-20")
    void shouldGoOnWithTheSchemasThatItKnowsWithoutTheRegistry() throws Exception {
        // when
        stack.services().registry().stop();

        // then
        awaitStored(post());
        shouldStillDelete();
        assertThat(get("/health/ready").statusCode()).isEqualTo(200);

        // when
        stack.services().registry().start();

        // then
        awaitStored(post());
    }

    @Test
    @Tag("O-17")
    void shouldAnswerReadsWithoutTheBrokerAndRefuseWhatItCannotSend() throws Exception {
        // given
        String before = post();
        awaitStored(before);

        // when
        stack.killBroker();

        // then
        assertThat(get(event(before)).statusCode()).isEqualTo(200);
        HttpResponse<String> refused = send();
        assertThat(refused.statusCode()).as(refused.body()).isEqualTo(502);
        assertThat(get("/health/live").statusCode()).isEqualTo(200);
        assertThat(get("/health/ready").statusCode()).isEqualTo(200);
        awaitStatus(
                "the lag is not known",
                status -> status.path("input").path("lag").isNull());

        // when
        stack.startBroker();

        // then
        awaitStored(post());
        awaitStatus(
                "the lag is known", status -> status.path("input").path("lag").isNumber());
        awaitMirror();
    }

    /** An event whose own time is over goes, which is counted when a sweep has taken it. */
    private void shouldStillDelete() throws Exception {
        long before = removed(status());
        HttpResponse<String> answer = post("{\"id\":\"short" + ids++ + "\",\"type\":\"t\",\"ttlSeconds\":1}");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(202);
        awaitStatus("a sweep", status -> removed(status) > before);
    }

    private static long removed(JsonNode status) {
        return status.at("/counts/removed/TTL/events").asLong();
    }

    private String post() throws Exception {
        HttpResponse<String> answer = send();
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(202);
        return "e" + ids;
    }

    /** An event of the next id. */
    private HttpResponse<String> send() throws Exception {
        return post("{\"id\":\"e" + ++ids + "\",\"type\":\"t\"}");
    }

    private HttpResponse<String> post(String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(
                        uri(RestPath.of("v1", "streams", STREAM, "events").toString()))
                .header("Content-Type", "application/json")
                .timeout(Duration.ofSeconds(30))
                .POST(BodyPublishers.ofString(body))
                .build();
        return http.send(request, BodyHandlers.ofString());
    }

    private HttpResponse<String> get(String path) throws Exception {
        return http.send(
                HttpRequest.newBuilder(uri(path))
                        .timeout(Duration.ofSeconds(30))
                        .build(),
                BodyHandlers.ofString());
    }

    private URI uri(String path) {
        return URI.create(stack.services().endpoints().apiUrl() + path);
    }

    private static String event(String id) {
        return RestPath.of("v1", "streams", STREAM, "events", id).toString();
    }

    private JsonNode status() throws Exception {
        return new ObjectMapper().readTree(get("/v1/status").body());
    }

    private void awaitStored(String id) throws Exception {
        Await.until(
                id + " is stored",
                () -> get(event(id)).statusCode() == 200 ? "" : get(event(id)).body());
    }

    private void awaitStatus(String what, Condition condition) throws Exception {
        Await.until(what, () -> {
            JsonNode status = status();
            return condition.holds(status) ? "" : Json.compact(status);
        });
    }

    private void awaitRow(String id) throws Exception {
        Await.until(id + " is in SQL", () -> {
            try (Connection sql = stack.sql();
                    Statement statement = sql.createStatement();
                    ResultSet row = statement.executeQuery("SELECT 1 FROM event WHERE event_id = '" + id + "'")) {
                return row.next() ? "" : "its row";
            }
        });
    }

    private void awaitMirror() throws Exception {
        awaitStatus(
                "the mirror has caught up",
                status -> status.at("/mirror/state").asText().equals("RUNNING")
                        && status.at("/mirror/lag").asLong(-1) == 0);
    }

    /** Expected status. */
    @FunctionalInterface
    private interface Condition {
        boolean holds(JsonNode status);
    }
}
