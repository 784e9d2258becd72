package dev.ebb.store.pass;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.store.StoreFixture.T0;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.PruneCondition;
import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.StoreFixture;
import dev.ebb.store.layout.EventKeys;
import dev.ebb.store.layout.Position;
import dev.ebb.store.layout.Quarantine;
import dev.ebb.store.layout.Range;
import dev.ebb.store.layout.UsageKeys;
import dev.ebb.store.state.EventTotals;
import dev.ebb.store.state.Segment;
import dev.ebb.store.state.StateCodec;
import dev.ebb.store.state.StreamState;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A recount says what was wrong, and nothing else. */
@Tag("I-3")
class UsageHealingTest {

    private static final String NAMESPACE = new StreamName("s").namespace();

    private final StoreFixture fixture = new StoreFixture();
    private final List<String> differences = new ArrayList<>();

    @Test
    void shouldSayThatAHeadStoodTooHigh() {
        // given
        fill(5);
        wrong(stream -> stream.root().heads().raise(Range.ORDERED, new Position(0, Long.MAX_VALUE, 0)));

        // when
        heal();

        // then
        assertThat(differences)
                .containsExactly("execution 0: recorded 5 events (" + bytes() + " bytes), found 5 (" + bytes()
                        + " bytes), and ordered ones before the first that was recorded");
        fixture.policies(RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(1)).build());
        fixture.nowMs += 2;
        assertThat(fixture.sweep()).hasSize(5);
    }

    @Test
    void shouldSayThatADeadlineStoodTooLate() {
        // given
        fixture.event(event("s", "e0").ttlSeconds(10));
        wrong(stream -> stream.root().heads().raiseDue(T0 + 20_000));

        // when
        heal();

        // then
        assertThat(differences).singleElement().asString().endsWith("and deadlines before the first that was recorded");
        fixture.nowMs += 10_001;
        assertThat(fixture.sweep()).hasSize(1);
    }

    @Test
    void shouldSayHowManyEventsAreMissing() {
        // given
        fill(5);
        long before = bytes();
        StreamState stream = stream();
        fixture.events.put(
                EventKeys.positional(
                        Range.ORDERED, stream.sid(), stream.root().heads().of(Range.ORDERED)),
                null);

        // when
        heal();

        // then
        assertThat(differences)
                .containsExactly(
                        "execution 0: recorded 5 events (" + before + " bytes), found 4 (" + bytes() + " bytes)");
    }

    @Test
    void shouldSayNothingOfAHeadThatStandsLowerThanItMight() {
        // given
        fill(5);
        fixture.remove("s", "e0");

        // when
        heal();

        // then
        assertThat(differences).isEmpty();
    }

    @Test
    @Tag("O-9")
    void shouldLookForTheCompletionAnew() {
        // given a search that was led astray by wrong counts
        fixture.policies(RetentionPolicy.of(Scope.ALL).anchor(Anchor.STORED).build());
        for (int i = 0; i < 5; i++) {
            fixture.event(event("s", "e" + i).completedAt(T0 + i));
        }
        fixture.event(event("s", "new").execution(7));
        fixture.execution("s", 7, "completed");
        fixture.execution("s", 8, "completed");
        wrong(stream -> count(stream.root(), 2, stream.bytes(Range.ORDERED)));
        PruneCondition condition = new PruneCondition(null, T0 + 3);
        Pruning pruning = fixture.store.beginPrune(stream(), condition, false);
        assertThat(fixture.store.prune(stream(), pruning, new SweepBudget(1, 0, System::nanoTime), (state, gone) -> {}))
                .isFalse();

        // when
        heal();
        fixture.store.prune(stream(), pruning, unlimited(), (state, gone) -> {});

        // then the last of its events was completed too late
        assertThat(fixture.ids("s")).containsExactly("e0", "e1", "e2", "e3", "e4");
    }

    /** The caps had found nothing that may go by counts that were wrong. */
    @Test
    @Tag("M-12")
    void shouldAskTheCapsAnew() {
        // given
        RetentionPolicy policy = RetentionPolicy.of(Scope.ALL)
                .maxCount(Limit.of(4))
                .set(PolicyField.KEEP_LAST, Limit.of(5))
                .build();
        fixture.policies(policy);
        fill(20);
        wrong(stream -> count(stream.root(), 5, stream.bytes(Range.ORDERED)));
        assertThat(fixture.sweep()).isEmpty();

        // when
        heal();
        fixture.schedule.touch(stream());

        // then
        assertThat(fixture.sweep()).hasSize(15);
    }

    /** Events that come and go between two slices are counted as well, on both sides of the place reached. */
    @Test
    void shouldCountWhatChangesBehindItAndBeforeIt() {
        // given
        fixture.policies(RetentionPolicy.of(Scope.ALL).anchor(Anchor.OCCURRED).build());
        fill(8);
        fixture.store.suspect(stream(), "a test");
        assertThat(heal(4)).isFalse();

        // when
        fixture.remove("s", "e7");
        fixture.event(event("s", "behind").occurredAt(T0 - 100));
        fixture.event(event("s", "behind too").occurredAt(T0 - 99));
        fixture.remove("s", "e0");
        fixture.event(event("s", "before").occurredAt(T0 + 1));
        assertThat(heal(1000)).isTrue();

        // then
        assertThat(differences).isEmpty();
        fixture.check();
    }

    @Test
    @Tag("A-7")
    void shouldCountAllAnewWhenTheEventsAreMovedInItsMiddle() {
        // given
        fill(8);
        fixture.store.suspect(stream(), "a test");
        assertThat(heal(4)).isFalse();

        // when
        fixture.begin(RetentionPolicy.of(Scope.ALL).anchor(Anchor.OCCURRED).build());
        fixture.moveAll();
        assertThat(heal(1000)).isTrue();

        // then
        assertThat(differences).isEmpty();
        fixture.check();
    }

    /** The event that was completed last may be the one that is missing. */
    @Test
    @Tag("O-9")
    void shouldFindOutAnewWhenTheStreamWasCompleted() {
        // given
        for (int i = 0; i < 5; i++) {
            fixture.event(event("s", "e" + i).completedAt(T0 + i));
        }
        StreamState stream = stream();
        assertThat(fixture.store.completionMs(stream)).isEqualTo(T0 + 4);
        fixture.events.put(
                EventKeys.positional(
                        Range.ORDERED,
                        stream.sid(),
                        Objects.requireNonNull(stream.root().heads().orderedTail())),
                null);

        // when
        heal();

        // then
        assertThat(fixture.store.findCompletion(stream(), unlimited())).isTrue();
        assertThat(fixture.store.completionMs(stream())).isEqualTo(T0 + 3);
    }

    /** From a head that stood too high a sweep had met nothing but what a guard keeps. */
    @Test
    @Tag("M-12")
    void shouldAskTheGuardsAnew() {
        // given
        fixture.policies(RetentionPolicy.of(Scope.ALL)
                .maxAge(Limit.of(1))
                .set(PolicyField.KEEP_LAST, Limit.of(5))
                .build());
        fill(20);
        wrong(stream -> stream.root().heads().raise(Range.ORDERED, new Position(0, T0, 17)));
        fixture.nowMs += 2;
        assertThat(fixture.sweep()).isEmpty();

        // when
        heal();

        // then
        assertThat(fixture.sweep()).hasSize(15);
    }

    @Test
    void shouldNotWaitForASuspectThatCannotBeCountedNow() {
        // given
        fill(5);
        fixture.begin(RetentionPolicy.of(Scope.ALL).anchor(Anchor.OCCURRED).build());
        StreamState stream = stream();
        fixture.store.suspect(stream, "a test");

        // when
        fixture.store.quarantine(stream, new Quarantine("a test", T0));

        // then
        assertThat(fixture.store.movingStreams()).isZero();
        assertThat(fixture.store.hasSuspects()).isFalse();
        fixture.store.quarantine(stream, null);
        fixture.moveAll();
        assertThat(fixture.store.hasSuspects()).isTrue();
    }

    @Test
    void shouldFindAnExecutionWhoseRecordIsLost() {
        // given
        fill(2);
        fixture.event(event("s", "numbered").execution(3));
        fixture.commit();
        fixture.usage.put(UsageKeys.execution(stream().sid(), 3), null);
        fixture.reopen();
        assertThat(stream().segment(3)).isNull();

        // when
        heal();

        // then
        assertThat(stream().segment(3).totalEvents()).isEqualTo(1);
        assertThat(stream().totalEvents()).isEqualTo(3);
    }

    @Test
    @Tag("A-5")
    void shouldMakeAnEventFindableAgain() {
        // given
        fill(3);
        fixture.events.put(EventKeys.byId(Range.IDS, stream().sid(), "e1"), null);

        // when
        heal();

        // then
        assertThat(differences).containsExactly("1 events were not found under their ids");
        assertThat(fixture.find("s", "e1").event().id().value()).isEqualTo("e1");
    }

    @Test
    void shouldCountTheWishesThatThePolicyDoesNotGrant() {
        // given
        fixture.policies(RetentionPolicy.of(Scope.ALL)
                .set(PolicyField.ALLOW_INFINITE_TTL, false)
                .build());
        fixture.event(event("s", "e0").noExpiration());
        fixture.event(event("s", "e1").noExpiration());
        assertThat(stream().wishes()).isEqualTo(2);

        // when
        heal();

        // then
        assertThat(differences).isEmpty();
        assertThat(stream().wishes()).isEqualTo(2);
    }

    /** Totals have records of their own: the recount that comes next counts them by usage that is right again. */
    @Test
    @Tag("A-17")
    void shouldLeaveUsageByWhichTheTotalsOfTheNamespaceAreMended() {
        // given
        fill(5);
        fixture.event(event("s", "numbered").execution(3));
        wrong(stream -> count(stream.root(), 2, 7));

        // when
        heal();
        SweepBudget budget = new SweepBudget(1_000_000, Long.MAX_VALUE / 2, System::nanoTime);
        boolean isOver = fixture.store.recountNamespaces(budget, differences::add);

        // then
        var totals = fixture.store.namespaceTotals().get(NAMESPACE);
        assertThat(isOver).isTrue();
        assertThat(totals.events()).isEqualTo(6);
        assertThat(totals.bytes()).isEqualTo(bytes());
    }

    /** A head that stood too high had hidden when the first event of the execution is due. */
    @Test
    void shouldAskAnewWhenAnExecutionIsDue() {
        // given
        fixture.policies(RetentionPolicy.of(Scope.ALL)
                .anchor(Anchor.STORED)
                .maxAge(Limit.of(1000))
                .build());
        fixture.event(event("s", "numbered").execution(3));
        fixture.execution("s", 3, "completed");
        stream().segment(3).heads().raise(Range.ORDERED, new Position(3, T0 + 5000, 0));
        fixture.execution("s", 3, "completed");
        assertThat(stream().mayLose(T0 + 1002)).isFalse();

        // when
        heal();

        // then
        fixture.nowMs += 1002;
        assertThat(fixture.sweep()).hasSize(1);
    }

    @Test
    void shouldTrustTheStreamAndLeaveIt() {
        // given
        fill(5);

        // when
        heal();

        // then
        assertThat(stream().isSuspect()).isFalse();
        assertThat(stream().isPassedThrough()).isFalse();
        assertThat(fixture.store.hasSuspects()).isFalse();
    }

    @Test
    @Tag("O-2")
    void shouldNotBeginWithoutABudget() {
        // given
        fill(1);
        fixture.store.suspect(stream(), "a test");

        // then
        assertThat(heal(0)).isFalse();
        assertThat(stream().isPassedThrough()).isFalse();
        assertThat(heal(2)).isTrue();
    }

    /** It would fail again with each slice. */
    @Test
    @Tag("O-1")
    void shouldGiveUpARecountThatFails() {
        // given
        fill(8);
        fixture.store.suspect(stream(), "a test");
        assertThat(heal(4)).isFalse();
        assertThat(stream().isPassedThrough()).isTrue();

        // when
        boolean isDone = fixture.store.heal(unlimited(), new HealingListener() {
            @Override
            public void healed(StreamState stream, String finding, List<String> found) {
                differences.add("healed");
            }

            @Override
            public boolean run(StreamState stream, BooleanSupplier work) {
                return true;
            }
        });

        // then
        assertThat(isDone).isTrue();
        assertThat(differences).isEmpty();
        assertThat(fixture.store.hasSuspects()).isFalse();
        assertThat(stream().isSuspect()).isFalse();
        assertThat(stream().isPassedThrough()).isFalse();
    }

    @Test
    void shouldLeaveASuspectThatBeginsToMoveAndCountItAnewAfterwards() {
        // given
        fill(8);
        fixture.event(event("t", "of t"));
        StreamState other = fixture.store.stream(new StreamName("t"));
        fixture.store.suspect(stream(), "a test");
        fixture.store.suspect(other, "a test");
        assertThat(heal(4)).isFalse();
        fixture.begin(
                RetentionPolicy.of(Scope.stream("s")).anchor(Anchor.OCCURRED).build());

        // when
        assertThat(heal(1000)).isTrue();

        // then
        assertThat(other.isSuspect()).isFalse();
        assertThat(stream().isSuspect()).isTrue();
        assertThat(stream().isPassedThrough()).isFalse();

        // when
        fixture.moveAll();
        assertThat(heal(1000)).isTrue();

        // then
        assertThat(stream().isSuspect()).isFalse();
        assertThat(differences).isEmpty();
    }

    private void fill(int events) {
        for (int i = 0; i < events; i++) {
            fixture.event(event("s", "e" + i).occurredAt(T0 - i));
        }
    }

    /** Makes the record of the stream say something else. */
    private void wrong(Consumer<StreamState> change) {
        fixture.commit();
        change.accept(stream());
        fixture.usage.put(UsageKeys.stream(new StreamName("s")), StateCodec.encode(stream()));
        fixture.reopen();
    }

    private static void count(Segment segment, long ordered, long bytes) {
        EventTotals totals = new EventTotals();
        totals.add(Range.ORDERED, ordered, bytes);
        segment.recounted(totals, segment.heads());
    }

    private boolean heal(int deletes) {
        SweepBudget budget = new SweepBudget(deletes, Long.MAX_VALUE / 2, System::nanoTime);
        return fixture.store.heal(budget, (stream, finding, found) -> differences.addAll(found));
    }

    private void heal() {
        fixture.store.suspect(stream(), "a test");
        heal(1_000_000);
        fixture.schedule.touch(stream());
        fixture.check();
    }

    private long bytes() {
        return stream().totalBytes();
    }

    private StreamState stream() {
        return fixture.store.stream(new StreamName("s"));
    }

    private static SweepBudget unlimited() {
        return new SweepBudget(1_000_000, Long.MAX_VALUE / 2, System::nanoTime);
    }
}
