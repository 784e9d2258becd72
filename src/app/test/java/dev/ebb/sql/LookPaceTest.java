package dev.ebb.sql;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("A-14")
class LookPaceTest {

    private long nowNanos;
    private final LookPace pace = new LookPace(() -> nowNanos);

    @Test
    void shouldLookAtOnceAndThenRarely() {
        assertThat(pace.isDue(true)).isTrue();
        assertThat(pace.isDue(true)).isFalse();

        nowNanos += LookPace.UNASKED.toNanos() - 1;
        assertThat(pace.isDue(true)).isFalse();

        nowNanos++;
        assertThat(pace.isDue(true)).isTrue();
        assertThat(pace.isDue(true)).isFalse();
    }

    @Test
    void shouldLookAtTheNextOccasionForOneWhoAsks() {
        // given
        pace.isDue(true);

        // when
        pace.ask();

        // then
        assertThat(pace.isDue(true)).isTrue();
        assertThat(pace.isDue(true)).isFalse();
    }

    @Test
    void shouldLookAtEachOccasionWhileSomethingIsWrong() {
        pace.isDue(true);

        assertThat(pace.isDue(false)).isTrue();
        assertThat(pace.isDue(false)).isTrue();
    }
}
