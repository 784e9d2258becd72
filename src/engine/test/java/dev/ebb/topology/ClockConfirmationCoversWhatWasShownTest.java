package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.Errand;
import dev.ebb.domain.policy.change.BrakeFinding;
import dev.ebb.domain.policy.change.BrakeLimits;
import dev.ebb.domain.policy.change.WaitingPolicy;
import dev.ebb.serde.text.JsonState;
import dev.ebb.topology.observe.TaskStatus.SweepState;
import dev.ebb.topology.wire.EbbHeaders;
import dev.ebb.topology.wire.ErrandBodies.ClockAhead;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.OptionalLong;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A confirmation of the clock is for the partitions whose count its author was shown. The first of three partitions is
 * here, the others are played by the test.
 */
@Tag("T-14")
class ClockConfirmationCoversWhatWasShownTest {

    private static final long DAY_MS = Duration.ofDays(1).toMillis();

    private final TopologyFixture fixture =
            TopologyFixture.inMemory(new SettingsLike(TopologyFixture.settings(OptionalLong.of(1000), 10_000))
                    .brakeLimits(new BrakeLimits(20, 30, 0))
                    .make());

    private long seenMs;

    @BeforeEach
    void startAheadOfTheState() {
        for (int i = 0; i < 100; i++) {
            fixture.event(event("orders/" + i % 3, "e" + i));
        }
        fixture.settleFor(5);
        seenMs = fixture.nowMs();
        fixture.startAt(fixture.nowMs() + 40 * DAY_MS, 3);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void shouldAskAgainForAPartitionThatHadNotCounted() {
        // given two of three partitions have counted
        report(1, 40);
        report(2, 50);
        assertThat(fixture.view().waiting()).extracting(WaitingPolicy::finding).containsExactly(found(90));

        // when
        confirm(shown());
        fixture.settleFor(30);

        // then
        assertThat(fixture.stored()).hasSize(100);
        assertThat(fixture.status().sweepState()).isEqualTo(SweepState.CLOCK_UNCONFIRMED);
        assertThat(fixture.view().waiting()).extracting(WaitingPolicy::finding).containsExactly(found(100));

        // when
        confirm(shown());
        fixture.settleFor(15);

        // then
        assertThat(fixture.stored()).isEmpty();
        assertThat(fixture.view().waiting()).isEmpty();
    }

    @Test
    void shouldNotCoverAPartitionThatReportedAfterTheLook() {
        // given
        fixture.settleFor(3);
        report(1, 40);
        long shown = shown();

        // when
        report(2, 50);
        confirm(shown);
        fixture.settleFor(5);

        // then
        assertThat(fixture.stored()).isEmpty();
        assertThat(fixture.view().waiting())
                .extracting(WaitingPolicy::finding)
                .containsExactly(new BrakeFinding(50, false, 50));
    }

    @Test
    void shouldNotCoverACountThatHasChangedSince() {
        // given
        report(1, 40);
        long shown = shown();

        // when
        report(1, 41);
        confirm(shown);

        // then
        assertThat(fixture.rejected).hasSize(1);
        assertThat(fixture.view().waiting())
                .extracting(WaitingPolicy::finding)
                .containsExactly(new BrakeFinding(41, false, 50));
    }

    /** Versions must not begin again: the clock of another instance may be behind. */
    @Test
    void shouldNotCoverAReportThatCameAfterARestart() {
        // given a restart under a clock that is a minute behind
        report(1, 40);
        long shown = shown();
        fixture.startAt(fixture.nowMs() - 60_000, 3);

        // when a partition reports another count, and the clock has caught up
        for (int i = 0; i < 4; i++) {
            report(1, 41);
            fixture.advance(20_000);
        }
        report(2, 50);
        confirm(shown);

        // then
        assertThat(fixture.rejected).hasSize(1);
    }

    private static BrakeFinding found(long events) {
        return new BrakeFinding(events, false, 100);
    }

    private long shown() {
        return fixture.view().waiting().get(0).version();
    }

    private void report(int partition, long wouldDelete) {
        String body = JsonState.write(new ClockAhead(seenMs, fixture.nowMs(), wouldDelete, 50));
        Errand errand = new Errand("clock-" + partition, Errand.Step.CLOCK_AHEAD, partition, body);
        fixture.pipe(
                TopologyFixture.TOPICS.assessments(),
                "clock".getBytes(StandardCharsets.UTF_8),
                fixture.records.errand(errand),
                new RecordHeaders(),
                fixture.nowMs());
    }

    private void confirm(long version) {
        Headers headers = new RecordHeaders();
        EbbHeaders.set(headers, EbbHeaders.ACTOR, "anna");
        EbbHeaders.set(headers, EbbHeaders.CONFIRM_VERSION, version);
        fixture.policy(EbbHeaders.CONFIRM + "clock", null, headers);
    }
}
