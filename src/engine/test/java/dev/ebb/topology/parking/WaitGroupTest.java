package dev.ebb.topology.parking;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.Wait;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When streams that wait are tried again. */
@Tag("O-20")
class WaitGroupTest {

    private static final long T0 = 1_800_000_000_000L;

    private final WaitGroup group = new WaitGroup(Wait.of("schema 7"));

    @ParameterizedTest
    @CsvSource({"1, 99, false", "1, 100, true", "2, 199, false", "2, 200, true", "99, 9999, false", "99, 10000, true"})
    void shouldTryLaterEachTimeAndTenSecondsAtTheMost(int failures, long afterMs, boolean isTried) {
        // given
        for (int i = 0; i < failures; i++) {
            group.failed(T0);
        }

        // then
        assertThat(group.isTried(T0 + afterMs)).isEqualTo(isTried);
    }

    /** Its next try lay further ahead than any pause is long. */
    @Test
    void shouldTryAtOnceWhenTheClockHasBeenPutBack() {
        // given
        group.failed(T0 + 7_200_000);

        // then
        assertThat(group.isTried(T0)).isTrue();
    }
}
