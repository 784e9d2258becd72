package dev.ebb.bench.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MediansTest {

    @Test
    void shouldTakeTheMiddleWhateverTheOrder() {
        assertThat(Medians.of(List.of(9.0, 1.0, 5.0))).isEqualTo(5);
        assertThat(Medians.of(List.of(4.0, 1.0, 2.0, 100.0))).isEqualTo(3);
        assertThat(Medians.of(List.of(7.0))).isEqualTo(7);
    }

    @ParameterizedTest
    @CsvSource({"0.01, 1", "0.98, 98", "0.99, 99", "0.995, 100", "1, 100"})
    void shouldTakeThePercentileByItsRank(double share, double expected) {
        List<Double> values =
                IntStream.rangeClosed(1, 100).mapToObj(value -> (double) value).toList();
        assertThat(Medians.percentile(values, share)).isEqualTo(expected);
    }

    @Test
    void shouldRefuseNothing() {
        assertThatIllegalArgumentException().isThrownBy(() -> Medians.of(List.of()));
        assertThatIllegalArgumentException().isThrownBy(() -> Medians.percentile(List.of(), 0.99));
    }
}
