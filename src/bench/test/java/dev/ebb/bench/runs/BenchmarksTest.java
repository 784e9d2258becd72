package dev.ebb.bench.runs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.bench.harness.BenchSettings;
import dev.ebb.bench.harness.Benchmark;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class BenchmarksTest {

    @Test
    void shouldSayOfEachHowLongItTakes() {
        assertThat(Benchmarks.all()).allSatisfy(benchmark -> assertThat(Benchmarks.shortTime(benchmark))
                .isPositive());
    }

    @Test
    void shouldTakeLessThanHalfAnHourInTheShortForm() {
        assertThat(sum(Benchmarks.rules(BenchSettings.Length.SHORT))).isLessThan(Duration.ofMinutes(30));
    }

    private static Duration sum(Iterable<Benchmark> benchmarks) {
        Duration sum = Duration.ZERO;
        for (Benchmark benchmark : benchmarks) {
            sum = sum.plus(Benchmarks.shortTime(benchmark));
        }
        return sum;
    }
}
