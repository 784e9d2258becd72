package dev.ebb.bench.runs.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BehindTest {

    private final Behind behind = new Behind(Duration.ofSeconds(60));

    @ParameterizedTest
    @CsvSource({"2.9, false", "3.0, false", "3.1, true"})
    void shouldGrowWhereTheLastThirdIsMoreThanASecondWorse(double last, boolean isGrowing) {
        // when
        behind.seen(Duration.ofSeconds(30), 2);
        behind.seen(Duration.ofSeconds(50), last);

        // then
        assertThat(behind.isGrowing()).isEqualTo(isGrowing);
        assertThat(behind.most()).isEqualTo(last);
    }

    @Test
    void shouldTakeTheMostOfEachThird() {
        // when it was slow in the beginning, and twice in the middle
        behind.seen(Duration.ofSeconds(-5), 9);
        behind.seen(Duration.ofSeconds(20), 3);
        behind.seen(Duration.ofMillis(39_999), 1);
        behind.seen(Duration.ofSeconds(40), 4);
        behind.seen(Duration.ofSeconds(90), 3.5);

        // then
        assertThat(behind.most()).isEqualTo(9);
        assertThat(behind.isGrowing()).isFalse();
    }

    /** A third begins with its first moment and ends before that of the next. */
    @ParameterizedTest
    @CsvSource({"19999, false", "20000, false", "39999, false", "40000, true"})
    void shouldKnowTheThirds(long atMs, boolean isGrowing) {
        // when
        behind.seen(Duration.ofMillis(atMs), 5);

        // then
        assertThat(behind.isGrowing()).isEqualTo(isGrowing);
    }
}
