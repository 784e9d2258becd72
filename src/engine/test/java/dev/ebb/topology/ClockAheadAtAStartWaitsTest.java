package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.topology.CommandFixture.deleteForced;
import static dev.ebb.topology.CommandFixture.request;
import static dev.ebb.topology.CommandFixture.sweep;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.change.BrakeFinding;
import dev.ebb.domain.policy.change.BrakeLimits;
import dev.ebb.domain.policy.change.WaitingPolicy;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.topology.observe.TaskStatus.SweepState;
import dev.ebb.topology.parts.TopologySettings;
import dev.ebb.topology.wire.EbbHeaders;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A clock far ahead of the state at a start, be it wrong or after a long stop, deletes and forgets nothing by itself. */
@Tag("T-14")
class ClockAheadAtAStartWaitsTest {

    private static final long DAY_MS = Duration.ofDays(1).toMillis();

    private TopologyFixture fixture = with(new BrakeLimits(20, 10, 0));

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void shouldSweepAndForgetNothingUntilAPersonConfirmsTheTime() {
        // given events of 30 days, and the trash of a command
        store(100);
        fixture.event(event("gone/1", "g"));
        fixture.carryOut(request("c-1", deleteForced("gone/1")));
        settle();
        long inTrash = trashedEvents();
        long graves = fixture.status().graves();
        assertThat(inTrash).isPositive();
        assertThat(graves).isPositive();

        // when
        startAfter(40 * DAY_MS);

        // then
        assertThat(fixture.stored()).hasSize(100);
        assertThat(fixture.status().sweepState()).isEqualTo(SweepState.CLOCK_UNCONFIRMED);
        assertThat(trashedEvents()).isEqualTo(inTrash);
        assertThat(fixture.status().graves()).isEqualTo(graves);
        assertThat(fixture.view().waiting())
                .extracting(WaitingPolicy::key, WaitingPolicy::finding)
                .containsExactly(tuple(PolicyKey.CLOCK, new BrakeFinding(100 + inTrash, false, 100 + inTrash)));
        assertThat(fixture.view().waiting().get(0).why()).startsWith("the clock is 40d ahead of the newest time");

        // when somebody sweeps by hand
        CommandResult byHand = fixture.carryOut(request("c-2", sweep(Scope.ALL)));

        // then
        assertThat(byHand.refusal()).isEqualTo(Refusal.NOT_READY);
        assertThat(fixture.stored()).hasSize(100);

        // when
        confirm();
        fixture.settleFor(15);

        // then
        assertThat(fixture.stored()).isEmpty();
        assertThat(fixture.view().waiting()).isEmpty();
        assertThat(trashedEvents()).isZero();
        assertThat(fixture.policyChanges)
                .extracting(AuditRecord::action, AuditRecord::scope, AuditRecord::actor)
                .containsExactly(tuple("CONFIRMED", "clock", "anna"));
    }

    @Test
    void shouldGoOnAsIfNothingHadBeenOnceTheClockIsRight() {
        // given
        store(100);
        settle();
        startAfter(40 * DAY_MS);

        // when
        fixture.startAt(fixture.nowMs() - 40 * DAY_MS);
        fixture.settleFor(60);

        // then
        assertThat(fixture.status().sweepState()).isEqualTo(SweepState.IDLE);
        assertThat(fixture.view().waiting()).isEmpty();
        assertThat(fixture.stored()).hasSize(100);
    }

    @ParameterizedTest
    @CsvSource({"-1,false", "0,false", "1,true"})
    void shouldWaitOnlyBeyondTheLongestGap(long beyondMs, boolean waits) {
        // given
        fixture.policy(RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(DAY_MS)).build());
        store(100);
        settle();
        startAfter(40 * DAY_MS);
        long seenMs = seenMs();

        // when the task begins, which is a second after its driver
        fixture.startAt(seenMs + 7 * DAY_MS + beyondMs - 1000);
        fixture.settleFor(20);

