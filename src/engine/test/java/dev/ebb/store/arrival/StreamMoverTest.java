package dev.ebb.store.arrival;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.store.StoreFixture.T0;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.EventUpdate;
import dev.ebb.domain.event.Execution;
import dev.ebb.domain.event.ExecutionUpdate;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.event.TerminalStatuses;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.StoreFixture;
import dev.ebb.store.StoreFixture.Removal;
import dev.ebb.store.StoreProbe;
import dev.ebb.store.layout.EventKeys;
import dev.ebb.store.layout.Range;
import dev.ebb.store.state.Looks;
import dev.ebb.store.state.Segment;
import dev.ebb.store.state.StreamState;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Events move to where another anchor, other bounds or other statuses want them, in slices. */
@Tag("A-7")
class StreamMoverTest {

    private static final int MANY = 300;
    private static final TerminalStatuses HALTED_TOO = new TerminalStatuses(Set.of("completed", "halted"));

    private static final MoveListener NO_LISTENER = new MoveListener() {
        @Override
        public void changed(StreamState stream, StoredEvent event) {}

        @Override
        public void changed(ExecutionChange change) {}

        @Override
        public void rowsGo(StreamState stream, long events) {}
    };

    private final StoreFixture fixture = new StoreFixture();

    @AfterEach
    void check() {
        fixture.moveAll();
        fixture.check();
    }

    @Test
    void shouldMoveToAnotherAnchorInSlices() {
        // given events that occurred in the reverse order of their arrival
        fillBackwards(MANY);

        // when
        fixture.begin(byOccurred().build());
        fixture.moveSlice();

        // then
        assertThat(fixture.store.movingStreams()).isEqualTo(1);
        assertThat(fixture.usage("s").events()).isEqualTo(MANY);
        fixture.moveAll();
        assertThat(fixture.ids("s")).startsWith("e299", "e298").endsWith("e0");
    }

    @Test
    @Tag("A-1")
    void shouldRetimeWhatAMoveHasPassedWhenACompletionTurnsOutEarlier() {
        // given a timed event that has moved with the deadline of a later completion
        for (int i = 0; i < 10; i++) {
            fixture.event(event("s", "e" + i).execution(1).ttlSeconds(10));
        }
        complete(T0 + 1_000_000);
        fixture.begin(byCompleted().build());
        fixture.moveSlice();
        fixture.moveSlice();
        assertThat(fixture.store.movingStreams()).isEqualTo(1);

        // when
        complete(T0 + 1000);
        fixture.moveAll();

        // then
        fixture.nowMs = T0 + 11_001;
        assertThat(fixture.sweep()).hasSize(10);
    }

    /** All executions must have been told of the move when its first record is committed. */
    @Test
    @Tag("A-1")
    @Tag("I-7")
    void shouldGoOnAfterACrashWithAMoveThatAnEarlierCompletionBegan() {
        // given two executions
        fixture.policies(byCompleted().build());
        fixture.event(event("s", "other").execution(2).ttlSeconds(10));
        fixture.execution("s", 2, "completed");
        fixture.event(event("s", "e").execution(1).ttlSeconds(10));
        complete(T0 + 1_000_000);
        fixture.moveAll();
        complete(T0 + 1000);
        assertThat(fixture.store.movingStreams()).isEqualTo(1);

        // when
        fixture.reopen();
        fixture.moveAll();

        // then
        fixture.check();
        fixture.nowMs = T0 + 11_001;
        assertThat(fixture.sweep()).hasSize(2);
    }

    @Test
    @Tag("A-7")
    @Tag("I-7")
    void shouldGoOnAfterACrashWithAMoveOfSeveralExecutions() {
        // given
        for (int number = 0; number < 3; number++) {
            fixture.event(event("s", "e" + number).execution(number).occurredAt(T0 - number));
        }
        fixture.begin(RetentionPolicy.of(Scope.ALL).anchor(Anchor.OCCURRED).build());
        assertThat(fixture.store.movingStreams()).isEqualTo(1);

        // when
        fixture.reopen();
        fixture.moveAll();

        // then
        assertThat(fixture.store.movingStreams()).isZero();
        fixture.check();
    }

