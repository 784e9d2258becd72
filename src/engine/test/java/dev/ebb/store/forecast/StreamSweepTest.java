package dev.ebb.store.forecast;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.store.StoreFixture.T0;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.event.ExecutionUpdate;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.StoreFixture;
import dev.ebb.store.StoreFixture.Removal;
import dev.ebb.store.events.RemovalListener;
import dev.ebb.store.layout.EventKeys;
import dev.ebb.store.layout.Range;
import dev.ebb.store.state.HeapProbe;
import dev.ebb.store.state.Segment;
import dev.ebb.store.state.StreamState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Work of one slice of a sweep on a stream, and the rest that it leaves to the next one. */
@Tag("O-2")
class StreamSweepTest {

    private static final int MANY = 1000;

    private final StoreFixture fixture = new StoreFixture();
    private final List<String> gone = new ArrayList<>();

    @Test
    void shouldBeDoneWhenNothingMoreIsDue() {
        // given
        fixture.policies(all().maxAge(Limit.of(1000)).build());
        fixture.event(event("s", "old"));
        fixture.nowMs += 1001;
        fixture.event(event("s", "young"));

        // then
        assertThat(removeDue(MANY)).isTrue();
        assertThat(gone).containsExactly("old");
    }

    /** Its head must not be looked at for ever. */
    @Test
    @Tag("I-3")
    void shouldEndAtAnEventThatIsCountedAndNotThere() {
        // given
        fixture.policies(all().maxAge(Limit.of(1000)).build());
        fixture.event(event("s", "lost"));
        fixture.event(event("s", "there"));
        loseFirst();
        loseFirst();
        fixture.nowMs += 1001;

        // then
        assertThat(removeDue(MANY)).isFalse();
        assertThat(stream().isSuspect()).isTrue();
        assertThat(head()).isNotNull();
    }

    /** Until the execution ends the deadline counts from the earliest time that there is. */
    @Test
    @Tag("M-5")
    void shouldMendADeadlineThatLiesTooEarlyOnce() {
        // given
        lateCompletion("early");
        fixture.resetCounts();

        // when
        assertThat(removeDue(MANY)).isTrue();

        // then
        assertThat(gone).isEmpty();
        assertThat(fixture.events.puts).isEqualTo(1);
        assertThat(stream().nextDueMs(segment(3))).isEqualTo(T0 + 10_000);
        assertThat(fixture.store.isTorn()).isFalse();
        fixture.check();

        // when
        fixture.nowMs = T0 + 10_001;
        assertThat(removeDue(MANY)).isTrue();

        // then
        assertThat(gone).containsExactly("early");
    }

    @Test
    @Tag("A-4")
    void shouldKnowAfterAMendedDeadlineThatAFailureLeavesHalfOfAChange() {
        // given
        lateCompletion("early");
        removeDue(MANY);
        fixture.nowMs = T0 + 10_001;

        // when
        assertThatThrownBy(() -> removeDue(MANY, (stream, removed) -> {
                    throw new IllegalStateException("a test");
                }))
                .hasMessage("a test");

        // then
        assertThat(fixture.store.isTorn()).isTrue();
    }

    @Test
    void shouldSpendADeleteOnADeadlineThatItMends() {
        // given
        fixture.policies(all().anchor(Anchor.COMPLETED).build());
        fixture.event(event("s", "mended").execution(3).ttlSeconds(10));
        fixture.event(event("s", "due").execution(3).expiresAt(T0 + 1));
        complete(3, T0);
        fixture.nowMs = T0 + 2;

        // then
        assertThat(removeDue(2)).isFalse();
        assertThat(gone).containsExactly("due");
        assertThat(removeDue(2)).isTrue();
    }

    @Test
    @Tag("O-5")
    void shouldMendNothingInAForecast() {
        // given
        lateCompletion("early");
        fixture.resetCounts();

        // when
        boolean isDone = fixture.store.removeDue(
                stream().shadow(), fixture.nowMs, budget(MANY), (stream, removed) -> gone.add("?"));

        // then
        assertThat(isDone).isTrue();
        assertThat(gone).isEmpty();
        assertThat(fixture.events.puts).isZero();
    }

