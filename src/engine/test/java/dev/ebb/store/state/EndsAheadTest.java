package dev.ebb.store.state;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.Execution;
import dev.ebb.domain.event.ExecutionUpdate;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.event.TerminalStatuses;
import dev.ebb.domain.policy.BuiltInPolicies;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.retention.RetentionDecider;
import dev.ebb.model.Policies;
import dev.ebb.store.StoreFixture;
import dev.ebb.store.layout.Arrangement;
import dev.ebb.store.layout.Location;
import dev.ebb.store.layout.Position;
import dev.ebb.store.layout.Range;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The ends that wait for their events are bounded, and none counts for longer than it waits. */
@Tag("M-5")
class EndsAheadTest {

    private static final StreamName STREAM = new StreamName("s");
    private static final StreamName OTHER = new StreamName("t");
    private static final long MAX_AGE_MS = BuiltInPolicies.DEFAULT_MAX_AGE.value();

    private final StoreFixture fixture = new StoreFixture();

    EndsAheadTest() {
        // Ends of streams that are not in memory do not count.
        fixture.cacheBytes = Long.MAX_VALUE;
    }

    private final long waitMs = fixture.graveRetention.toMillis();

    /** A partition of its own, with a bound of three. */
    private final StreamState stream = streamOfItsOwn();

    private final EndsAhead ends = new EndsAhead(waitMs, 3);
    private final Map<Integer, Segment> segments = new HashMap<>();

    private static StreamState streamOfItsOwn() {
        EffectivePolicy policy = Policies.setOf().effective(STREAM);
        StreamState stream =
                new StreamState(STREAM, 1, policy, Arrangement.of(policy, TerminalStatuses.DEFAULT.fingerprint()));
        stream.setExecutions(new Executions());
        return stream;
    }

    @ParameterizedTest
    @CsvSource({"-1, true", "0, true", "1, false"})
    void shouldWaitWhereTheAgeEndsSooner(long beyondMs, boolean isAwaited) {
        // when
        end(STREAM, 1, fixture.nowMs + waitMs - MAX_AGE_MS + beyondMs - 1);

        // then
        assertThat(segment(STREAM, 1).awaitsUntilMs()).isEqualTo(isAwaited ? fixture.nowMs + waitMs : 0);
    }

    /** It comes in time, late, and when its age is over; the age ends within the wait each time. */
    @ParameterizedTest
    @CsvSource({"0, false", "59999, false", "60000, false", "60001, true", "7200000, true", "7200001, true"})
    void shouldWaitBehindItsFirstEventsOnlyIfItComesLate(long lateMs, boolean isAwaited) {
        // given
        fixture.policies(
                RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(7_200_000)).build());
        fixture.event(event("s", "e").execution(1));

        // when
        end(STREAM, 1, fixture.nowMs - lateMs);