    @Test
    @Tag("A-1")
    void shouldRetimeWhenACompletionTurnsOutEarlierThanThatOfNewTerminalStatuses() {
        // given
        fixture.policies(byCompleted().build());
        fixture.event(event("s", "e").execution(1).ttlSeconds(10));
        fixture.execution("s", 1, "halted");
        fixture.nowMs = T0 + 1_000_000;
        fixture.reopen(HALTED_TOO);
        fixture.moveAll();

        // when
        complete(T0 + 1000);
        fixture.moveAll();

        // then
        assertThat(fixture.sweep()).hasSize(1);
    }

    @Test
    @Tag("A-1")
    void shouldRetimeWhenNewTerminalStatusesCompleteAnExecutionEarlierThanItOnceWas() {
        // given
        fixture.policies(byCompleted().build());
        fixture.event(event("s", "e").execution(1).ttlSeconds(10));
        complete(T0 + 1_000_000);
        fixture.moveAll();
        fixture.execution("s", 1, "halted");
        fixture.reopen(HALTED_TOO);
        fixture.moveAll();

        // when
        fixture.nowMs = T0 + 11_001;

        // then
        assertThat(fixture.sweep()).hasSize(1);
    }

    @Test
    @Tag("I-3")
    void shouldMoveAnEventThatIsMissingInTheIdIndex() {
        // given
        fillBackwards(10);
        StreamState stream = fixture.store.stream(new StreamName("s"));
        fixture.events.put(EventKeys.byId(Range.IDS, stream.sid(), "e3"), null);

        // when
        fixture.policies(byOccurred().maxAge(Limit.of(1_000_000)).build());

        // then it lies where the others lie, and a recount has nothing to mend
        assertThat(fixture.ids("s")).hasSize(10).contains("e3");
        assertThat(fixture.find("s", "e3").event().id()).hasToString("e3");
        assertThat(stream.isSuspect()).isTrue();
        fixture.nowMs += 2_000_000;
        assertThat(fixture.sweep()).hasSize(10);
    }

    private void complete(long completedAt) {
        fixture.execution(
                new ExecutionUpdate(new StreamName("s"), 1, "completed", null, null, completedAt), fixture.nowMs);
    }

    private static RetentionPolicy.Builder byCompleted() {
        return RetentionPolicy.of(Scope.ALL).anchor(Anchor.COMPLETED);
    }

    @Test
    @Tag("A-4")
    void shouldSaveAMoveAsSoonAsItBeginsOrTurns() {
        // given
        fillBackwards(10);
        fixture.begin(byOccurred().build());
        assertThat(isSaved()).isTrue();
        fixture.moveSlice();
        fixture.commit();

        // when
        fixture.begin(byCompleted().build());

        // then
        assertThat(isSaved()).isTrue();
    }

    @Test
    @Tag("A-4")
    void shouldWriteNothingWhenNothingMoves() {
        // given
        fillBackwards(10);
        fixture.commit();
        fixture.resetCounts();

        // when
        fixture.begin(RetentionPolicy.of(Scope.ALL)
                .maxAge(Limit.of(1_000_000_000_000L))
                .build());

        // then
        assertThat(fixture.events.operations() + fixture.usage.puts).isZero();

        // given a move that is under way
        fixture.begin(byOccurred().build());
        fixture.moveSlice();
        fixture.commit();
        fixture.resetCounts();

        // when
        fixture.begin(byOccurred().maxAge(Limit.of(1_000_000_000_000L)).build());

        // then
        assertThat(fixture.events.operations() + fixture.usage.puts).isZero();
    }

    @Test
    void shouldMoveNothingWhereNoEventHasToLieElsewhere() {
        // given events of which none would live for ever, and no deadline
        fillBackwards(10);
        fixture.status("s", "e3", "running", T0);

        // when
        fixture.begin(RetentionPolicy.of(Scope.ALL)
                .set(PolicyField.ALLOW_INFINITE_TTL, true)
                .set(PolicyField.MIN_TTL, Limit.of(5))
                .build());

        // then
        assertThat(fixture.store.movingStreams()).isZero();
    }