    /** A head may stand where an event was that a command has removed. */
    @Test
    void shouldNotLookAgainAtAHeadThatStoodTooLow() {
        // given
        fixture.policies(all().anchor(Anchor.STORED).maxAge(Limit.of(1000)).build());
        fixture.event(event("s", "removed").execution(3));
        fixture.nowMs += 500;
        fixture.event(event("s", "young").execution(3));
        complete(3, T0);
        fixture.remove("s", "removed");
        fixture.nowMs = T0 + 1001;

        // then
        assertThat(removeDue(MANY)).isTrue();
        assertThat(gone).isEmpty();
        assertThat(HeapProbe.knownDueMs(stream(), segment(3))).isEqualTo(T0 + 1500);
    }

    @Test
    void shouldSpendADeleteOnAnExecutionThatItForgets() {
        // given
        fixture.graveRetention = Duration.ZERO;
        fixture.reopen();
        fixture.policies(all().maxAge(Limit.of(1000)).build());
        complete(1, T0);
        complete(2, T0);
        fixture.nowMs += 1001;

        // then
        assertThat(removeDue(1)).isFalse();
        assertThat(stream().executionCount()).isEqualTo(1);
        assertThat(removeDue(1)).isTrue();
    }

    @Test
    @Tag("M-12")
    void shouldGetBehindWhatAGuardKeepsFromAgeHoweverShortTheSlice() {
        // given
        fixture.policies(all().maxAge(Limit.of(1000))
                .set(PolicyField.KEEP_LAST, Limit.of(5))
                .build());
        fixture.event(event("s", "old"));
        fixture.event(event("s", "live").ttlSeconds(100));
        fill(5);
        fixture.nowMs += 1001;

        // when
        int slices = 1;
        while (!fixture.store.removeDue(
                stream(), fixture.nowMs, new SweepBudget(MANY, 0, System::nanoTime), listener())) {
            assertThat(slices++).isLessThan(100);
        }

        // then
        assertThat(gone).containsExactly("old");
    }

    @Test
    @Tag("M-12")
    void shouldTakeNothingOverACapWhileSomethingIsDue() {
        // given
        fixture.policies(all().maxAge(Limit.of(1000)).maxCount(Limit.of(1)).build());
        fill(2);
        fixture.nowMs += 1001;
        fixture.event(event("s", "young"));
        fixture.event(event("s", "younger"));

        // then
        assertThat(removeOverCap(1)).isFalse();
        assertThat(gone).containsExactly("e0");
        assertThat(removeOverCap(MANY)).isTrue();
        assertThat(gone).containsExactly("e0", "e1", "young");
    }

    @Test
    void shouldTakeNoMoreOverACapThanMayGo() {
        // given
        fixture.policies(all().maxCount(Limit.of(1)).build());
        fill(5);

        // then
        assertThat(removeOverCap(2)).isFalse();
        assertThat(gone).containsExactly("e0", "e1");
        assertThat(removeOverCap(MANY)).isTrue();
        assertThat(gone).hasSize(4);
    }

    @Test
    void shouldBeDoneWithTheCapsAtTheCurrentExecution() {
        // given
        fixture.policies(all().maxCount(Limit.of(2)).build());
        fixture.event(event("s", "former").execution(1));
        complete(1, T0);
        for (int i = 0; i < 4; i++) {
            fixture.event(event("s", "current" + i).execution(2));
        }
        complete(2, T0);

        // then
        assertThat(removeOverCap(MANY)).isTrue();
        assertThat(gone).containsExactly("former");
    }