        // then
        assertThat(segment(STREAM, 1).awaitsUntilMs()).isEqualTo(isAwaited ? fixture.nowMs + waitMs : 0);
    }

    @Test
    void shouldHaveNoEndWhileItIsOpen() {
        // given
        end(STREAM, 1, 0);

        // when
        fixture.execution("s", 1, "running");

        // then
        assertThat(segment(STREAM, 1).awaitsUntilMs()).isZero();
        assertThat(state(STREAM).nextDueMs(segment(STREAM, 1))).isEqualTo(RetentionDecider.NEVER);
    }

    /** Another set of terminal statuses opens the execution. */
    @Test
    @Tag("M-3")
    void shouldNotWaitOnceOtherStatusesHaveOpenedIt() {
        // given
        end(STREAM, 1, 0);
        fixture.event(event("s", "e").execution(1));

        // when
        fixture.reopen(new TerminalStatuses(List.of("done")));
        fixture.moveAll();

        // then
        assertThat(segment(STREAM, 1).execution().isTerminal()).isFalse();
        assertThat(segment(STREAM, 1).awaitsUntilMs()).isZero();
    }

    @Test
    void shouldNeverWaitInTheImplicitExecution() {
        // when
        end(STREAM, 0, 0);

        // then
        assertThat(segment(STREAM, 0).awaitsUntilMs()).isZero();
    }

    @Test
    void shouldWaitOverARestart() {
        // given
        end(STREAM, 1, 0);
        long dueMs = state(STREAM).nextDueMs(segment(STREAM, 1));

        // when
        fixture.reopen();

        // then
        assertThat(dueMs).isEqualTo(StoreFixture.T0 + waitMs);
        assertThat(state(STREAM).nextDueMs(segment(STREAM, 1))).isEqualTo(dueMs);
    }

    /** One that is there more than once counts once; each way out of the store makes room for another one. */
    @Test
    void shouldBoundThoseThatWait() {
        // given
        for (int i = 1; i <= EndsAhead.MOST; i++) {
            end(STREAM, i, 0);
        }
        end(STREAM, EndsAhead.MOST, 0);
        assertIsFull();

        // then
        assertMakesRoom(store -> store.execution("s", 1, "running"));
        fixture.reopen();
        state(STREAM);
        assertIsFull();
        assertMakesRoom(store -> store.retire("t"));
        fixture.nowMs += waitMs + 1;
        fixture.sweep();
        end(STREAM, 1, 0);
        assertThat(segment(STREAM, 1).awaitsUntilMs()).isNotZero();
    }

    @ParameterizedTest
    @CsvSource({"2, true", "3, false", "4, false"})
    void shouldWaitBelowTheBound(int waiting, boolean isAwaited) {
        // given
        for (int number = 1; number <= waiting; number++) {
            decide(number, 0);
        }

        // then
        assertThat(decide(9, 0).awaitsUntilMs() != 0).isEqualTo(isAwaited);
    }

    /** The events of an end have come, its wait is over, or neither: the bound counts those that still wait. */
    @ParameterizedTest
    @CsvSource({"0, 0, false", "0, -1, false", "0, 1, true", "1, 0, true", "1, 1, true"})
    void shouldCountAnewAtTheBound(long events, long beyondWaitMs, boolean isAwaited) {
        // given
        for (int number = 1; number <= 3; number++) {
            decide(number, 0);
        }
        addEvents(segments.get(1), events);

        // then
        assertThat(decide(9, waitMs + beyondWaitMs).awaitsUntilMs() != 0).isEqualTo(isAwaited);
    }

    /** A recount looks at each execution, so an import beyond the bound must not have one for each end. */
    @ParameterizedTest
    @CsvSource({"0, false", "59999, false", "60000, true", "-60000, true"})
    void shouldCountAnewAtMostOnceAMinute(long laterMs, boolean isAwaited) {
        // given
        for (int number = 1; number <= 4; number++) {
            decide(number, 0);
        }
        addEvents(segments.get(1), 1);

        // then
        assertThat(decide(9, laterMs).awaitsUntilMs() != 0).isEqualTo(isAwaited);
    }

    /** An end whose events have gone again counts again, and one that counts no more leaves without a trace. */
    @Test
    void shouldCountEachEndOnce() {
        // given three ends, of which the events of two have come
        for (int number = 1; number <= 3; number++) {
            decide(number, 0);
        }
        addEvents(segments.get(1), 1);
        addEvents(segments.get(2), 1);
        decide(4, 0);

        // when
        ends.go(segments.get(1));
        addEvents(segments.get(2), -1);
        decide(5, 0);

        // then 3, 4 and 5 count, and 2 again after a recount
        assertThat(decide(6, 0).awaitsUntilMs()).isZero();
        ends.open(segments.get(3));
        assertThat(decide(6, 60_000).awaitsUntilMs()).isNotZero();
        assertThat(decide(7, 60_000).awaitsUntilMs()).isZero();
        ends.go(segments.get(2));
        assertThat(decide(7, 60_000).awaitsUntilMs()).isZero();
        ends.go(segments.get(6));
        assertThat(decide(7, 60_000).awaitsUntilMs()).isNotZero();
    }

    /** A producer sends an end again; its events have begun to come, so it is not among those that count. */
    @Test
    void shouldGoOnWaitingIfTheEndComesAgainAtTheBound() {
        // given
        for (int number = 1; number <= 3; number++) {
            decide(number, 0);
        }
        addEvents(segments.get(1), 1);
        decide(4, 0);

        // then
        assertThat(decide(1, 0).awaitsUntilMs()).isNotZero();
        assertThat(decide(5, 0).awaitsUntilMs()).isZero();
    }

    /** A sweep may empty those with events, which then wait without any, so they are bounded as well. */
    @ParameterizedTest
    @CsvSource({"5, true", "6, false", "7, false"})
    void shouldBoundThoseWithEvents(int waiting, boolean isAwaited) {
        // given a minute between them, so that none of them counts when the next one comes
        for (int number = 1; number <= waiting; number++) {
            addEvents(decide(number, number * 60_000L), 1);
        }

        // then
        assertThat(decide(9, 9 * 60_000L).awaitsUntilMs() != 0).isEqualTo(isAwaited);
    }

    private Segment decide(int number, long laterMs) {
        Segment segment = segments.computeIfAbsent(number, this::create);
        ends.decide(segment, Policies.setOf().effective(STREAM), fixture.nowMs + laterMs);
        return segment;
    }

    private Segment create(int number) {
        Segment segment = new Segment(stream, number);
        segment.changeTo(new Execution(number, "completed", true, null, 0L));
        Objects.requireNonNull(stream.executions()).put(segment);
        return segment;
    }

    private static void addEvents(Segment segment, long events) {
        if (events != 0) {
            segment.add(new Location(Range.ORDERED, new Position(segment.number(), 0, 0), Location.NO_DUE, 1), (int)
                    events);
        }
    }

    private void assertIsFull() {
        end(OTHER, 9, 0);
        assertThat(segment(OTHER, 9).awaitsUntilMs()).isZero();
    }

    private void assertMakesRoom(Consumer<StoreFixture> leave) {
        leave.accept(fixture);
        end(OTHER, 1, 0);
        assertThat(segment(OTHER, 1).awaitsUntilMs()).isNotZero();
        end(OTHER, 2, 0);
        assertThat(segment(OTHER, 2).awaitsUntilMs()).isZero();
    }

    private void end(StreamName stream, long number, long completedMs) {
        fixture.execution(new ExecutionUpdate(stream, number, "completed", null, null, completedMs), fixture.nowMs);
    }

    private StreamState state(StreamName stream) {
        return Objects.requireNonNull(fixture.store.stream(stream));
    }

    private Segment segment(StreamName stream, long number) {
        return Objects.requireNonNull(state(stream).segment(number));
    }
}