    @Test
    void shouldBeWhereItIsWantedAtOnceIfOnlyExecutionsAreThere() {
        // given
        fixture.execution("s", 1, "running");
        fixture.execution("t", 0, "running");

        // when
        fixture.begin(byOccurred().build());

        // then
        assertThat(fixture.store.movingStreams()).isZero();
    }

    @Test
    @Tag("M-3")
    void shouldSortExecutionsWithoutEventsAnew() {
        // given
        fixture.execution("s", 1, "halted");
        fixture.execution("t", 0, "halted");

        // when
        fixture.reopen(HALTED_TOO);
        fixture.moveAll();

        // then
        for (String name : List.of("s", "t")) {
            StreamState stream = fixture.store.stream(new StreamName(name));
            assertThat(StoreProbe.declared(stream)).singleElement().matches(Execution::isTerminal);
        }
    }

    @Test
    @Tag("A-1")
    void shouldRetimeNothingUnlessACompletionIsEarlier() {
        // given
        fixture.policies(byCompleted().build());
        fixture.event(event("s", "e").execution(1).ttlSeconds(10));
        complete(T0 + 1000);
        fixture.commit();

        // when
        complete(T0 + 1000);
        complete(T0 + 1001);

        // then
        assertThat(fixture.store.movingStreams()).isZero();

        // when
        complete(T0 + 1000);

        // then
        assertThat(fixture.store.movingStreams()).isEqualTo(1);
    }

    @Test
    @Tag("A-1")
    void shouldRetimeNothingWhereNothingHasADeadline() {
        // given
        fixture.policies(byCompleted().build());
        fixture.event(event("s", "e").execution(1));
        complete(T0 + 1000);

        // when
        complete(T0 + 500);

        // then
        assertThat(fixture.store.movingStreams()).isZero();
    }

    /** The record of the stream, its wake-up, and the record of the execution. */
    @ParameterizedTest
    @CsvSource({"0, 2", "1, 3", "2, 3"})
    @Tag("A-1")
    void shouldSaveOneExecutionWithACompletionThatMovesNothing(long number, long puts) {
        // given
        for (int i = 1; i <= 5; i++) {
            fixture.execution("s", i, "running");
        }
        fixture.resetCounts();

        // when
        fixture.execution("s", number, "completed");

        // then
        assertThat(fixture.usage.puts).isEqualTo(puts);
    }

    @Test
    void shouldStandInTheNewArrangementAtOnceWhereNothingHasToMove() {
        // given
        fixture.event(event("s", "e").status("running"));

        // when
        fixture.begin(byOccurred().build());

        // then
        assertThat(fixture.store.stream(new StreamName("s")).arrangement().anchor())
                .isEqualTo(Anchor.OCCURRED);
    }

    @Test
    @Tag("M-3")
    @Tag("O-6")
    void shouldSayWhenNewStatusesCompletedAnExecution() {
        // given
        fixture.execution("s", 1, "halted");
        fixture.nowMs += 100;

        // when
        fixture.reopen(HALTED_TOO);
        fixture.moveAll();

        // then
        var segment = fixture.store.stream(new StreamName("s")).segment(1);
        assertThat(segment.execution().completedAt()).isEqualTo(T0 + 100);
        assertThat(segment.openSinceMs()).isZero();
    }

    @Test
    @Tag("M-3")
    @Tag("O-6")
    void shouldSaySinceWhenNewStatusesHaveAnExecutionAtWork() {
        // given
        fixture.execution("s", 1, "failed");
        fixture.nowMs += 100;

        // when
        fixture.reopen(HALTED_TOO);
        fixture.moveAll();

        // then
        var segment = fixture.store.stream(new StreamName("s")).segment(1);
        assertThat(segment.execution().completedAt()).isNull();
        assertThat(segment.openSinceMs()).isEqualTo(T0 + 100);
    }

    @Test
    @Tag("I-6")
    void shouldLookAtTheStatusesOfAllExecutionsOnce() {
        // given
        for (int i = 1; i <= 100; i++) {
            fixture.event(event("s", "e" + i).execution(i));
            fixture.execution("s", i, "halted");
        }
        fixture.reopen(HALTED_TOO);
        fixture.moveSlice();
        StreamState stream = fixture.store.stream(new StreamName("s"));
        Looks looks = Looks.at(stream);

        // when
        fixture.moveSlice();

        // then
        assertThat(stream.isMoving()).isTrue();
        assertThat(looks.count()).isLessThan(100);
    }

