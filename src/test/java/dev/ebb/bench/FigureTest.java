package dev.ebb.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.bench.Figure.Pair;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FigureTest {

    @Test
    void shouldTakeTheMedianOfTheRatiosOfPairs() {
        // when
        Figure figure = figure(new Pair(10, 100), new Pair(60, 100), new Pair(50, 50));

        // then
        assertThat(figure.ratio()).isEqualTo(0.6);
        assertThat(figure.value()).isEqualTo(50);
        assertThat(figure.againstValue()).isEqualTo(100);
    }

    @Test
    void shouldTakeTheMiddleOfTwo() {
        assertThat(figure(new Pair(1, 4), new Pair(3, 4)).ratio()).isEqualTo(0.5);
    }

    @ParameterizedTest
    @CsvSource({"84, false", "85, true", "86, true"})
    void shouldReachTheTargetAtItsGate(double value, boolean isReached) {
        assertThat(figure(new Pair(value, 100)).reached()).isEqualTo(isReached);
    }

    private static Figure figure(Pair... pairs) {
        return Figure.of("B-0", "test", "events/s", "nothing", new Target(0.85), List.of(pairs));
    }
}
