package dev.ebb.runtime.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("A-17")
class CollectorWatchTest {

    private long collectedMs = 40_000;
    private long nanos = -5;
    private final CollectorWatch watch = new CollectorWatch(() -> collectedMs, () -> nanos);

    @ParameterizedTest
    @CsvSource({"29_999, false", "30_000, false", "30_001, true"})
    void shouldReportACollectorThatTakesMoreThanHalfOfAMinute(long ms, boolean isReported) {
        // given
        assertThat(watch.problem()).isNull();

        // when
        pass(60, ms);

        // then
        assertThat(watch.problem() != null).isEqualTo(isReported);
    }

    @ParameterizedTest
    @CsvSource({"59, false", "60, true", "61, true"})
    void shouldNotReportBeforeAMinuteIsOver(long seconds, boolean isReported) {
        // given
        watch.problem();

        // when
        pass(seconds, 1000 * seconds);

        // then
        assertThat(watch.problem() != null).isEqualTo(isReported);
    }

    @Test
    void shouldLookAtTheLastMinuteAlone() {
        // given: a minute of nothing but collections, seen every five seconds
        watch.problem();
        for (int i = 0; i < 12; i++) {
            pass(5, 5000);
            watch.problem();
        }
        assertThat(watch.problem())
                .isEqualTo(
                        "garbage collections took 100 % of the last 60 s: the heap is too small for the work. Give the"
                                + " process more memory, or take work from it");

        // when: half a minute of work
        for (int i = 0; i < 6; i++) {
            pass(5, 0);
            watch.problem();
        }

        // then
        assertThat(watch.problem()).isNull();
    }

    @Test
    void shouldNotTakeAPauseOfTheProcessForCollections() {
        // given
        watch.problem();

        // when
        pass(7200, 100);

        // then
        assertThat(watch.problem()).isNull();
    }

    @Test
    void shouldSeeTheCollectorsOfThisProcess() {
        assertThat(CollectorWatch.ofProcess().problem()).isNull();
    }

    private void pass(long seconds, long ms) {
        nanos += Duration.ofSeconds(seconds).toNanos();
        collectedMs += ms;
    }
}