    @Test
    @Tag("A-1")
    void shouldRetimeNothingByAnAnchorThatKnowsNoCompletion() {
        // given
        fixture.policies(byOccurred().build());
        fixture.event(event("s", "e").execution(1).ttlSeconds(10));
        complete(T0 + 1000);

        // when
        complete(T0 + 500);

        // then
        assertThat(fixture.store.movingStreams()).isZero();
    }

    @Test
    @Tag("I-3")
    void shouldTrustAStreamOfWhichAllEventsAreKnown() {
        // given
        fillBackwards(10);

        // when
        fixture.policies(byOccurred().build());

        // then
        assertThat(fixture.store.stream(new StreamName("s")).isSuspect()).isFalse();
    }

    @Test
    void shouldSayWhetherAMoveIsDone() {
        // given
        fillBackwards(10);
        fixture.begin(byOccurred().build());
        StreamState stream = fixture.store.stream(new StreamName("s"));

        // then
        for (int slice = 0; slice < 10; slice++) {
            assertThat(move(stream)).as("slice " + slice).isFalse();
        }
        assertThat(move(stream)).isTrue();
    }

    private boolean move(StreamState stream) {
        SweepBudget budget = new SweepBudget(1, 0, System::nanoTime);
        return fixture.store.move(stream, fixture.nowMs, budget, NO_LISTENER);
    }

    private boolean isSaved() {
        return StoreProbe.isSaved(fixture.store.stream(new StreamName("s")), fixture.usage.contents());
    }

    @Test
    void shouldNotSweepAStreamThatMoves() {
        // given
        fillBackwards(MANY);
        fixture.nowMs += 1_000_000;

        // when
        fixture.begin(byOccurred().maxAge(Limit.of(1)).build());
        fixture.moveSlice();

        // then
        assertThat(fixture.sweep()).isEmpty();
        fixture.moveAll();
        assertThat(fixture.sweep()).hasSize(MANY);
    }

    @Test
    void shouldTakeInEventsAndUpdatesWhileItMoves() {
        // given
        fillBackwards(MANY);
        fixture.begin(byOccurred().maxAge(Limit.of(1_000_000)).build());
        fixture.moveSlice();

        // when
        fixture.event(event("s", "early").occurredAt(T0 - 900_000));
        fixture.event(event("s", "e299").occurredAt(T0 + 5));
        fixture.status("s", "e0", "pending", T0);
        fixture.status("s", "e150", "running", T0);
        fixture.moveAll();

        // then
        assertThat(fixture.ids("s")).startsWith("early", "e298").endsWith("e299", "e0", "e150");
        fixture.nowMs = T0 + 100_001;
        assertThat(fixture.sweep()).extracting(Removal::id).containsExactly("early");
    }

    @Test
    void shouldGoOnAfterARestart() {
        // given
        fillBackwards(MANY);
        fixture.begin(byOccurred().build());
        fixture.moveSlice();

        // when
        fixture.reopen();

        // then
        assertThat(fixture.store.movingStreams()).isEqualTo(1);
        fixture.moveAll();
        assertThat(fixture.ids("s")).startsWith("e299", "e298").endsWith("e0");
    }

    /** The point reached when the process ended is known of every execution, whether or not its events have moved. */
    @Test
    @Tag("I-7")
    void shouldGoOnAfterARestartBehindEventsThatStayWhereTheyAre() {
        // given
        for (int number = 1; number <= 2; number++) {
            fixture.event(event("s", "e" + number).execution(number).occurredAt(T0));
        }
        fixture.begin(byOccurred().build());
        fixture.moveSlice();

        // when
        fixture.reopen();
        fixture.moveAll();

        // then
        for (int number = 1; number <= 2; number++) {
            Segment segment = fixture.store.stream(new StreamName("s")).segment(number);
            assertThat(segment.heads().of(Range.ORDERED).anchorMs()).isEqualTo(T0);
        }
    }

