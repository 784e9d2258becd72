package dev.ebb.runtime.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.port.HealthSource.Health;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.streams.KafkaStreams.State;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("O-18")
class ApplicationHealthTest {

    private final AtomicReference<String> waitingFor = new AtomicReference<>();
    private final AtomicReference<State> state = new AtomicReference<>(State.CREATED);
    private String clockProblem;
    private String failures;
    private String exhaustion;
    private boolean isServing;
    private final ApplicationHealth health = new ApplicationHealth(
            waitingFor::get,
            state::get,
            () -> state.get() == State.RUNNING || isServing,
            () -> clockProblem,
            () -> failures,
            () -> exhaustion);

    @Test
    void shouldBeAliveButNotReadyWhileTheRegistryIsAway() {
        // given
        waitingFor.set("the schema registry: no answer");

        // then
        String reason = "waiting for the schema registry: no answer";
        assertThat(health.live()).isEqualTo(new Health(true, reason));
        assertThat(health.ready()).isEqualTo(new Health(false, reason));
        assertThat(health.started()).isEqualTo(new Health(false, reason));
    }

    @Test
    @Tag("O-7")
    void shouldStayReadyAndSayWhyItDoesNotSweep() {
        // given
        state.set(State.RUNNING);
        clockProblem = "the clock of this instance is 12m ahead of the broker's";

        // then
        assertThat(health.ready()).isEqualTo(new Health(true, "running; sweeping is stopped: " + clockProblem));
    }

    @Test
    void shouldNotBeReadyWhileItIsExhausted() {
        // given
        state.set(State.RUNNING);

        // when
        exhaustion = "the heap has been full for 75 s: 97 % are used after a collection";

        // then
        assertThat(health.ready()).isEqualTo(new Health(false, exhaustion + "; running"));
        assertThat(health.live().isUp()).isTrue();

        // when
        exhaustion = null;

        // then
        assertThat(health.ready()).isEqualTo(new Health(true, "running"));
    }

    @Test
    @Tag("A-18")
    void shouldStayReadyWhileOtherPartitionsMove() {
        // given
        state.set(State.REBALANCING);
        isServing = true;

        // then
        assertThat(health.ready()).isEqualTo(new Health(true, "partitions are being assigned or restored"));
    }

    @ParameterizedTest
    @EnumSource(
            value = State.class,
            names = {"RUNNING", "REBALANCING"})
    void shouldStayAliveAndNameTheFailure(State now) {
        // given
        state.set(now);
        failures = "threads failed in the last 10m: partition 3 (once); see the log";

        // then
        assertThat(health.live().isUp()).isTrue();
        assertThat(health.live().reason()).endsWith("; " + failures);
        assertThat(health.ready().isUp()).isEqualTo(now == State.RUNNING);
    }

    @ParameterizedTest
    @CsvSource({
        "RUNNING, true, true, true, running",
        "REBALANCING, true, false, true, partitions are being assigned or restored",
        "NOT_RUNNING, true, false, true, 'drained: others keep its partitions; stop it, or restart it to bring it back'",
        "PENDING_SHUTDOWN, true, false, true, the streams are PENDING_SHUTDOWN",
        "PENDING_ERROR, false, false, true, the streams are PENDING_ERROR",
        "ERROR, false, false, true, the streams are ERROR",
    })
    void shouldFollowTheStreamsOnceItHasStarted(
            State now, boolean isLive, boolean isReady, boolean isStarted, String reason) {
        // given
        state.set(now);

        // then
        assertThat(health.live().isUp()).isEqualTo(isLive);
        assertThat(health.ready()).isEqualTo(new Health(isReady, reason));
        assertThat(health.started()).isEqualTo(new Health(isStarted, reason));
    }
}
