package dev.ebb.bench.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.ebb.bench.harness.VoidRunException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class IntakeProgressTest {

    private static final Duration SOON = Duration.ofMillis(20);

    private final IntakeProgress intake = new IntakeProgress(3);

    @Test
    void shouldWaitForTheLastRecordOfEachPartition() throws InterruptedException {
        // when
        intake.taken(0, 4);
        intake.taken(2, 1);

        // then
        intake.await(new long[] {4, -1, 1}, SOON);
        assertThat(intake.count()).isEqualTo(7);
        assertThatExceptionOfType(VoidRunException.class)
                .isThrownBy(() -> intake.await(new long[] {5, -1, 1}, SOON))
                .withMessageContaining("not taken in");
    }

    @Test
    void shouldWaitForTheFirstRecordOfAnyPartition() throws InterruptedException {
        assertThatExceptionOfType(VoidRunException.class)
                .isThrownBy(() -> intake.awaitFirst(SOON))
                .withMessageContaining("not taken in");

        // when
        intake.taken(1, 7);

        // then
        intake.awaitFirst(SOON);
    }

    @Test
    void shouldNotWaitForWhatHasFailed() {
        // when
        intake.failed(new IllegalStateException("broken"));

        // then
        assertThatExceptionOfType(VoidRunException.class)
                .isThrownBy(() -> intake.await(new long[] {0, -1, -1}, Duration.ofMinutes(1)))
                .withMessageContaining("broken");
    }

    @Test
    void shouldMeasureGapsSinceTheReset() {
        // given
        intake.taken(0, 0);
        intake.taken(0, 1);
        assertThat(intake.longestGap()).isPositive();

        // when
        intake.reset();
        intake.taken(0, 2);

        // then
        assertThat(intake.longestGap()).isZero();
        assertThat(intake.firstNanos()).isEqualTo(intake.lastNanos());
    }
}
