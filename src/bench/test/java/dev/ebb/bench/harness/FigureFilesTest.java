package dev.ebb.bench.harness;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FigureFilesTest {

    @TempDir
    private Path folder;

    @Test
    void shouldWriteWhatTheSpecificationNames() throws IOException {
        // given
        Figure pair = Figure.of(
                "B-1", "ingest", "events/s", "other", Target.ratioAtLeast(0.85, 1), List.of(new Figure.Pair(90, 100)));
        Figure alone = Figure.alone("B-8", "change", "s", Target.valueAtMost(2, 1), List.of(3.0));
        Figure skipped = Figure.skipped("B-9", "caps", "Redis", "skipped: it is not installed");

        // when
        write(pair, alone, skipped);

        // then
        JsonNode json = read("B-1");
        assertThat(json.fieldNames())
                .toIterable()
                .contains("id", "name", "value", "unit", "against", "ratio", "target", "reached", "machine", "date");
        assertThat(json.get("ratio").doubleValue()).isEqualTo(0.9);
        assertThat(json.get("reached").booleanValue()).isTrue();
        assertThat(read("B-8").get("ratio").isNull()).isTrue();
        assertThat(read("B-8").get("reached").booleanValue()).isFalse();
        assertThat(read("B-9").get("value").isNull()).isTrue();
        assertThat(read("B-9").get("note").textValue()).startsWith("skipped");
    }

    private void write(Figure... figures) throws IOException {
        var settings = new BenchSettings(folder, BenchSettings.Length.SHORT, false, 1, OptionalInt.empty());
        new FigureFiles(folder).write(List.of(figures), settings, Instant.EPOCH);
    }

    private JsonNode read(String id) throws IOException {
        return new ObjectMapper().readTree(folder.resolve(id + ".json").toFile());
    }
}
