package dev.ebb.api.commands;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.api.FakeApi;
import dev.ebb.port.RunningCommand;
import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("O-2")
class RunningApiTest {

    @RegisterExtension
    final FakeApi api = new FakeApi();

    @Test
    void shouldListTheLongestRunningCommandFirst() {
        // given
        running(0, "late", 3000);
        running(0, "early", 1000);
        running(0, "middle", 2000);

        // when
        JsonNode all = api.client.get("/v1/commands").json();

        // then
        assertThat(all.path("commands").findValuesAsText("commandId")).containsExactly("early", "middle", "late");
        assertThat(all.path("isMore").asBoolean(true)).isFalse();
        JsonNode first = all.at("/commands/0");
        assertThat(first.path("partition").asInt()).isZero();
        assertThat(first.path("verb").asText()).isEqualTo("purge");
        assertThat(first.path("actor").asText()).isEqualTo("eva");
        assertThat(first.path("dryRun").asBoolean()).isTrue();
        assertThat(first.path("startedAt").asText()).isEqualTo("1970-01-01T00:00:01.000Z");
    }

    /** The limits in threes: fewer than there are, as many, and more. */
    @Test
    void shouldSayWhetherMoreCommandsRun() {
        // given
        running(0, "c-1", 1);
        running(0, "c-2", 2);

        // then
        assertThat(page(1).path("isMore").asBoolean()).isTrue();
        assertThat(page(1).path("commands")).hasSize(1);
        assertThat(page(2).path("isMore").asBoolean(true)).isFalse();
        assertThat(page(2).path("commands")).hasSize(2);
        assertThat(page(3).path("commands")).hasSize(2);
    }

    @Test
    void shouldListNothingWhereNothingRuns() {
        assertThat(api.client.get("/v1/commands").json().path("commands")).isEmpty();
        assertThat(api.client.get("/v1/commands?limit=0").status()).isEqualTo(400);
    }

    private JsonNode page(int limit) {
        return api.client.get("/v1/commands?limit=" + limit).json();
    }

    private void running(int partition, String commandId, long startedMs) {
        api.ports.running.add(
                new RunningCommand(partition, commandId, "purge", "eva", true, Instant.ofEpochMilli(startedMs)));
    }
}
