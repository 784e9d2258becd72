package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.topology.CommandFixture.all;
import static dev.ebb.topology.CommandFixture.atMost;
import static dev.ebb.topology.CommandFixture.child;
import static dev.ebb.topology.CommandFixture.completedBefore;
import static dev.ebb.topology.CommandFixture.counts;
import static dev.ebb.topology.CommandFixture.delete;
import static dev.ebb.topology.CommandFixture.deleteEvent;
import static dev.ebb.topology.CommandFixture.dryRun;
import static dev.ebb.topology.CommandFixture.execution;
import static dev.ebb.topology.CommandFixture.prune;
import static dev.ebb.topology.CommandFixture.purge;
import static dev.ebb.topology.CommandFixture.repair;
import static dev.ebb.topology.CommandFixture.request;
import static dev.ebb.topology.CommandFixture.setTtl;
import static dev.ebb.topology.CommandFixture.sweep;
import static dev.ebb.topology.TopologyFixture.T0;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.TerminalStatuses;
import dev.ebb.domain.event.Wait;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.PolicyMode;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.SweepWindow;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.serde.records.Decoded;
import dev.ebb.store.StoreCheck;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Input, policies and sweeps that fall between two slices of a command, a sweep or a move: each slice decides by the state
 * and the policies of its moment.
 */
class BetweenSlicesTest {

    private static final String STREAM = "a/1";
    private static final Scope ITS_SCOPE = Scope.stream(STREAM);
    private static final long DAY_MS = 86_400_000;

    /** Slices of 100 ms in which a command over many streams has counted what would go. */
    private static final int ROUNDS_OF_A_COUNT = 11;

    private final TopologyFixture fixture = TopologyFixture.inMemory(TopologyFixture.settings(OptionalLong.of(1), 10));

    @AfterEach
    void close() {
        assertThat(StoreCheck.problems(
                        fixture.rawEvents().all(), fixture.rawUsage().all()))
                .isEmpty();
        fixture.close();
    }

    /** A protected event that completes stands below the cursor of the prune, where it was stored. */
    @Test
    @Tag("A-3")
    void shouldSweepAnEventThatCompletedWhileAPruneRan() {
        // given
        fixture.event(event(STREAM, "job").status("running"));
        fill(100);
        fixture.send(request("c-1", prune(STREAM, 20L, null)));
        takeOneSlice();

        // when
        fixture.status(STREAM, "job", "completed");
        CommandResult result = fixture.finish("c-1");

        // then
        assertThat(result.outcome().deletions().eventsDeleted()).isLessThanOrEqualTo(80);
        assertThat(fixture.ids(STREAM)).contains("job").hasSize(21);
        fixture.advance(31 * DAY_MS);
        fixture.settle();
        assertThat(fixture.stored()).isEmpty();
    }

    @Test
    @Tag("A-3")
    void shouldSweepALateEventThatCameBelowARunningPrune() {
        // given
        fixture.policy(RetentionPolicy.of(Scope.ALL)
                .anchor(Anchor.OCCURRED)
                .maxAge(Limit.of(10 * DAY_MS))
                .build());
        fixture.advance(1000);
        fill(100);
        fixture.send(request("c-1", prune(STREAM, 20L, null)));
        takeOneSlice();

        // when
        fixture.event(event(STREAM, "late").occurredAt(T0 - 10 * DAY_MS + 60_000));
        fixture.finish("c-1");

        // then
        assertThat(fixture.ids(STREAM)).hasSize(21).contains("late");
        fixture.advance(120_000);
        fixture.settle();
        assertThat(fixture.ids(STREAM)).hasSize(20).doesNotContain("late");
        fixture.advance(11 * DAY_MS);
        fixture.settle();
        assertThat(fixture.stored()).isEmpty();
    }

    @Test
    @Tag("M-12")
    void shouldKeepTheLastHoweverManyASweepTakesMeanwhile() {
        // given
        fill(100);
        fixture.send(request("c-1", prune(STREAM, 20L, null)));
        takeOneSlice();

        // when a cap takes more than half beside it
        fixture.policy(RetentionPolicy.of(Scope.ALL).maxCount(Limit.of(30)).build());
        CommandResult result = fixture.finish("c-1");

        // then
        fixture.settle();
        assertThat(fixture.ids(STREAM)).containsExactlyElementsOf(ids(80, 100));
        assertThat(result.outcome().deletions().eventsDeleted() + deleted(RemovalCause.MAX_COUNT))
                .isEqualTo(80);
    }

