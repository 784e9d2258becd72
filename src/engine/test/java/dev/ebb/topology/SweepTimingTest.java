package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.topology.TopologyFixture.T0;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.topology.observe.CatchUp;
import dev.ebb.topology.observe.TaskStatus.SweepState;
import dev.ebb.topology.parts.TopologySettings;
import java.time.Duration;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** When a sweep runs, and what it waits for. */
@Tag("O-1")
class SweepTimingTest {

    private TopologyFixture fixture = TopologyFixture.inMemory(TopologyFixture.settings(OptionalLong.empty(), 10_000));

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void shouldSweepAStreamWithoutTraffic() {
        // given
        fixture.policy(RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(10_000)).build());
        fixture.event(event("s", "a"));

        // when
        for (int i = 0; i < 10; i++) {
            fixture.advance(1000);
        }

        // then
        assertThat(fixture.ids("s")).containsExactly("a");
        fixture.advance(1000);
        assertThat(fixture.ids("s")).isEmpty();
    }

    @Test
    @Tag("O-7")
    void shouldNotSweepByAClockThatCannotBeTrusted() {
        // given
        fixture.policy(RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(1)).build());
        fixture.clockProblem("the clock of this instance is 12m ahead of the broker's");
        fixture.event(event("s", "a"));

        // when
        fixture.advance(10_000);

        // then
        assertThat(fixture.ids("s")).containsExactly("a");
        assertThat(fixture.status().sweepState()).isEqualTo(SweepState.CLOCK_GUARD);
        fixture.clockProblem(null);
        fixture.advance(1000);
        assertThat(fixture.ids("s")).isEmpty();
        assertThat(fixture.status().sweepState()).isEqualTo(SweepState.IDLE);
    }

    @Test
    @Tag("O-7")
    @Tag("I-1")
    void shouldNotDeleteWhatWasStoredByAClockThatWasBehind() {
        // given
        long month = Duration.ofDays(30).toMillis();
        fixture.policy(RetentionPolicy.of(Scope.ALL)
                .maxAge(Limit.of(Duration.ofDays(1).toMillis()))
                .build());
        fixture.clockIsAhead(-month);
        fixture.event(event("s", "a"));
        assertThat(fixture.stored())
                .singleElement()
                .extracting(StoredEvent::storedAt)
                .isEqualTo(T0 + month);

        // when
        fixture.clockProblem(null);
        fixture.advance(month);
        fixture.advance(1000);

        // then
        assertThat(fixture.ids("s")).containsExactly("a");
        fixture.advance(Duration.ofDays(1).toMillis());
        assertThat(fixture.ids("s")).isEmpty();
    }

    @Test
    @Tag("O-7")
    void shouldHearOfAClockThatCannotBeTrustedWhileThereIsNothingToDo() {
        // given
        fixture.event(event("s", "a"));
        fixture.advance(1000);
        fixture.advance(1000);

        // when
        fixture.clockProblem("the clock of this instance is 12m ahead of the broker's");
        fixture.advance(1000);

        // then
        assertThat(fixture.status().sweepState()).isEqualTo(SweepState.CLOCK_GUARD);
    }

    @Test
    void shouldSweepEachStreamAtTheIntervalOfItsPolicy() {
        // given
        fixture.policy(RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(1)).build());
        fixture.policy(
                RetentionPolicy.of(Scope.namespace("slow")).intervalMs(10_000L).build());
        fixture.event(event("slow/1", "first"));
        fixture.advance(1000);
        assertThat(fixture.ids("slow/1")).as("a sweep is due at once").isEmpty();

        // when
        fixture.event(event("slow/1", "a"));
        fixture.event(event("quick/1", "a"));
        fixture.advance(1000);

        // then
        assertThat(fixture.ids("quick/1")).isEmpty();
        assertThat(fixture.ids("slow/1")).containsExactly("a");
        for (int i = 0; i < 8; i++) {
            fixture.advance(1000);
        }
        assertThat(fixture.ids("slow/1")).containsExactly("a");
        fixture.advance(1000);
        assertThat(fixture.ids("slow/1")).isEmpty();
    }

    @Test
    void shouldLetTheSettingStandInPlaceOfEveryInterval() {
        // given
        fixture.close();
        fixture = TopologyFixture.inMemory(TopologyFixture.settings(OptionalLong.of(1000), 10_000));
        fixture.policy(RetentionPolicy.of(Scope.ALL)
                .maxAge(Limit.of(1))
                .intervalMs(3_600_000L)
                .build());
        fixture.event(event("s", "a"));
        fixture.advance(1000);

        // when
        fixture.event(event("s", "b"));
        fixture.advance(1000);

        // then
        assertThat(fixture.ids("s")).isEmpty();
    }

    @Test
    void shouldSweepAtOnceAfterAStart() {
        // given
        fixture.policy(RetentionPolicy.of(Scope.ALL)
                .maxAge(Limit.of(1))
                .intervalMs(3_600_000L)
                .build());
        fixture.event(event("s", "a"));
        fixture.advance(1000);
        fixture.event(event("s", "b"));
        fixture.advance(1000);
        assertThat(fixture.ids("s")).containsExactly("b");

        // when
        fixture.restart();
        fixture.advance(1000);

        // then
        assertThat(fixture.ids("s")).isEmpty();
    }

    @Test
    void shouldTakeInWhatItsTopicsHeldBeforeItDeletes() {
        // given
        fixture.policy(RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(1)).build());
        fixture.event(event("s", "a"));
        fixture.catchUp.isCaughtUp = false;
        fixture.restart();

        // when
        fixture.advance(5000);

        // then
        assertThat(fixture.ids("s")).containsExactly("a");
        assertThat(fixture.status().sweepState()).isEqualTo(SweepState.WAITING_FOR_INPUT);

        // when the input is there
        fixture.catchUp.isCaughtUp = true;
        fixture.advance(1000);

        // then
        assertThat(fixture.ids("s")).isEmpty();
    }

    @Test
    void shouldTakeNothingInAndDeleteNothingBeforeThePoliciesAreThere() {
        // given
        fixture.close();
        fixture = TopologyFixture.inMemory(TopologyFixture.settings(OptionalLong.of(1), 10_000));
        fixture.catchUp.policiesTarget = CatchUp.UNKNOWN;
        fixture.event(event("s", "a").occurredAt(T0));
        fixture.advance(1000);

        // then
        assertThat(fixture.status().sweepState()).isEqualTo(SweepState.WAITING_FOR_POLICIES);
        assertThat(fixture.status().parkedRecords()).isEqualTo(1);
        assertThat(fixture.ids("s")).isEmpty();

        // when it is known that one policy is missing
        fixture.catchUp.policiesTarget = 0;
        fixture.advance(1000);
        assertThat(fixture.status().sweepState()).isEqualTo(SweepState.WAITING_FOR_POLICIES);

        // when it comes
        fixture.policy(RetentionPolicy.of(Scope.ALL).maxAge(Limit.NONE).build());
        fixture.advance(1000);

        // then
        assertThat(fixture.status().sweepState()).isEqualTo(SweepState.IDLE);
        assertThat(fixture.status().parkedRecords()).isZero();
        assertThat(fixture.ids("s")).containsExactly("a");
    }

    @Test
    void shouldNotWaitForPoliciesThatTheGateHasRefused() {
        // given
        fixture.close();
        fixture = TopologyFixture.inMemory(TopologyFixture.settings(OptionalLong.of(1), 10_000));
        fixture.catchUp.policiesTarget = 0;

        // when
        fixture.policy(RetentionPolicy.of(Scope.ALL).intervalMs(-1L).build());
        fixture.advance(1000);

        // then
        assertThat(fixture.status().sweepState()).isEqualTo(SweepState.IDLE);
    }

    @Test
    @Tag("O-20")
    void shouldDeleteNothingWhileAPolicyCannotBeRead() {
        // given
        fixture.policy(RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(1)).build());
        fixture.event(event("s", "a"));
        fixture.records.registryDown(true);

        // when
        fixture.policy(RetentionPolicy.of(Scope.ALL).maxAge(Limit.NONE).build());
        fixture.advance(5000);

        // then
        assertThat(fixture.status().sweepState()).isEqualTo(SweepState.POLICY_UNREADABLE);
        assertThat(fixture.ids("s")).containsExactly("a");

        // when the registry is back
        fixture.records.registryDown(false);
        fixture.advance(1000);
        fixture.advance(1000);

        // then
        assertThat(fixture.status().sweepState()).isEqualTo(SweepState.IDLE);
        assertThat(fixture.ids("s")).containsExactly("a");
    }

    @Test
    @Tag("O-20")
    void shouldSweepAgainIfThePolicyCanBeReadOnlyAfterARestart() {
        // given
        fixture.policy(RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(1)).build());
        fixture.event(event("s", "a"));
        fixture.records.registryDown(true);
        fixture.policy(RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(2)).build());
        fixture.advance(1000);

        // when
        fixture.records.registryDown(false);
        fixture.restart();
        fixture.advance(1000);
        fixture.advance(1000);

        // then
        assertThat(fixture.status().sweepState()).isEqualTo(SweepState.IDLE);
        assertThat(fixture.ids("s")).isEmpty();
    }

    @Test
    void shouldDeleteNothingWhereSweepingIsSwitchedOff() {
        // given
        TopologySettings off =
                new SettingsLike(fixture.settings()).sweepEnabled(false).make();
        fixture.close();
        fixture = TopologyFixture.inMemory(off);
        fixture.policy(RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(1)).build());
        fixture.event(event("s", "a"));

        // when
        fixture.advance(5000);

        // then
        assertThat(fixture.status().sweepState()).isEqualTo(SweepState.DISABLED);
        assertThat(fixture.ids("s")).containsExactly("a");
        assertThat(fixture.visibleIds("s")).isEmpty();
    }

    @Test
    void shouldSayUpToWhenAnEmptyPartitionHoldsNothing() {
        // when
        fixture.advance(1000);
        fixture.advance(1000);

        // then
        assertThat(fixture.status().lastSweepPointMs()).isEqualTo(T0 + 2000);
        assertThat(fixture.reports).isEmpty();
    }

    /** No end waits for events where no graves are kept. */
    private static TopologyFixture withoutGraves() {
        return TopologyFixture.inMemory(new SettingsLike(TopologyFixture.settings(OptionalLong.of(1), 10_000))
                .graveRetention(Duration.ZERO)
                .make());
    }

    /** It goes by its own completion, not by the age that its events had (M-5). */
    @Test
    @Tag("M-5")
    void shouldKeepAnExecutionWhoseEventsWentElsewhereUntilItIsTooOldItself() {
        // given
        try (TopologyFixture minute = withoutGraves()) {
            minute.policy(RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(60_000)).build());
            minute.execution(CommandFixture.execution("orders/1", 1, "running"));
            minute.event(event("orders/1", "a").execution(1));
            minute.settleFor(50);
            minute.event(event("orders/1", "a").execution(2));
            minute.execution(CommandFixture.execution("orders/1", 1, "completed"));

            // when
            minute.settleFor(60);

            // then
            assertThat(minute.executionRows).hasSize(1);

            // when
            minute.settleFor(1);

            // then
            assertThat(minute.executionRows).isEmpty();
        }
    }
}
