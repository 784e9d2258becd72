package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.change.BrakeLimits;
import dev.ebb.domain.policy.change.WaitingPolicy;
import dev.ebb.topology.observe.TaskStatus.SweepState;
import dev.ebb.topology.parts.TopologySettings;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
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

    /** Its repair ends the quarantine, and by then the time is confirmed. */
    @Test
    @Tag("I-3")
    void shouldCountAQuarantinedStream() {
        // given a stream that is quarantined, with events that fall due during the stop
        fixture.policy(maxAge(Scope.namespace("damaged"), 10 * DAY_MS));
        for (int i = 0; i < 30; i++) {
            fixture.event(event("damaged/1", "d" + i));
            fixture.event(event("orders/1", "e" + i));
        }
        Damage.cut(fixture, Damage.first(fixture, 1));
        Scope damaged = Scope.stream("damaged/1");
        fixture.policy(maxAge(damaged, 1000));
        fixture.settleFor(10);
        assertThat(fixture.status().quarantined()).containsOnlyKeys("damaged/1");
        fixture.removePolicy(damaged);
        fixture.settleFor(5);

        // when
        fixture.startAt(fixture.nowMs() + 14 * DAY_MS);
        fixture.settleFor(30);

        // then
        assertThat(fixture.view().waiting()).singleElement().satisfies(waiting -> {
            assertThat(waiting.key()).isEqualTo(PolicyKey.CLOCK);
            assertThat(Objects.requireNonNull(waiting.finding()).wouldDelete()).isEqualTo(30);
        });
    }

    private static RetentionPolicy maxAge(Scope scope, long ms) {
        return RetentionPolicy.of(scope).maxAge(Limit.of(ms)).confirmed(true).build();
    }

    private static TopologySettings settings() {
        return new SettingsLike(TopologyFixture.settings(OptionalLong.of(1000), 10_000))
                .brakeLimits(new BrakeLimits(20, 10, 0))
                .make();
    }
}