    @Test
    @Tag("M-4")
    void shouldKeepTheLastHoweverManyAreProtectedMeanwhile() {
        // given
        fill(100);
        fixture.send(request("c-1", prune(STREAM, 20L, null)));
        takeOneSlice();

        // when
        ids(60, 100).forEach(id -> fixture.status(STREAM, id, "processing"));
        fixture.finish("c-1");

        // then
        assertThat(fixture.ids(STREAM)).containsAll(ids(40, 100)).hasSize(60);
    }

    /** Nothing that comes after the beginning goes, and it pushes nothing out that had to stay. */
    @Test
    void shouldLeaveNewcomersAndCountWithoutThem() {
        // given
        fill(100);
        fixture.send(request("c-1", prune(STREAM, 20L, null)));
        takeOneSlice();

        // when
        IntStream.range(100, 150).forEach(i -> fixture.event(event(STREAM, "e" + i)));
        CommandResult result = fixture.finish("c-1");

        // then
        assertThat(fixture.ids(STREAM)).containsExactlyElementsOf(ids(80, 150));
        assertThat(result.outcome().deletions().eventsDeleted()).isEqualTo(80);
    }

    @Test
    void shouldLeaveNewcomersOverARestart() {
        // given
        fill(100);
        fixture.send(request("c-1", prune(STREAM, 20L, null)));
        takeOneSlice();
        IntStream.range(100, 150).forEach(i -> fixture.event(event(STREAM, "e" + i)));

        // when
        fixture.restart();
        CommandResult result = fixture.finish("c-1");

        // then
        assertThat(fixture.ids(STREAM)).containsExactlyElementsOf(ids(80, 150));
        assertThat(result.outcome().deletions().eventsDeleted()).isEqualTo(80);
    }

    @Test
    @Tag("A-7")
    void shouldBeginAgainWhenTheOrderChangesInTheMiddleOfAPrune() {
        // given events whose occurrence is the other way round
        IntStream.range(0, 100)
                .forEach(i -> fixture.event(event(STREAM, "e" + i).occurredAt(T0 - i)));
        fixture.send(request("c-1", prune(STREAM, 20L, null)));
        takeOneSlice();
        assertThat(fixture.ids(STREAM)).hasSize(90);

        // when
        fixture.policy(RetentionPolicy.of(Scope.ALL).anchor(Anchor.OCCURRED).build());
        fixture.finish("c-1");

        // then the newest by the order of now stay
        assertThat(fixture.ids(STREAM)).hasSize(20).contains("e10", "e11").doesNotContain("e99");
    }

    @Test
    @Tag("M-5")
    void shouldKeepTheLastExecutionsHoweverManyGoMeanwhile() {
        // given the newest of the old executions was completed first, so that age takes it first; no end comes late
        long ageMs = 30_000;
        fixture.policy(RetentionPolicy.of(Scope.ALL)
                .anchor(Anchor.COMPLETED)
                .maxAge(Limit.of(ageMs))
                .build());
        fixture.advance(1000);
        for (int number = 1; number <= 6; number++) {
            long completedAt = number == 5 ? T0 - ageMs + 1500 : T0;
            for (int i = 0; i < 15; i++) {
                fixture.event(event(STREAM, "e" + number + "-" + i).execution(number));
            }
            fixture.execution(execution(STREAM, number, "completed", completedAt));
        }

        // when execution 5 goes by age between two slices of a prune that keeps the last three
        fixture.send(request("c-1", prune(STREAM, 3L, null)));
        takeOneSlice();
        fixture.advance(1000);
        fixture.finish("c-1");

        // then executions 3, 4 and 6 are the last three
        assertThat(fixture.ids(STREAM)).contains("e6-0", "e4-0", "e3-0").doesNotContain("e1-0", "e2-0", "e5-0");
    }

