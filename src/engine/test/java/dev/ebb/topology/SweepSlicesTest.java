package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.topology.TopologyFixture.T0;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.retention.SweepReport;
import dev.ebb.topology.observe.TaskStatus;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A sweep goes on in batches of three deletes. */
@Tag("O-2")
class SweepSlicesTest {

    private static final long TICK_MS = 1000;
    /** When the policy is in force and the events come. */
    private static final long FILLED_MS = T0 + TICK_MS;

    private static final long BUSY_TICK_MS = 1000;

    private TopologyFixture fixture;

    @BeforeEach
    void fill() {
        fixture = TopologyFixture.inMemory(TopologyFixture.settings(OptionalLong.of(60_000), 3));
        fixture.policy(RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(100)).build());
        fixture.advance(TICK_MS);
        for (int i = 0; i < 8; i++) {
            fixture.event(event("s", "e" + i));
        }
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void shouldDeleteAFewEventsAtATimeUntilNothingIsLeft() {
        // when
        fixture.advance(TICK_MS);

        // then
        assertThat(fixture.ids("s")).containsExactly("e3", "e4", "e5", "e6", "e7");
        fixture.advance(BUSY_TICK_MS);
        assertThat(fixture.ids("s")).containsExactly("e6", "e7");
        assertThat(fixture.reports).isEmpty();
        fixture.advance(BUSY_TICK_MS);
        assertThat(fixture.ids("s")).isEmpty();
        fixture.advance(BUSY_TICK_MS);
        assertThat(fixture.reports).hasSize(1);
    }

    @Test
    @Tag("O-10")
    void shouldNotWaitUntilADeletedStreamIsEmpty() {
        // given
        for (int i = 0; i < 30; i++) {
            fixture.event(event("big", "b" + i));
        }
        fixture.send(CommandFixture.request("c-1", CommandFixture.delete("big")));

        // when
        fixture.advance(TICK_MS);
        for (int i = 0; i < 3; i++) {
            fixture.advance(BUSY_TICK_MS);
        }

        // then
        assertThat(fixture.ids("s")).hasSizeBetween(1, 5);
        assertThat(fixture.mirror.keySet()).anyMatch(key -> new String(key.get(), UTF_8).contains("\"big\""));
    }

    @Test
    void shouldTakeEventsInBetweenBatches() {
        // given
        fixture.advance(TICK_MS);

        // when
        fixture.event(event("s", "new"));
        fixture.event(event("s", "e5").type("again"));

        // then
        assertThat(fixture.ids("s")).contains("new");
        assertThat(fixture.visibleIds("s")).containsExactly("new", "e5");
    }

    @Test
    void shouldHoldToTheTimeThatItFixedAtItsStart() {
        // given
        fixture.advance(TICK_MS);
        fixture.event(event("s", "new"));

        // when the new event falls due while the sweep goes on
        fixture.advance(200);
        fixture.advance(BUSY_TICK_MS);
        fixture.advance(BUSY_TICK_MS);

        // then
        assertThat(fixture.ids("s")).containsExactly("new");
        SweepReport report = fixture.reports.get(0);
        assertThat(report.sweepPointMs()).isEqualTo(FILLED_MS + TICK_MS);
        assertThat(report.startedMs()).isEqualTo(FILLED_MS + TICK_MS);
        assertThat(report.completedMs()).isGreaterThan(FILLED_MS + TICK_MS + 200);
        assertThat(report.deleted().values())
                .extracting(SweepReport.Tally::events)
                .containsExactly(8L);
        assertThat(report.isStoppedEarly()).isFalse();
    }

    @Test
    void shouldBeginTheNextSweepAtOnceAfterOneThatTookLongerThanTheInterval() {
        // given
        fixture.close();
        fixture = TopologyFixture.inMemory(TopologyFixture.settings(OptionalLong.of(TICK_MS), 3));
        fixture.policy(RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(100)).build());
        fixture.advance(TICK_MS);
        for (int i = 0; i < 8; i++) {
            fixture.event(event("s", "e" + i));
        }
        fixture.advance(TICK_MS);
        fixture.event(event("s", "late"));

