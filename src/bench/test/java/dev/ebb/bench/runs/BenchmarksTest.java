package dev.ebb.bench.runs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.bench.harness.BenchSettings;
import dev.ebb.bench.harness.Benchmark;
import org.junit.jupiter.api.Test;

class BenchmarksTest {

    @Test
    void shouldHaveOneOfEachName() {
        assertThat(Benchmarks.all()).extracting(Benchmark::id).doesNotHaveDuplicates();
        assertThat(Benchmarks.all()).allSatisfy(benchmark -> assertThat(Benchmarks.find(benchmark.id()))
                .hasValue(benchmark));
    }

    @Test
    void shouldTakeLessThanHalfAnHourInTheShortForm() {
        assertThat(Benchmarks.rules(BenchSettings.Length.SHORT))
                .extracting(Benchmark::shortSeconds)
                .allMatch(seconds -> seconds > 0)
                .satisfies(all -> assertThat(
                                all.stream().mapToInt(Integer::intValue).sum())
                        .isLessThan(30 * 60));
    }
}