    @Test
    @Tag("M-16")
    @Tag("O-2")
    void shouldEndASweepByHandWhenItsStreamIsOnlyWarnedOf() {
        // given nothing but the command may sweep
        fixture.policy(RetentionPolicy.of(Scope.ALL)
                .maxAge(Limit.of(50))
                .set(PolicyField.WINDOW, SweepWindow.parse("12:00-13:00 UTC"))
                .build());
        fixture.advance(1000);
        fill(100);
        fixture.advance(1000);
        fixture.send(request("c-1", sweep(ITS_SCOPE)));
        takeOneSlice();
        int left = fixture.ids(STREAM).size();

        // when
        fixture.policy(RetentionPolicy.of(ITS_SCOPE).mode(PolicyMode.WARN).build());
        CommandResult result = fixture.finish("c-1");

        // then
        assertThat(fixture.ids(STREAM)).hasSize(left);
        assertThat(result.outcome().deletions().eventsDeleted()).isEqualTo(100 - left);
        assertThat(result.detail()).contains("polic");
    }

    /** A due event counts no more, so that nothing else goes for it. */
    @Test
    @Tag("M-12")
    void shouldTakeWhatComesDueBeforeTheCapsGoOn() {
        // given nothing but the command may sweep
        fixture.policy(RetentionPolicy.of(Scope.ALL)
                .maxCount(Limit.of(30))
                .set(PolicyField.WINDOW, SweepWindow.parse("12:00-13:00 UTC"))
                .build());
        fixture.advance(1000);
        fill(100);
        fixture.send(request("c-1", sweep(ITS_SCOPE)));
        takeOneSlice();

        // when
        IntStream.range(0, 5)
                .forEach(i -> fixture.event(event(STREAM, "expired" + i).expiresAt(T0 - 1000)));
        fixture.finish("c-1");

        // then
        assertThat(fixture.ids(STREAM)).containsExactlyElementsOf(ids(70, 100));
    }

    /** The next group may be open: it must not come upon what the former one has left. */
    @Test
    @Tag("O-1")
    @Tag("M-12")
    void shouldLeaveWhatIsOverACapWhenItsWindowClosesBetweenTwoSlices() {
        // given a stream with a window that is swept before one without
        SweepWindow window = windowUntil(fixture.nowMs() + 60_000);
        fixture.policy(RetentionPolicy.of(Scope.ALL).maxCount(Limit.of(1)).build());
        fixture.policy(RetentionPolicy.of(ITS_SCOPE)
                .maxCount(Limit.of(1))
                .set(PolicyField.WINDOW, window)
                .build());
        fixture.advance(1000);
        fixture.event(event("b/1", "b0"));
        fixture.event(event("b/1", "b1"));
        fill(100);
        takeOneSlice();
        int left = fixture.ids(STREAM).size();

        // when
        fixture.advance(120_000);
        fixture.settle();

        // then
        assertThat(fixture.ids(STREAM)).hasSize(left);
        assertThat(fixture.ids("b/1")).containsExactly("b1");

        // when the window opens again
        fixture.advance(window.nextOpenMs(fixture.nowMs()) - fixture.nowMs());
        fixture.settle();

        // then
        assertThat(fixture.ids(STREAM)).containsExactly("e99");
    }

    private static SweepWindow windowUntil(long ms) {
        LocalTime end =
                Instant.ofEpochMilli(ms).atZone(ZoneOffset.UTC).toLocalTime().truncatedTo(ChronoUnit.SECONDS);
        return SweepWindow.of(end.minusMinutes(10), end, ZoneOffset.UTC);
    }

    /** The bound of a command applies to what it finds when it deletes, not only to what it has counted. */
    @Test
    @Tag("O-9")
    void shouldNotPurgeMoreThanItMayOfStreamsThatGrowAfterTheyAreCounted() {
        // given
        for (String stream : List.of("a/1", "a/2", "a/3")) {
            fixture.event(event(stream, "e").status("completed").completedAt(T0));
        }

        // when
        fixture.send(atMost(3, "c-1", purge(all(10))));
        int rounds = 0;
        for (; fixture.result("c-1") == null; rounds++) {
            fixture.advance(100);
            if (rounds > ROUNDS_OF_A_COUNT) {
                fixture.event(event("a/1", "late" + rounds).status("completed").completedAt(T0));
            }
        }
        CommandResult result = fixture.finish("c-1");

        // then
        assertThat(rounds).isGreaterThan(ROUNDS_OF_A_COUNT + 1);
        assertThat(result.outcome().deletions().eventsDeleted()).isEqualTo(2);
        assertThat(result.outcome().deletions().streamsSkipped()).containsEntry(Refusal.TOO_MANY, 1L);
        assertThat(fixture.ids("a/1")).contains("e");
    }

