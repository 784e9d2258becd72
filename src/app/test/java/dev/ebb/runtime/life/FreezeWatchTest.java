package dev.ebb.runtime.life;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("A-18")
class FreezeWatchTest {

    private static final Duration SESSION = Duration.ofSeconds(30);

    private long nowMs;
    private final FreezeWatch watch =
            new FreezeWatch(SESSION, () -> Duration.ofMillis(nowMs).toNanos());

    @ParameterizedTest
    @CsvSource({
        "29999, 0, false",
        "30000, 0, true",
        "30001, 0, true",
        "60000, 4999, true",
        "60000, 5000, false",
        "60000, 5001, false",
    })
    void shouldDistrustAStateThatMayHaveBeenTakenOver(long frozenMs, long sinceMs, boolean isDistrusted) {
        // given
        nowMs += 1000;
        watch.run();
        assertThat(watch.problem()).isNull();

        // when
        nowMs += frozenMs;
        watch.run();
        for (long waited = 0; waited < sinceMs; waited += 1000) {
            nowMs += Math.min(1000, sinceMs - waited);
            watch.run();
        }

        // then
        assertThat(watch.problem() != null).isEqualTo(isDistrusted);
        if (isDistrusted) {
            assertThat(watch.problem()).startsWith("this instance stood still for " + frozenMs / 1000 + " s");
        }
    }
}