        // when
        while (fixture.reports.isEmpty()) {
            fixture.advance(BUSY_TICK_MS);
        }

        // then
        assertThat(fixture.ids("s")).containsExactly("late");
        fixture.advance(100);
        assertThat(fixture.ids("s")).isEmpty();
    }

    @Test
    @Tag("M-4")
    void shouldReadStatusesLive() {
        // given
        fixture.advance(TICK_MS);

        // when an upsert protects an event that the sweep has yet to come to
        fixture.event(event("s", "e7").status("pending"));
        fixture.settle();

        // then
        assertThat(fixture.ids("s")).containsExactly("e7");
        assertThat(fixture.stored().get(0).isProtected()).isTrue();
    }

    @Test
    @Tag("M-9")
    void shouldEndWhenThePoliciesChangeAndStartAgainWithANewPoint() {
        // given
        long firstVersion = fixture.policies().version();
        fixture.advance(TICK_MS);

        // when
        fixture.policy(
                RetentionPolicy.of(Scope.stream("s")).maxAge(Limit.of(100)).build());
        fixture.settle();

        // then
        assertThat(fixture.ids("s")).isEmpty();
        assertThat(fixture.reports).hasSize(2);
        SweepReport first = fixture.reports.get(0);
        SweepReport second = fixture.reports.get(1);
        assertThat(first.isStoppedEarly()).isTrue();
        assertThat(first.deleted().values())
                .extracting(SweepReport.Tally::events)
                .containsExactly(3L);
        assertThat(first.policyVersion()).isEqualTo(firstVersion);
        assertThat(second.isStoppedEarly()).isFalse();
        assertThat(second.deleted().values())
                .extracting(SweepReport.Tally::events)
                .containsExactly(5L);
        assertThat(second.policyVersion()).isGreaterThan(firstVersion);
        assertThat(second.sweepPointMs()).isGreaterThan(first.sweepPointMs());
        assertThat(second.sweepId()).isNotEqualTo(first.sweepId());
    }

    @Test
    @Tag("M-9")
    void shouldSpareWhatAPolicyChangeInItsMiddleKeeps() {
        // given
        fixture.advance(TICK_MS);

        // when
        fixture.policy(RetentionPolicy.of(Scope.ALL).maxAge(Limit.NONE).build());
        fixture.settle();

        // then
        assertThat(fixture.ids("s")).containsExactly("e3", "e4", "e5", "e6", "e7");
    }

    @Test
    @Tag("I-7")
    void shouldFindTheRestAfterARestart() {
        // given
        fixture.advance(TICK_MS);

        // when
        fixture.restart();
        fixture.settle();

        // then
        assertThat(fixture.ids("s")).isEmpty();
        assertThat(fixture.audits.stream().mapToInt(audit -> audit.eventIds().size()))
                .containsExactly(3, 3, 2);
    }

    @Test
    @Tag("O-16")
    void shouldSayWhatItIsDoing() {
        // when
        fixture.advance(TICK_MS);
        TaskStatus busy = fixture.status();
        fixture.settle();
        TaskStatus idle = fixture.status();

        // then
        assertThat(busy.sweepState()).isEqualTo(TaskStatus.SweepState.SWEEPING);
        assertThat(busy.backlogStreams()).isEqualTo(1);
        assertThat(idle.sweepState()).isEqualTo(TaskStatus.SweepState.IDLE);
        assertThat(idle.backlogStreams()).isZero();
        assertThat(idle.lastReport()).isEqualTo(fixture.reports.get(0));
        assertThat(idle.lastSweepPointMs()).isEqualTo(FILLED_MS + TICK_MS);
        assertThat(idle.nextSweepMs()).isEqualTo(FILLED_MS + TICK_MS + 60_000);
    }
}