    @Test
    @Tag("O-9")
    void shouldNotPruneExecutionsThatEndAfterAllIsCountedBeyondWhatItMay() {
        // given
        for (int number = 1; number <= 4; number++) {
            for (int i = 0; i < 15; i++) {
                fixture.event(event(STREAM, "e" + number + "-" + i).execution(number));
            }
            fixture.execution(execution(STREAM, number, number == 2 ? "running" : "completed", T0));
        }

        // when execution 2 ends in the middle of a prune that has counted 1 and 3
        fixture.send(atMost(30, "c-1", prune(STREAM, 1L, null)));
        takeOneSlice();
        fixture.execution(execution(STREAM, 2, "completed", T0));
        CommandResult result = fixture.finish("c-1");

        // then
        assertThat(result.outcome().deletions().eventsDeleted()).isLessThanOrEqualTo(30);
        assertThat(fixture.ids(STREAM)).hasSize(30);
    }

    @Test
    @Tag("O-9")
    void shouldNotPruneMoreThanItMayOfAnExecutionToWhichOlderEventsCome() {
        // given
        fill(1, 15);
        fixture.execution(execution(STREAM, 1, "completed", T0));
        fill(2, 10);
        fixture.execution(execution(STREAM, 2, "running", null));

        // when
        fixture.send(atMost(15, "c-1", prune(STREAM, 1L, null)));
        takeOneSlice();
        IntStream.range(0, 10)
                .forEach(i -> fixture.event(event(STREAM, "e2-" + i).execution(1)));
        CommandResult result = fixture.finish("c-1");

        // then
        assertThat(result.outcome().deletions().eventsDeleted()).isEqualTo(15);
        assertThat(fixture.ids(STREAM)).hasSize(10);
    }

    private void fill(int execution, int events) {
        IntStream.range(0, events)
                .forEach(i ->
                        fixture.event(event(STREAM, "e" + execution + "-" + i).execution(execution)));
    }

    /** Readers still see the event, so an update finds it; which are the last is known when the move is done. */
    @Test
    @Tag("M-2")
    @Tag("A-7")
    void shouldUpdateAGuardedEventWhileTheOrderChanges() {
        // given the last by occurrence was stored first
        fixture.policy(
                RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(5 * DAY_MS)).build());
        fixture.event(event(STREAM, "last").occurredAt(T0 - 6 * DAY_MS));
        fixture.event(event(STREAM, "first").occurredAt(T0 - 7 * DAY_MS));
        fixture.policy(RetentionPolicy.of(Scope.ALL)
                .maxAge(Limit.of(5 * DAY_MS))
                .anchor(Anchor.OCCURRED)
                .set(PolicyField.KEEP_LAST, Limit.of(1))
                .build());

        // when
        fixture.status(STREAM, "first", "processing");
        fixture.status(STREAM, "last", "processing");
        fixture.settle();

