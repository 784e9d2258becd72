package dev.ebb.runtime.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("O-18")
class HeapWatchTest {

    private double share;
    private long nanos;
    private final HeapWatch watch = new HeapWatch(() -> share, () -> nanos);

    @ParameterizedTest
    @CsvSource({"59, false", "60, true", "61, true"})
    void shouldReportAHeapThatHasBeenFullForAMinute(long seconds, boolean isReported) {
        // given
        share = 0.95;
        assertThat(watch.problem()).isNull();

        // when
        pass(seconds);

        // then
        assertThat(watch.problem() != null).isEqualTo(isReported);
    }

    @ParameterizedTest
    @CsvSource({"0.89, false", "0.90, false", "0.91, true"})
    void shouldTakeMoreThanNineTenthsForFull(double used, boolean isReported) {
        // given
        share = used;
        watch.problem();

        // when
        pass(60);

        // then
        assertThat(watch.problem() != null).isEqualTo(isReported);
    }

    @Test
    void shouldForgetAFullHeapOnceThereIsRoom() {
        // given
        share = 0.97;
        watch.problem();
        pass(75);
        assertThat(watch.problem()).isEqualTo("the heap has been full for 75 s: 97 % are used after a collection");

        // when
        share = 0.5;

        // then
        assertThat(watch.problem()).isNull();

        // when it fills again, for less than a minute
        share = 0.97;
        watch.problem();
        pass(30);

        // then
        assertThat(watch.problem()).isNull();
    }

    @Test
    void shouldSeeTheHeapOfThisProcess() {
        assertThat(HeapWatch.ofProcess().share()).isBetween(0.0, 1.0);
        assertThat(HeapWatch.ofProcess().problem()).isNull();
    }

    /** A small heap of a real process, with each collector that the JVM may choose. */
    @ParameterizedTest
    @ValueSource(strings = {"-XX:+UseG1GC", "-XX:+UseSerialGC"})
    @Timeout(60)
    void shouldNoticeAFullHeapOfAProcessAndThatItIsOver(String collector) throws Exception {
        // when
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx96m",
                        collector,
                        "-cp",
                        System.getProperty("java.class.path"),
                        FullHeap.class.getName())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        // then
        assertThat(said.strip()).isEqualTo("true true");
    }

    private void pass(long seconds) {
        nanos += Duration.ofSeconds(seconds).toNanos();
    }
}
