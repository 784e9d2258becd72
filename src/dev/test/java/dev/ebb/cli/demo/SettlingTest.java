package dev.ebb.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.cli.client.Json;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class SettlingTest {

    private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");

    private final Settling settling = new Settling(2, Clock.fixed(NOW, ZoneOffset.UTC));

    @Test
    void shouldWaitForEachThingInTurn() {
        // then
        assertThat(settling.waitingFor(Json.object())).contains("all partitions");
        assertThat(settling.waitingFor(status("null", 0, NOW.plusMillis(1), 0))).contains("first look");
        assertThat(settling.waitingFor(status("12", 0, NOW.plusMillis(1), 0))).contains("12 records");
        assertThat(settling.waitingFor(status("0", 0, NOW, 0))).contains("a sweep of partition 0");
        assertThat(settling.waitingFor(status("0", 3, NOW.plusMillis(1), 0))).contains("3 streams of partition 0");
        assertThat(settling.waitingFor(status("0", 0, NOW.plusMillis(1), 7))).contains("7 records on their way");
        assertThat(settling.waitingFor(status("0", 0, NOW.plusMillis(1), 0))).isEmpty();
    }

    @Test
    void shouldNotCountSweepsBeforeAllInputWasTakenIn() {
        // given
        settling.waitingFor(status("5", 0, NOW.minusMillis(10), 0));

        // then
        assertThat(settling.waitingFor(status("0", 0, NOW.minusMillis(5), 0))).contains("a sweep");
    }

    private static JsonNode status(String inputLag, int due, Instant lastSweep, int mirrorLag) {
        try {
            ObjectNode status = Json.object();
            for (int i = 0; i < 2; i++) {
                status.withArray("partitions")
                        .addObject()
                        .put("partition", i)
                        .put("dueStreams", due)
                        .put("movingStreams", 0)
                        .put("parkedRecords", 0)
                        .put("lastSweepPoint", lastSweep.toString());
            }
            status.putObject("input").set("lag", Json.parse(inputLag));
            status.putObject("mirror").put("lag", mirrorLag);
            return status;
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }
}