        // then no reader saw the first, which is the last that may go only since the other one is at work
        assertThat(fixture.observer.orphaned).isEqualTo(1);
        assertThat(fixture.stored().stream().filter(StoredEvent::isProtected).map(StoredEvent::event))
                .singleElement()
                .satisfies(event -> assertThat(event.id()).hasToString("last"));
    }

    @Test
    @Tag("M-1")
    @Tag("A-7")
    void shouldReplaceAGuardedEventWhileTheOrderChanges() {
        // given
        fixture.policy(
                RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(5 * DAY_MS)).build());
        fixture.event(event(STREAM, "last").occurredAt(T0 - 6 * DAY_MS));
        fixture.advance(10);
        fixture.event(event(STREAM, "first").occurredAt(T0 - 7 * DAY_MS));
        fixture.policy(RetentionPolicy.of(Scope.ALL)
                .maxAge(Limit.of(5 * DAY_MS))
                .anchor(Anchor.OCCURRED)
                .set(PolicyField.KEEP_LAST, Limit.of(1))
                .build());

        // when
        fixture.event(event(STREAM, "last").occurredAt(T0 - 6 * DAY_MS).type("again"));
        CommandResult result = fixture.carryOut(request("c-1", setTtl(STREAM, "last", OwnTtl.NONE)));
        fixture.settle();

        // then it keeps the time at which it was stored
        assertThat(result.state()).isEqualTo(CommandResult.State.DONE);
        assertThat(fixture.stored()).singleElement().satisfies(stored -> {
            assertThat(stored.event().type()).isEqualTo("again");
            assertThat(stored.storedAt()).isEqualTo(T0);
        });
        assertThat(fixture.audits)
                .allSatisfy(audit -> assertThat(audit.eventIds()).containsExactly("first"));
    }

    /** The record waits for the move, which must not wait for the looks at the record. */
    @Test
    @Tag("A-7")
    @Tag("O-20")
    void shouldFinishAMoveForWhichARecordWaitsHoweverShortItsSlices() {
        // given
        fixture.policy(
                RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(5 * DAY_MS)).build());
        fill(30);
        fixture.event(event(STREAM, "old").occurredAt(T0 - 6 * DAY_MS));
        restartWith(TerminalStatuses.DEFAULT);
        byOccurrenceAndKeepingTheLast();

        // when
        fixture.event(event(STREAM, "old").occurredAt(T0 - 6 * DAY_MS).type("again"));
        fixture.settleFor(100);

        // then
        assertThat(fixture.status().movingStreams()).isZero();
        assertThat(fixture.status().parkedRecords()).isZero();
    }

    /** Then no move comes to its end that would have the record tried again. */
    @Test
    @Tag("A-7")
    @Tag("O-20")
    void shouldTakeInWhatWaitsForTheMoveOfAStreamThatIsQuarantinedByAnotherWork() {
        // given a stream of which a purge must look at all events
        fixture.policy(
                RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(5 * DAY_MS)).build());
        fixture.event(event(STREAM, "last").completedAt(T0 + 1000));
        fill(60);
        fixture.carryOut(request("c-0", deleteEvent(STREAM, "last", false)));
        fixture.event(event(STREAM, "old").occurredAt(T0 - 6 * DAY_MS));
        restartWith(TerminalStatuses.DEFAULT);
        byOccurrenceAndKeepingTheLast();
        fixture.event(event(STREAM, "old").occurredAt(T0 - 6 * DAY_MS).type("again"));

        // when it comes upon an event that the move has passed
        fixture.settleFor(30);
        assertThat(fixture.status().movingStreams()).isOne();
        KeyValue<Bytes, byte[]> damaged = Damage.behind(fixture, 1, 2);
        Damage.cut(fixture, damaged);
        fixture.carryOut(request("c-1", purge(completedBefore(T0 + DAY_MS))));
        fixture.settleFor(1);
        assertThat(fixture.status().quarantined()).containsOnlyKeys(STREAM);
        fixture.settleFor(9);

        // then
        assertThat(fixture.status().parkedRecords()).isZero();
        fixture.rawEvents().put(damaged.key, damaged.value);
        assertThat(fixture.carryOut(request("c-2", repair(STREAM))).state()).isEqualTo(CommandResult.State.DONE);
    }

    private void byOccurrenceAndKeepingTheLast() {
        fixture.policy(RetentionPolicy.of(Scope.ALL)
                .maxAge(Limit.of(5 * DAY_MS))
                .anchor(Anchor.OCCURRED)
                .set(PolicyField.KEEP_LAST, Limit.of(1))
                .build());
        fixture.advance(1000);
    }

    @Test
    @Tag("A-7")
    @Tag("O-5")
    void shouldSweepByHandBehindTheMoveOfTheStream() {
        // given
        fixture.policy(onlyByHand().maxAge(Limit.of(5 * DAY_MS)).build());
        IntStream.range(0, 30).forEach(i -> fixture.event(event(STREAM, "e" + i).occurredAt(T0 - 6 * DAY_MS)));
        restartWith(TerminalStatuses.DEFAULT);
        fixture.policy(onlyByHand()
                .maxAge(Limit.of(5 * DAY_MS))
                .anchor(Anchor.OCCURRED)
                .build());
        fixture.advance(1000);
        assertThat(fixture.status().movingStreams()).isOne();

        // when
        CommandResult planned = fixture.carryOut(dryRun("c-1", sweep(ITS_SCOPE)));
        fixture.policy(onlyByHand().maxAge(Limit.of(5 * DAY_MS)).build());
        fixture.policy(onlyByHand()
                .maxAge(Limit.of(5 * DAY_MS))
                .anchor(Anchor.OCCURRED)
                .build());
        CommandResult swept = fixture.carryOut(request("c-2", sweep(ITS_SCOPE)));

        // then
        assertThat(planned.outcome().deletions().eventsDeleted()).isEqualTo(30);
        assertThat(swept.outcome().deletions().eventsDeleted()).isEqualTo(30);
        assertThat(fixture.stored()).isEmpty();
    }

    @Test
    @Tag("O-5")
    @Tag("O-20")
    void shouldSayThatASweepByHandLeavesAStreamForWhichARecordWaits() {
        // given
        fixture.policy(onlyByHand().maxAge(Limit.of(1000)).build());
        fill(3);
        fixture.event(event("a/2", "e0"));
        fixture.advance(5000);
        fixture.send(
                STREAM.getBytes(UTF_8),
                fixture.records.bytes(new Decoded.Pending(Wait.of("schema 7"))),
                fixture.nowMs());

        // when
        CommandResult planned = fixture.carryOut(dryRun("c-1", sweep(Scope.ALL)));
        CommandResult swept = fixture.carryOut(request("c-2", sweep(Scope.ALL)));

        // then
        assertThat(counts(planned))
                .isEqualTo("0 of 2 streams, 0 executions, 1 events, 0 protected, skipped {NOT_READY=1}");
        assertThat(counts(swept)).isEqualTo(counts(planned));
        assertThat(fixture.ids(STREAM)).hasSize(3);
    }

    /** Without it the rest of the stream would be left unnoticed. */
    @Test
    @Tag("M-18")
    @Tag("O-2")
    void shouldSayThatAHoldEndedASweepByHand() {
        // given
        fixture.policy(onlyByHand().maxAge(Limit.of(50)).build());
        fixture.advance(1000);
        fill(100);
        fixture.advance(1000);
        fixture.send(request("c-1", sweep(ITS_SCOPE)));
        takeOneSlice();
        int left = fixture.ids(STREAM).size();

        // when
        fixture.hold("LIT-1", ITS_SCOPE);
        CommandResult result = fixture.finish("c-1");

        // then
        assertThat(fixture.ids(STREAM)).hasSize(left);
        assertThat(result.detail()).contains("ended early", "polic");
        assertThat(fixture.reports).singleElement().satisfies(report -> assertThat(report.isStoppedEarly())
                .isTrue());
    }

    private static RetentionPolicy.Builder onlyByHand() {
        return RetentionPolicy.of(Scope.ALL).set(PolicyField.WINDOW, SweepWindow.parse("12:00-13:00 UTC"));
    }

    /** By counts that are known to be wrong, caps would take events that must stay. */
    @Test
    @Tag("I-3")
    @Tag("M-15")
    void shouldTakeNothingByCapsFromAStreamThatIsBeingCounted() {
        // given a stream that has lost half of its events, and is being counted
        fill(100);
        IntStream.range(0, 50).forEach(i -> fixture.rawEvents().put(Damage.first(fixture, 1).key, null));
        fixture.send(request("c-1", repair(STREAM)));
        fixture.advance(10);
        assertThat(fixture.usageRepairs).isEmpty();

        // when
        fixture.policy(RetentionPolicy.of(Scope.ALL).maxCount(Limit.of(60)).build());
        fixture.finish("c-1");
        fixture.settle();

        // then
        assertThat(fixture.usageRepairs).hasSize(1);
        assertThat(fixture.ids(STREAM)).hasSize(50);
    }

    @Test
    @Tag("O-20")
    @Tag("M-4")
    void shouldTakeNothingByCapsFromAStreamForWhichARecordWaits() {
        // given a cap that takes ten events in each slice
        fill(100);
        fixture.policy(RetentionPolicy.of(Scope.ALL).maxCount(Limit.of(30)).build());
        takeOneSlice();
        int left = fixture.ids(STREAM).size();

        // when
        fixture.records.registryDown(true);
        fixture.status(STREAM, "e69", "processing");
        fixture.settleFor(10);

        // then
        assertThat(fixture.ids(STREAM)).hasSize(left);
        fixture.records.registryDown(false);
        fixture.settle();
        assertThat(fixture.ids(STREAM)).contains("e69").hasSize(30);
    }

    @Test
    @Tag("O-20")
    @Tag("M-4")
    void shouldNotPurgeAStreamForWhichARecordWaits() {
        // given
        fill(3);
        fixture.event(event("a/2", "e0"));
        fixture.send(
                STREAM.getBytes(UTF_8),
                fixture.records.bytes(new Decoded.Pending(Wait.of("schema 7"))),
                fixture.nowMs());

        // when
        CommandResult result = fixture.carryOut(request("c-1", purge(all(10))));

        // then
        assertThat(result.outcome().deletions().streamsSkipped()).containsEntry(Refusal.NOT_READY, 1L);
        assertThat(result.outcome().deletions().streamsDeleted()).isEqualTo(1);
        assertThat(fixture.ids(STREAM)).hasSize(3);
    }

    /** Until the move has come to its last event nothing of it is known to be protected. */
    @Test
    @Tag("M-3")
    @Tag("M-6")
    void shouldNotPurgeAStreamThatNewTerminalStatusesOpen() {
        // given
        fillAndRead(300);
        restartWith(new TerminalStatuses(Set.of("completed")));

        // when
        CommandResult result = fixture.carryOut(request("c-1", purge(all(10))));

        // then
        assertThat(result.outcome().deletions().streamsSkipped()).containsEntry(Refusal.STREAM_OPEN, 1L);
        assertThat(fixture.ids(STREAM)).hasSize(300);
    }

    @Test
    @Tag("M-3")
    @Tag("M-6")
    void shouldNotDeleteAChildOfAStreamThatNewTerminalStatusesOpen() {
        // given
        fillAndRead(300);
        fixture.execution(child("b/1", STREAM, "completed"));
        restartWith(new TerminalStatuses(Set.of("completed")));

        // when
        CommandResult result = fixture.carryOut(request("c-1", delete("b/1")));

        // then
        assertThat(result.refusal()).isEqualTo(Refusal.PARENT_OPEN);
    }

    @Test
    @Tag("M-3")
    @Tag("M-4")
    void shouldNotDeleteAnEventThatNewTerminalStatusesProtect() {
        // given
        fillAndRead(300);
        restartWith(new TerminalStatuses(Set.of("completed")));

        // when
        CommandResult result = fixture.carryOut(request("c-1", deleteEvent(STREAM, "e299", false)));

        // then
        assertThat(result.refusal()).isEqualTo(Refusal.PROTECTED);
        assertThat(fixture.ids(STREAM)).hasSize(300);
    }

    /** The move comes to this one last. */
    private void fillAndRead(int events) {
        fill(events - 1);
        fixture.event(event(STREAM, "e" + (events - 1)).status("read"));
    }

    /** Each slice ends as soon as it may, so that a move takes several. */
    private void restartWith(TerminalStatuses statuses) {
        fixture.restartUnder(new SettingsLike(fixture.settings())
                .terminalStatuses(statuses)
                .sweepSlice(Duration.ofNanos(1))
                .make());
    }

    /** Lets the time pass until the first events have gone. */
    private void takeOneSlice() {
        int before = fixture.ids(STREAM).size();
        for (int i = 0; i < 100 && fixture.ids(STREAM).size() == before; i++) {
            fixture.advance(100);
        }
        assertThat(fixture.ids(STREAM)).hasSizeLessThan(before);
    }

    private void fill(int events) {
        IntStream.range(0, events).forEach(i -> fixture.event(event(STREAM, "e" + i)));
    }

    private static List<String> ids(int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> "e" + i).toList();
    }

    private long deleted(RemovalCause cause) {
        return fixture.audits.stream()
                .filter(audit -> cause.name().equals(audit.cause()))
                .mapToLong(audit -> audit.eventIds().size())
                .sum();
    }
}