        // then
        assertThat(fixture.stored()).hasSize(waits ? 100 : 0);
    }

    @Test
    void shouldTakeRecordsInMeanwhile() {
        // given
        store(100);
        settle();
        startAfter(40 * DAY_MS);

        // when
        fixture.event(event("orders/9", "new"));
        settle();

        // then
        assertThat(fixture.stored()).hasSize(101);
    }

    @Test
    void shouldNotWaitWhereTheCheckIsOff() {
        // given
        fixture.close();
        fixture = TopologyFixture.inMemory(new SettingsLike(settings(new BrakeLimits(20, 10, 0)))
                .clockMaxGap(Limit.NONE)
                .make());
        store(100);
        settle();

        // when
        startAfter(40 * DAY_MS);

        // then
        assertThat(fixture.stored()).isEmpty();
    }

    /** A resumed machine: its clock and the broker's jump together, so nothing but the state can tell. */
    @Test
    void shouldWaitWhenTheTimeJumpsWhileTheTaskRuns() {
        // given
        store(100);
        settle();

        // when
        fixture.advance(40 * DAY_MS);
        fixture.settleFor(30);

        // then
        assertThat(fixture.stored()).hasSize(100);
        assertThat(fixture.status().sweepState()).isEqualTo(SweepState.CLOCK_UNCONFIRMED);

        // when
        confirm();
        fixture.settleFor(15);

        // then
        assertThat(fixture.stored()).isEmpty();
    }

    /** The time of a clock that is known to be wrong is not kept, and ends nothing. */
    @Test
    void shouldNeitherNoteNorForgetByAClockInDoubt() {
        // given
        store(100);
        fixture.carryOut(request("c-1", deleteForced("orders/1")));
        settle();
        long inTrash = trashedEvents();
        int stored = fixture.stored().size();
        assertThat(inTrash).isPositive();

        // when
        fixture.clockProblem("the clock of this instance is 40d behind the broker's");
        fixture.advance(40 * DAY_MS);
        fixture.settleFor(30);

        // then
        assertThat(trashedEvents()).isEqualTo(inTrash);

        // when the instance takes over the wrong time
        fixture.clockProblem(null);
        fixture.startAt(fixture.nowMs());
        fixture.settleFor(30);

        // then
        assertThat(fixture.stored()).hasSize(stored);
        assertThat(fixture.status().sweepState()).isEqualTo(SweepState.CLOCK_UNCONFIRMED);
    }

    @Test
    void shouldWaitWhereTheTimeTakesAWholeNamespace() {
        // given
        fixture.policy(
                RetentionPolicy.of(Scope.namespace("kept")).maxAge(Limit.NONE).build());
        for (int i = 0; i < 900; i++) {
            fixture.event(event("kept/1", "k" + i));
        }
        store(100);
        settle();

        // when
        startAfter(40 * DAY_MS);

        // then
        assertThat(fixture.stored()).hasSize(1000);
        assertThat(fixture.status().sweepState()).isEqualTo(SweepState.CLOCK_UNCONFIRMED);
    }

    /** Otherwise the comparison would be off until the wrong time comes. */
    @Test
    void shouldForgetATimeToCome() {
        // given a first start with a clock ten years ahead
        long rightMs = fixture.nowMs();
        fixture.startAt(rightMs + 3650 * DAY_MS);
        settle();
        fixture.startAt(rightMs);
        store(100);
        settle();

        // when
        startAfter(40 * DAY_MS);

        // then
        assertThat(fixture.stored()).hasSize(100);
        assertThat(fixture.status().sweepState()).isEqualTo(SweepState.CLOCK_UNCONFIRMED);
    }

    @Test
    void shouldConfirmOnlyTheGapThatWasTold() {
        // given
        store(100);
        settle();
        startAfter(40 * DAY_MS);

        // when
        confirm(fixture.view().waiting().get(0).version() - 1);
        settle();

        // then
        assertThat(fixture.rejected).hasSize(1);
        assertThat(fixture.stored()).hasSize(100);
    }

    private long trashedEvents() {
        return fixture.status().trash().stream().mapToLong(sum -> sum.events()).sum();
    }

    /** Returns the newest time seen, as people read it. */
    private long seenMs() {
        String why = fixture.view().waiting().get(0).why();
        Matcher time = Pattern.compile("\\d{4}-\\S+Z").matcher(why);
        assertThat(time.find()).as(why).isTrue();
        return Instant.parse(time.group()).toEpochMilli();
    }

    private void startAfter(long ms) {
        fixture.startAt(fixture.nowMs() + ms);
        fixture.settleFor(30);
    }

    private void confirm() {
        confirm(fixture.view().waiting().get(0).version());
    }

    private void confirm(long version) {
        Headers headers = new RecordHeaders();
        EbbHeaders.set(headers, EbbHeaders.ACTOR, "anna");
        EbbHeaders.set(headers, EbbHeaders.CONFIRM_VERSION, version);
        fixture.policy(EbbHeaders.CONFIRM + "clock", null, headers);
    }

    private void store(int events) {
        for (int i = 0; i < events; i++) {
            fixture.event(event("orders/" + i % 3, "e" + i));
        }
    }

    private void settle() {
        fixture.settleFor(5);
        fixture.settle();
    }

    private static TopologySettings settings(BrakeLimits limits) {
        TopologySettings settings = TopologyFixture.settings(OptionalLong.of(1000), 10_000);
        return new SettingsLike(settings).brakeLimits(limits).make();
    }

    private static TopologyFixture with(BrakeLimits limits) {
        return TopologyFixture.inMemory(settings(limits));
    }
}
