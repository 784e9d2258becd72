package dev.ebb.topology.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A record that made a task fail is remembered until it has been set aside, and not much longer. */
@Tag("I-3")
class FailuresTest {

    private long nowNanos;
    private final Failures failures = new Failures(() -> nowNanos);

    @Test
    void shouldRememberAFailureForTheNextTaskOfThePartition() {
        // when
        failures.remember(1, "stream/a", "bang");
        pass(Duration.ofMinutes(50));

        // then
        assertThat(failures.of(1)).containsEntry("stream/a", "bang");
        assertThat(failures.of(0)).isEmpty();
        assertThat(failures.get(1, "stream/a")).isEqualTo("bang");
        assertThat(failures.get(0, "stream/a")).isNull();
    }

    @Test
    void shouldForgetWhatWasSetAsideSomeMinutesAgo() {
        // given
        failures.remember(1, "stream/a", "bang");
        failures.remember(1, "streams/c-1", "bang");
        failures.of(1);
        pass(FailedRecords.KEPT);
        assertThat(failures.get(1, "streams/c-1")).isEqualTo("bang");

        // when
        pass(Duration.ofSeconds(1));

        // then only what was asked for since is remembered
        assertThat(failures.of(1)).containsOnlyKeys("streams/c-1");
    }

    @Test
    void shouldForgetWhatNoTaskHasAskedForInALongTime() {
        // given a partition that has moved to another instance
        failures.remember(1, "stream/a", "bang");

        // when
        pass(Failures.KEPT_UNUSED.plusSeconds(1));

        // then
        assertThat(failures.of(1)).isEmpty();
    }

    private void pass(Duration time) {
        nowNanos += time.toNanos();
    }
}
