package dev.ebb.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("A-14")
class RestartBackOffTest {

    private static final Instant T0 = Instant.parse("2026-11-21T10:00:00Z");

    private final RestartBackOff backOff = new RestartBackOff();

    @Test
    void shouldWaitTwiceAsLongEachTimeUpToAMinute() {
        // when
        List<Long> restarts = new ArrayList<>();
        for (int second = 0; second <= 243; second++) {
            if (backOff.failed(T0.plusSeconds(second))) {
                backOff.restarted(T0.plusSeconds(second));
                restarts.add((long) second);
            }
        }

        // then
        assertThat(restarts).containsExactly(1L, 3L, 7L, 15L, 31L, 63L, 123L, 183L, 243L);
        assertThat(backOff.restarts()).isEqualTo(9);
    }

    @Test
    void shouldKeepTheDelayOfOneThatFailsAgainAtOnce() {
        // given
        failAndRestart(T0);

        // when
        backOff.running(T0.plusSeconds(2));
        backOff.running(T0.plusSeconds(61));
        backOff.failed(T0.plusSeconds(62));

        // then
        assertThat(backOff.failed(T0.plusMillis(63_999))).isFalse();
        assertThat(backOff.failed(T0.plusSeconds(64))).isTrue();
    }

    @Test
    void shouldBeginAnewAfterAMinuteOfRunning() {
        // given
        failAndRestart(T0);

        // when
        backOff.running(T0.plusSeconds(2));
        backOff.running(T0.plusSeconds(62));
        backOff.failed(T0.plusSeconds(63));

        // then
        assertThat(backOff.failed(T0.plusSeconds(64))).isTrue();
    }

    private void failAndRestart(Instant at) {
        backOff.failed(at);
        assertThat(backOff.failed(at.plusSeconds(1))).isTrue();
        backOff.restarted(at.plusSeconds(1));
    }
}