    /** Events that a guard keeps count as well, and cost no delete. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Tag("M-12")
    void shouldTakeOverACapOnlyAsMuchAsTheGuardedEventsLeave(boolean isByCount) {
        // given
        long size = event("s", "1a").execution(1).build().sizeBytes();
        var policy = all().anchor(Anchor.OCCURRED).set(PolicyField.MIN_AGE, Limit.of(100));
        fixture.policies(
                (isByCount ? policy.maxCount(Limit.of(2)) : policy.set(PolicyField.MAX_BYTES, Limit.of(2 * size)))
                        .build());
        fixture.event(event("s", "1a").execution(1).occurredAt(T0));
        fixture.event(event("s", "1b").execution(1).occurredAt(T0));
        complete(1, T0);
        fixture.event(event("s", "2a").execution(2).occurredAt(T0 - 200));
        fixture.event(event("s", "2b").execution(2).occurredAt(T0 - 200));
        complete(2, T0);
        fixture.event(event("s", "3a").execution(3).occurredAt(T0));
        complete(3, T0);
        fixture.resetCounts();

        // when
        boolean isDone = removeOverCap(2);

        // then the first of each execution is all that is read
        assertThat(isDone).isTrue();
        assertThat(gone).containsExactly("2a");
        assertThat(fixture.events.walked + fixture.events.gets).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 5})
    @Tag("M-12")
    void shouldLookAtTheCapsAgainAsSoonAsTheGuardEnds(long guardedForMs) {
        // given
        fixture.policies(all().set(PolicyField.MIN_AGE, Limit.of(guardedForMs))
                .maxCount(Limit.of(1))
                .build());
        fill(2);
        fixture.nowMs += guardedForMs - 1;
        assertThat(fixture.sweep()).isEmpty();

        // when
        fixture.nowMs++;

        // then
        assertThat(fixture.sweep()).extracting(Removal::id).containsExactly("e0");
    }

    /** Nothing goes, but the head stands higher. */
    @Test
    void shouldNotWaitForAHeadThatTheCapsHaveRaised() {
        // given
        fixture.policies(all().anchor(Anchor.STORED)
                .maxAge(Limit.of(1000))
                .set(PolicyField.MIN_AGE, Limit.of(900))
                .maxCount(Limit.of(1))
                .build());
        fixture.event(event("s", "removed").execution(3));
        fixture.nowMs += 500;
        fixture.event(event("s", "guarded").execution(3));
        complete(3, T0);
        fixture.event(event("s", "current").execution(4));
        complete(4, T0);
        fixture.remove("s", "removed");
        assertThat(HeapProbe.knownDueMs(stream(), segment(3))).isEqualTo(T0 + 1000);

        // when
        assertThat(removeOverCap(MANY)).isTrue();

        // then
        assertThat(gone).isEmpty();
        assertThat(HeapProbe.knownDueMs(stream(), segment(3))).isEqualTo(T0 + 1500);
    }

    private void lateCompletion(String id) {
        fixture.policies(all().anchor(Anchor.COMPLETED).build());
        fixture.event(event("s", id).execution(3).ttlSeconds(10));
        complete(3, T0);
    }

    private void complete(long number, long completedAt) {
        fixture.execution(
                new ExecutionUpdate(new StreamName("s"), number, "completed", null, null, completedAt), fixture.nowMs);
    }

    private void fill(int events) {
        for (int i = 0; i < events; i++) {
            fixture.event(event("s", "e" + i));
        }
    }

    /** Takes the first ordered event away behind the back of the store. */
    private void loseFirst() {
        var from = EventKeys.start(Range.ORDERED, stream().sid());
        fixture.events.put(fixture.events.contents().ceilingKey(from), null);
    }

    private Object head() {
        return stream().root().heads().of(Range.ORDERED);
    }

    private boolean removeDue(int deletes) {
        return removeDue(deletes, listener());
    }

    private boolean removeDue(int deletes, RemovalListener listener) {
        return fixture.store.removeDue(stream(), fixture.nowMs, budget(deletes), listener);
    }

    private boolean removeOverCap(int deletes) {
        return fixture.store.removeOverCap(stream(), fixture.nowMs, budget(deletes), listener());
    }

    private RemovalListener listener() {
        return (stream, removed) -> gone.add(removed.event().id());
    }

    private Segment segment(long number) {
        return Objects.requireNonNull(stream().segment(number));
    }

    private StreamState stream() {
        return Objects.requireNonNull(fixture.store.stream(new StreamName("s")));
    }

    private static RetentionPolicy.Builder all() {
        return RetentionPolicy.of(Scope.ALL);
    }

    private static SweepBudget budget(int deletes) {
        return new SweepBudget(deletes, Long.MAX_VALUE / 2, System::nanoTime);
    }
}
