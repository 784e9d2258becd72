package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.change.BrakeLimits;
import dev.ebb.domain.policy.change.WaitingPolicy;
import dev.ebb.topology.observe.TaskStatus.SweepState;
import dev.ebb.topology.parts.TopologySettings;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** After a stop of weeks the first sweep is counted, and waits only if it would take much (T-14). */
@Tag("T-14")
class LongStopIsCountedFirstTest {

    private static final long DAY_MS = Duration.ofDays(1).toMillis();

    private final TopologyFixture fixture = TopologyFixture.inMemory(settings());

    @AfterEach
    void close() {
        fixture.close();
    }

    @ParameterizedTest
    @CsvSource({"19,false", "20,false", "21,true"})
    void shouldWaitOnlyForMoreThanTheBrakeAllows(int due, boolean waits) {
        // given events of which some fall due during the stop
        for (int i = 0; i < 100; i++) {
            var event = event("orders/" + i % 3, "e" + i);
            fixture.event(i < due ? event.ttlSeconds(10 * DAY_MS / 1000) : event);
        }
        fixture.settleFor(5);

        // when
        fixture.startAt(fixture.nowMs() + 14 * DAY_MS);
        fixture.settleFor(30);

        // then
        assertThat(fixture.stored()).hasSize(waits ? 100 : 100 - due);
        assertThat(fixture.status().sweepState()).isEqualTo(waits ? SweepState.CLOCK_UNCONFIRMED : SweepState.IDLE);
        assertThat(fixture.view().waiting())
                .extracting(WaitingPolicy::key)
                .isEqualTo(waits ? List.of(PolicyKey.CLOCK) : List.of());
    }

    private static TopologySettings settings() {
        return new SettingsLike(TopologyFixture.settings(OptionalLong.of(1000), 10_000))
                .brakeLimits(new BrakeLimits(20, 10, 0))
                .make();
    }
}