    @Test
    @Tag("M-3")
    @Tag("I-7")
    void shouldGoOnSortingEventsAfterARestart() {
        // given
        fixture.event(event("s", "fact"));
        fixture.event(event("s", "halted1").status("halted"));
        fixture.event(event("s", "halted2").status("halted"));
        fixture.reopen(HALTED_TOO);
        fixture.moveSlice();
        assertThat(fixture.store.movingStreams()).isEqualTo(1);

        // when
        fixture.reopen(HALTED_TOO);
        fixture.moveAll();

        // then
        assertThat(fixture.find("s", "halted1").isProtected()).isFalse();
        assertThat(fixture.find("s", "halted2").isProtected()).isFalse();
    }

    /** The last position tells whether the event at the head is the only one. */
    @Test
    @Tag("I-3")
    void shouldKnowTheLastEventOfARangeThatItDoesNotVisit() {
        // given
        fixture.event(event("s", "first"));
        fixture.event(event("s", "last"));
        fixture.event(event("s", "timed").ttlSeconds(1));
        fixture.policies(RetentionPolicy.of(Scope.ALL)
                .maxAge(Limit.of(1000))
                .set(PolicyField.MIN_TTL, Limit.of(5000))
                .build());

        // when
        fixture.remove("s", "first");
        fixture.nowMs += 1001;

        // then
        assertThat(fixture.sweep()).extracting(Removal::id).containsExactly("last");
        assertThat(fixture.store.stream(new StreamName("s")).isSuspect()).isFalse();
    }

    @Test
    void shouldTurnBackInTheMiddle() {
        // given
        fillBackwards(MANY);
        fixture.begin(byOccurred().build());
        for (int slice = 0; slice < 10; slice++) {
            fixture.moveSlice();
        }

        // when
        fixture.begin(RetentionPolicy.of(Scope.ALL).build());
        fixture.moveSlice();
        fixture.begin(RetentionPolicy.of(Scope.ALL).anchor(Anchor.COMPLETED).build());
        fixture.moveSlice();
        fixture.begin(RetentionPolicy.of(Scope.ALL).build());
        fixture.moveAll();

        // then
        assertThat(fixture.ids("s")).startsWith("e0", "e1").endsWith("e299");
        fixture.check();
    }

    @Test
    @Tag("M-10")
    void shouldRetimeOwnTtlsWhenTheBoundsChange() {
        // given
        fixture.event(event("s", "short").ttlSeconds(1));
        fixture.event(event("s", "long").ttlSeconds(1000));

        // when
        fixture.policies(RetentionPolicy.of(Scope.ALL)
                .set(PolicyField.MIN_TTL, Limit.of(10_000))
                .set(PolicyField.MAX_TTL, Limit.of(20_000))
                .build());

        // then
        fixture.nowMs = T0 + 10_000;
        assertThat(fixture.sweep()).isEmpty();
        fixture.nowMs = T0 + 10_001;
        assertThat(fixture.sweep()).extracting(Removal::id).containsExactly("short");
        fixture.nowMs = T0 + 20_001;
        assertThat(fixture.sweep()).extracting(Removal::id).containsExactly("long");
    }

    @Test
    @Tag("M-10")
    void shouldHonourInfiniteWishesFromTheMomentTheyAreAllowed() {
        // given
        fixture.event(event("s", "wish").noExpiration());
        RetentionPolicy.Builder short1 = RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(1000));

        // when
        fixture.policies(short1.set(PolicyField.ALLOW_INFINITE_TTL, true).build());
        fixture.nowMs += 1001;

        // then
        assertThat(fixture.sweep()).isEmpty();
        assertThat(fixture.usage("s").infiniteEvents()).isEqualTo(1);

        // when
        fixture.policies(short1.set(PolicyField.ALLOW_INFINITE_TTL, false).build());

