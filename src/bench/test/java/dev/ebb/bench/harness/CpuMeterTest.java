package dev.ebb.bench.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class CpuMeterTest {

    /** A child that works, says so, and ends when it is told to; then its parent says so. */
    private static final String PARENT =
            "sh -c 'i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; echo worked; read go'; echo ended; read go";

    /** See proc(5): fields 16 and 17. */
    @Test
    void shouldReadTheTimeOfEndedChildren() {
        // when
        Duration ended = CpuMeter.ofEnded("42 (a (b) c) S 1 42 42 0 -1 4194560 9 8 7 6 11 12 230 14 20 0 1 0 5 6 7");

        // then
        assertThat(ended).isEqualTo(Duration.ofMillis(2440));
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldCountAChildOnceBothWhileItLivesAndAfterItHasEnded() throws IOException, InterruptedException {
        Process parent = new ProcessBuilder("sh", "-c", PARENT).start();
        try (BufferedReader said = parent.inputReader(StandardCharsets.UTF_8)) {
            // given
            CpuMeter meter = new CpuMeter(OptionalLong.of(parent.pid()));
            assertThat(said.readLine()).isEqualTo("worked");
            Duration living = meter.ofOthers();
            assertThat(living).isGreaterThan(CpuMeter.of(parent.pid()));

            // when
            parent.outputWriter().append('\n').flush();
            assertThat(said.readLine()).isEqualTo("ended");

            // then
            assertThat(meter.ofOthers()).isGreaterThanOrEqualTo(living).isLessThan(living.multipliedBy(2));
        } finally {
            parent.destroy();
            parent.waitFor();
        }
    }
}
