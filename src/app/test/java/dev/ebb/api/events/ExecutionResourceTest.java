package dev.ebb.api.events;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.api.ApiClient;
import dev.ebb.api.FakeApi;
import dev.ebb.api.FakePorts;
import dev.ebb.domain.event.EndsInWaiting;
import dev.ebb.domain.event.ExecutionUpdate;
import dev.ebb.domain.event.StreamName;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("O-17")
class ExecutionResourceTest {

    private static final StreamName JOBS = new StreamName("jobs/1");

    @RegisterExtension
    final FakeApi api = new FakeApi();

    private final FakePorts ports = api.ports;
    private final ApiClient client = api.client;

    @BeforeEach
    void start() {
        ports.store("jobs/1", "e-1", false);
        ports.executions.add(new ExecutionUpdate(JOBS, 2, "completed", new StreamName("plans/1"), 1000L, 2000L));
        ports.executions.add(new ExecutionUpdate(JOBS, 10, "running", null, 3000L, null));
        ports.executions.add(new ExecutionUpdate(JOBS, 9, "failed", null, null, 4000L));
    }

    @Test
    @Tag("M-5")
    void shouldListExecutionsPageByPageTheCurrentOneFirst() {
        // when
        JsonNode first = client.get("/v1/streams/jobs%2F1/executions?limit=2").json();
        JsonNode second = client.get("/v1/streams/jobs%2F1/executions?limit=2&after="
                        + first.path("next").asText())
                .json();

        // then
        assertThat(first.path("executions").findValuesAsText("execution")).containsExactly("10", "9");
        assertThat(first.at("/executions/0"))
                .hasToString("{\"execution\":10,\"parent\":\"plans/1\",\"current\":true,\"status\":\"running\","
                        + "\"open\":true,\"since\":\"2026-11-01T10:00:00.500Z\","
                        + "\"startedAt\":\"1970-01-01T00:00:03.000Z\",\"completedAt\":null,\"events\":2,\"bytes\":200,"
                        + "\"protectedEvents\":2}");
        assertThat(second.path("executions").findValuesAsText("execution")).containsExactly("2");
        assertThat(second.at("/executions/0/open").asBoolean()).isFalse();
        assertThat(second.at("/executions/0/since").asText()).isEqualTo("1970-01-01T00:00:02.000Z");
        assertThat(second.path("next").isNull()).isTrue();
    }

    @Test
    @Tag("M-6")
    void shouldNameTheParentOfAStreamAndItsOpenExecutions() {
        // when
        JsonNode standing = client.get("/v1/streams/jobs%2F1").json().path("standing");

        // then
        assertThat(standing)
                .hasToString("{\"parent\":\"plans/1\",\"currentExecution\":10,\"open\":true,\"openExecutions\":1,"
                        + "\"openExecutionNumbers\":[10],\"openEvents\":0,\"openEventIds\":[]}");
    }

    /** A sender of an end should see why it has had no effect. */
    @Test
    @Tag("O-10")
    void shouldNameTheEndsThatWaitForTheirEvents() {
        // given
        ports.waitingEnds.put(JOBS, new EndsInWaiting(2, List.of(4L, 5L)));
        ports.waitingEnds.put(new StreamName("jobs/gone"), new EndsInWaiting(1, List.of(1L)));

        // when
        JsonNode standing = client.get("/v1/streams/jobs%2F1").json().path("standing");
        JsonNode missing = client.get("/v1/streams/jobs%2Fgone").json();

        // then
        assertThat(standing.path("waitingEnds")).hasToString("{\"ends\":2,\"executions\":[4,5]}");
        assertThat(missing.path("status").asInt()).isEqualTo(404);
        assertThat(missing.path("detail").asText())
                .isEqualTo("there is no stream 'jobs/gone'; an end of execution 1 waits for its events");
    }

    @ParameterizedTest
    @CsvSource({
        "/v1/streams/none/executions, 404",
        "/v1/streams/jobs%2F1/executions?after=x, 400",
        "/v1/streams/jobs%2F1/executions?after=-1, 400",
        "/v1/streams/jobs%2F1/executions?limit=0, 400",
        "/v1/streams/jobs%2F1/executions?limit=1001, 400",
        "/v1/streams/jobs%2F1/executions?status=running, 400",
        "/v1/streams/%00/executions, 400",
        "/v1/streams/jobs%2F1/executions?after=0, 200"
    })
    void shouldRefuseSenselessRequests(String path, int status) {
        assertThat(client.get(path).status()).isEqualTo(status);
    }
}