        // then
        assertThat(fixture.sweep()).extracting(Removal::id).containsExactly("wish");
    }

    @Test
    @Tag("M-3")
    void shouldSortTheStoredEventsAnewForAnotherSetOfStatuses() {
        // given
        fixture.event(event("s", "archived").status("archived"));
        fixture.event(event("s", "completed").status("completed"));
        fixture.event(event("s", "fact"));
        fixture.nowMs += 5000;

        // when
        fixture.reopen(new TerminalStatuses(List.of("ARCHIVED")));
        assertThat(fixture.store.movingStreams()).isEqualTo(1);
        assertThat(fixture.sweep()).as("a sweep before it is done").isEmpty();
        fixture.moveAll();

        // then
        assertThat(fixture.find("s", "archived").isProtected()).isFalse();
        assertThat(fixture.find("s", "archived").event().completedAt()).isEqualTo(T0 + 5000);
        assertThat(fixture.find("s", "completed").isProtected()).isTrue();
        assertThat(fixture.find("s", "completed").event().completedAt()).isNull();
        assertThat(fixture.find("s", "fact").event().completedAt()).isEqualTo(T0);
        assertThat(fixture.reclassified)
                .extracting(stored -> stored.event().id().value())
                .containsExactlyInAnyOrder("archived", "completed");
    }

    /** The event is protected from the start with these statuses on, whether or not the move has come to it. */
    @Test
    @Tag("M-3")
    @Tag("M-4")
    void shouldNotTakeAnEventForGoneThatNewStatusesProtect() {
        // given an event that falls due before the move has come to it
        fixture.policies(RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(1000)).build());
        fixture.event(event("s", "read").status("read"));
        fixture.reopen(new TerminalStatuses(Set.of("completed")));
        fixture.nowMs += 1001;

        // when
        Optional<Arrival> update = prepareStatus("read", "processing");
        Arrival upsert = prepareEvent("read");

        // then what becomes of it is known when it has
        assertThat(update).get().satisfies(arrival -> assertThat(arrival.isUndecided())
                .isTrue());
        assertThat(upsert.isUndecided()).isTrue();
        fixture.moveAll();
        assertThat(prepareStatus("read", "processing")).get().satisfies(arrival -> assertThat(arrival.isUndecided())
                .isFalse());
        assertThat(prepareEvent("read").displaced()).isNull();
    }

    @Test
    @Tag("M-3")
    @Tag("M-4")
    void shouldCountTheNewCompletionOfWhatNewStatusesHaveOpened() {
        // given
        fixture.event(event("s", "updated").status("read"));
        fixture.event(event("s", "replaced").status("read"));
        fixture.execution("s", 1, "read");
        fixture.reopen(new TerminalStatuses(Set.of("completed")));

        // when they are completed before the move has come to them
        fixture.nowMs += 5000;
        fixture.status("s", "updated", "completed", fixture.nowMs);
        fixture.event(event("s", "replaced").status("completed"));
        ExecutionChange change = fixture.execution("s", 1, "completed");

        // then
        assertThat(fixture.find("s", "updated").event().completedAt()).isEqualTo(T0 + 5000);
        assertThat(fixture.find("s", "replaced").event().completedAt()).isEqualTo(T0 + 5000);
        assertThat(change.execution().completedAt()).isEqualTo(T0 + 5000);
    }

    private Optional<Arrival> prepareStatus(String id, String status) {
        EventUpdate update = new EventUpdate(new StreamName("s"), new EventId(id), status, null, null, null);
        return fixture.store.prepare(update, fixture.nowMs, fixture.nowMs, fixture.policies());
    }

    private Arrival prepareEvent(String id) {
        return fixture.store.prepare(
                event("s", id).status("read").build(), fixture.nowMs, fixture.nowMs, fixture.policies());
    }

    @Test
    @Tag("M-3")
    void shouldNotSortAgainWhenTheSetIsTheSame() {
        // given
        fixture.event(event("s", "a"));

        // when
        fixture.reopen(new TerminalStatuses(List.of("read", "cancelled", "failed", "COMPLETED")));

        // then
        assertThat(fixture.store.movingStreams()).isZero();
    }

    private void fillBackwards(int count) {
        for (int i = 0; i < count; i++) {
            fixture.event(event("s", "e" + i).occurredAt(T0 - i));
            fixture.nowMs++;
        }
        fixture.nowMs = T0;
    }

    private static RetentionPolicy.Builder byOccurred() {
        return RetentionPolicy.of(Scope.ALL).anchor(Anchor.OCCURRED);
    }
}
