package dev.ebb.bench.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TargetTest {

    @ParameterizedTest
    @CsvSource({"0.84, MISSED", "0.85, GATE", "0.99, GATE", "1.00, AIM", "1.01, AIM", "NaN, MISSED"})
    void shouldGradeWhatShouldBeMuch(double measured, Grade grade) {
        assertThat(Target.ratioAtLeast(0.85, 1).grade(1e9, OptionalDouble.of(measured)))
                .isEqualTo(grade);
        assertThat(Target.valueAtLeast(0.85, 1).grade(measured, OptionalDouble.of(1e9)))
                .isEqualTo(grade);
    }

    @ParameterizedTest
    @CsvSource({"61, MISSED", "60, GATE", "46, GATE", "45, AIM", "44, AIM", "NaN, MISSED"})
    void shouldGradeWhatShouldBeLittle(double measured, Grade grade) {
        assertThat(Target.valueAtMost(60, 45).grade(measured, OptionalDouble.of(0)))
                .isEqualTo(grade);
        assertThat(Target.ratioAtMost(60, 45).grade(0, OptionalDouble.of(measured)))
                .isEqualTo(grade);
    }

    @Test
    void shouldMissARatioThatIsNotThere() {
        assertThat(Target.ratioAtLeast(0.85, 1).grade(1e9, OptionalDouble.empty()))
                .isEqualTo(Grade.MISSED);
    }

    @Test
    void shouldAskNothingOfWhatIsReported() {
        assertThat(Target.REPORTED.grade(0, OptionalDouble.empty())).isEqualTo(Grade.REPORTED);
        assertThat(Target.REPORTED).hasToString("reported");
    }

    @Test
    void shouldPrintItsLimits() {
        assertThat(Target.ratioAtMost(1e-4, 1e-5)).hasToString("≤ 0.0001, aim 0.00001");
        assertThat(Target.valueAtLeast(10_000, 20_000)).hasToString("≥ 10000, aim 20000");
    }
}
