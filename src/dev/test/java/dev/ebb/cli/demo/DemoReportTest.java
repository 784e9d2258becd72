package dev.ebb.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.outcome.CommandFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoReportTest {

    private static final EventRef A = new EventRef("s", "a");
    private static final EventRef HOSTILE = new EventRef("s\"/\u00e9", "\uD83D\uDE00");

    @TempDir
    private Path folder;

    @Test
    void shouldWriteBothSidesAndTheCounts() throws IOException {
        // given
        JsonNode status = Json.parse("{\"counts\":{\"ingested\":5,\"updated\":1,\"orphaned\":2,\"rejected\":3,"
                + "\"removed\":{\"MAX_AGE\":{\"events\":12,\"bytes\":7}}},"
                + "\"partitions\":[{\"lastSweepPoint\":\"1970-01-01T00:00:09Z\",\"lastDeletePoint\":\"1970-01-01T00:00:05Z\"},"
                + "{\"lastSweepPoint\":\"1970-01-01T00:00:09Z\",\"lastDeletePoint\":null}]}");

        // when
        new DemoReport(4, status, new Comparison(List.of(A, HOSTILE), List.of(A, HOSTILE))).write(folder);

        // then
        assertThat(Json.compact(Json.parse(Files.readString(folder.resolve("report.json")))))
                .isEqualTo("{\"unreadable\":4,\"ingested\":5,\"updated\":1,\"orphaned\":2,\"rejected\":3,\"stored\":2,"
                        + "\"sql\":2,\"removed\":{\"MAX_AGE\":12},\"sweepPoint\":5000,\"agree\":true}");
        assertThat(Files.readAllLines(folder.resolve("events.jsonl")))
                .containsExactly(
                        "{\"stream\":\"s\",\"id\":\"a\"}", "{\"stream\":\"s\\\"/\u00e9\",\"id\":\"\uD83D\uDE00\"}");
        assertThat(Files.readAllLines(folder.resolve("sql.jsonl"))).hasSize(2);
    }

    @Test
    void shouldNeverWriteThroughALink() throws IOException {
        for (String name : List.of("events.jsonl", "sql.jsonl", "report.json")) {
            // given
            Path goal = Files.writeString(folder.resolve("goal"), "mine");
            Path link = Files.createSymbolicLink(folder.resolve(name), goal);
            DemoReport report =
                    new DemoReport(0, Json.parse("{\"partitions\":[]}"), new Comparison(List.of(A), List.of(A)));

            // then
            assertThatThrownBy(() -> report.write(folder))
                    .isInstanceOf(CommandFailure.class)
                    .hasMessageContaining(name + ": it is a symbolic link to " + goal);
            assertThat(goal).hasContent("mine");
            Files.delete(link);
        }
    }

    @Test
    void shouldNameTheLastSweepIfNoneDeletedAnything() throws JsonProcessingException {
        // given
        JsonNode status = Json.parse("{\"partitions\":[{\"lastSweepPoint\":\"1970-01-01T00:00:03Z\"},"
                + "{\"lastSweepPoint\":\"1970-01-01T00:00:04Z\"}]}");

        // then
        assertThat(new DemoReport(0, status, new Comparison(List.of(), List.of()))
                        .json()
                        .path("sweepPoint")
                        .asLong())
                .isEqualTo(4000);
    }

    @Test
    void shouldNotAgreeIfARowIsTwiceInSql() {
        assertThat(new Comparison(List.of(A), List.of(A, A)).agrees()).isFalse();
        assertThat(new Comparison(List.of(A), List.of(HOSTILE)).agrees()).isFalse();
    }
}
