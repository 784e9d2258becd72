package dev.ebb.bench.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuietTest {

    private final AtomicInteger windows = new AtomicInteger();

    @ParameterizedTest
    @CsvSource({"199, 5", "200, 5", "201, 8"})
    void shouldBeginAnewWhereMoreIsUsed(long millis, int expected) throws InterruptedException {
        // when
        Quiet.await(() -> Duration.ofMillis(windows.incrementAndGet() == 3 ? millis : 30));

        // then
        assertThat(windows).hasValue(expected);
    }

    @Test
    void shouldSayThatTheProcessesNeverRest() {
        // when
        assertThatThrownBy(() ->
                        Quiet.await(() -> Duration.ofMillis(windows.incrementAndGet() % Quiet.WINDOWS == 0 ? 900 : 0)))
                // then
                .isInstanceOf(VoidRunException.class)
                .hasMessageContaining("still at work after 300 s");
        assertThat(windows).hasValue(Quiet.MOST_WINDOWS);
    }
}
