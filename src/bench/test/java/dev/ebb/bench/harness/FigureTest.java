package dev.ebb.bench.harness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.bench.harness.Figure.Pair;
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
        assertThat(figure.ratio()).hasValue(0.6);
        assertThat(figure.value()).isEqualTo(50);
        assertThat(figure.againstValue()).hasValue(100);
    }

    @Test
    void shouldTakeTheMiddleOfTwo() {
        assertThat(figure(new Pair(1, 4), new Pair(3, 4)).ratio()).hasValue(0.5);
    }

    @ParameterizedTest
    @CsvSource({"84, MISSED", "85, GATE", "86, GATE", "99, GATE", "100, AIM", "101, AIM"})
    void shouldReachGateAndAimAtTheirLimits(double value, Grade grade) {
        assertThat(figure(new Pair(value, 100)).grade()).isEqualTo(grade);
    }

    private static Figure figure(Pair... pairs) {
        return Figure.of("B-0", "test", "events/s", "nothing", Target.ratioAtLeast(0.85, 1), List.of(pairs));
    }
}
