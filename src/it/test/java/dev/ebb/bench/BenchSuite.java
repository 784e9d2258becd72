package dev.ebb.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.bench.harness.Benchmark;
import dev.ebb.bench.runs.Benchmarks;
import dev.ebb.cli.CommandRun;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Each measurement once, with few events: what is stored in the end must be right, however long it took. */
class BenchSuite {

    private static final String EVENTS = "5000";
    private static final String ONLY = System.getProperty("bench.only", "");
    private static final Path HOME = Path.of(Objects.requireNonNull(System.getProperty("ebb.home")));

    @TestFactory
    Stream<DynamicTest> measurements() {
        List<String> only = ONLY.isEmpty() ? List.of() : List.of(ONLY.split(","));
        return Benchmarks.all().stream()
                .map(Benchmark::id)
                .filter(id -> only.isEmpty() || only.contains(id))
                .map(id -> DynamicTest.dynamicTest("shouldMeasure " + id, () -> shouldMeasure(id)));
    }

    private static void shouldMeasure(String id) {
        // when
        Path figures = Path.of("target", "bench-once");
        CommandRun run = CommandRun.of(
                Map.of(), "", HOME, "bench", id, "--once", "--events", EVENTS, "--json", figures.toString());

        // then: runs that end in a wrong set of events are void
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()).contains(id);
    }
}
