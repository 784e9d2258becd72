package dev.ebb.bench.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.bench.harness.VoidRunException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HeadwayTest {

    private final List<String> told = new ArrayList<>();
    private long nowNanos;
    private final Headway headway = new Headway("events are stored", 10_000, told::add, () -> nowNanos);

    @ParameterizedTest
    @CsvSource({"9999, false", "10000, true", "10001, true"})
    void shouldBeDoneWhereThereAreAsManyAsWanted(long count, boolean isDone) {
        // when
        boolean actual = headway.isDone(count);

        // then
        assertThat(actual).isEqualTo(isDone);
    }

    @Test
    void shouldWaitForAsLongAsThereAreMore() {
        // when
        for (int count = 0; count < 10_000; count++) {
            pass(Duration.ofMinutes(2));
            assertThat(headway.isDone(count)).isFalse();
        }

        // then
        assertThat(headway.isDone(10_000)).isTrue();
    }

    @Test
    void shouldGiveUpWhereItStandsStill() {
        // given
        pass(Duration.ofMinutes(1));
        assertThat(headway.isDone(2500)).isFalse();
        pass(Duration.ofMinutes(2).minusNanos(1));
        assertThat(headway.isDone(2500)).isFalse();
        pass(Duration.ofNanos(1));
        assertThat(headway.isDone(2500)).isFalse();
        pass(Duration.ofNanos(1));

        // when
        assertThatThrownBy(() -> headway.isDone(2500))
                // then
                .isInstanceOf(VoidRunException.class)
                .hasMessage("2,500 of 10,000 events are stored, and no more for 120 s");
    }

    @Test
    void shouldNotGiveUpWhereItWasDoneMeanwhile() {
        // given
        pass(Duration.ofHours(1));

        // when
        boolean isDone = headway.isDone(10_000);

        // then
        assertThat(isDone).isTrue();
    }

    @Test
    void shouldTellEveryHalfMinute() {
        // when
        for (int second = 1; second <= 90; second++) {
            pass(Duration.ofSeconds(1));
            assertThat(headway.isDone(second * 100L)).isFalse();
        }

        // then
        assertThat(told)
                .containsExactly(
                        "3,000 of 10,000 events are stored",
                        "6,000 of 10,000 events are stored",
                        "9,000 of 10,000 events are stored");
    }

    private void pass(Duration time) {
        nowNanos += time.toNanos();
    }
}
