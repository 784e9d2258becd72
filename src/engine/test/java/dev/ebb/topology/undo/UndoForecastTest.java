package dev.ebb.topology.undo;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.Execution;
import dev.ebb.domain.event.ExecutionUpdate;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.model.SeededCases;
import dev.ebb.store.StoreFixture;
import dev.ebb.store.layout.EventHeader;
import dev.ebb.store.state.Segment;
import dev.ebb.store.state.StreamState;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The forecast of what would be due again, beside a sweep behind the return. */
@Tag("T-3")
class UndoForecastTest {

    private static final String STREAM = "s";
    private static final StreamName NAME = new StreamName(STREAM);

    @Test
    void shouldTellWhatASweepTakesBehindTheReturn() {
        SeededCases.forAll(400, UndoForecastTest::play);
    }

    private static void play(Random random) {
        // given
        RetentionPolicy policy = drawn(random, random.nextInt(3) > 0);
        StoreFixture fixture = new StoreFixture();
        List<StoredEvent> gone = gone(fixture, random, policy);

        // when
        UndoForecast forecast = new UndoForecast(NAME, fixture.policies(), fixture.nowMs);
        gone.forEach(event -> forecast.add(
                EventHeader.of(event, event.sizeBytes()),
                execution(event.event().execution())));
        long due = forecast.due(fixture.store.stream(NAME));

        // then
        gone.forEach(event -> putBack(fixture, event));
        List<String> back =
                gone.stream().map(event -> event.event().id().value()).toList();
        var swept = fixture.sweep();
        long taken =
                swept.stream().filter(removal -> back.contains(removal.id())).count();
        if (policy.get(PolicyField.MAX_COUNT) == null) {
            // Older events that had stayed may go in the place of some that have come back.
            assertThat(due).isBetween(taken, (long) swept.size());
        } else {
            // Which events a cap takes depends on all others; an undo is refused rather than risked.
            assertThat(due > 0 || taken == 0).as("%d due, %d taken", due, taken).isTrue();
        }
    }

    /** A sweep may be hours away, and must not change what a count has said. */
    @Test
    void shouldTellBeforeASweepWhatItTellsBehindIt() {
        SeededCases.forAll(2000, UndoForecastTest::playAroundASweep);
    }

    private static void playAroundASweep(Random random) {
        // given a stream to which no sweep has come since its policy is in force
        RetentionPolicy.Builder policy = drawn(random, random.nextBoolean()).toBuilder();
        boolean isExact = policy.build().get(PolicyField.MAX_AGE) == null;
        if (random.nextBoolean()) {
            policy.set(PolicyField.MIN_AGE, Limit.of(1L + random.nextInt(4000)));
            isExact = false;
        }
        StoreFixture fixture = new StoreFixture();
        List<StoredEvent> gone = taken(fixture, random);
        fixture.policies(policy.build());
        UndoForecast forecast = new UndoForecast(NAME, fixture.policies(), fixture.nowMs);
        gone.forEach(event -> forecast.add(
                EventHeader.of(event, event.sizeBytes()),
                execution(event.event().execution())));

        // when
        long before = forecast.due(fixture.store.stream(NAME));
        fixture.sweep();
        long behind = forecast.due(fixture.store.stream(NAME));

        // then
        if (isExact) {
            assertThat(before).isEqualTo(behind);
        } else {
            // Sums do not tell how many of the stored events go for their age, or are kept for it.
            assertThat(before > 0 || behind == 0)
                    .as("%d due before, %d behind", before, behind)
                    .isTrue();
        }
    }

    /** Behind a revert each event is decided about by itself: those that come later must not make it due. */
    @Test
    void shouldBringBackOneByOneWhatStays() {
        SeededCases.forAll(400, UndoForecastTest::playOneByOne);
    }

    private static void playOneByOne(Random random) {
        // given
        StoreFixture fixture = new StoreFixture();
        List<StoredEvent> gone = gone(fixture, random, drawn(random, false));
        boolean isEachKnown = random.nextBoolean();

        // when
        Set<String> back = new HashSet<>();
        for (StoredEvent event : gone) {
            UndoForecast forecast = new UndoForecast(NAME, fixture.policies(), fixture.nowMs);
            if (isEachKnown) {
                gone.forEach(other -> forecast.add(other.event().execution()));
            }
            forecast.add(
                    EventHeader.of(event, event.sizeBytes()),
                    execution(event.event().execution()));
            if (forecast.due(fixture.store.stream(NAME)) == 0) {
                putBack(fixture, event);
                back.add(event.event().id().value());
            }
        }

        // then
        assertThat(fixture.sweep()).noneMatch(removal -> back.contains(removal.id()));
    }

    /** Events of some executions, some of which have gone before that policy came, and a sweep. */
    private static List<StoredEvent> gone(StoreFixture fixture, Random random, RetentionPolicy policy) {
        List<StoredEvent> gone = taken(fixture, random);
        fixture.policies(policy);
        fixture.sweep();
        return gone;
    }

    private static List<StoredEvent> taken(StoreFixture fixture, Random random) {
        fixture.policies(RetentionPolicy.of(Scope.ALL).build());
        boolean hasExecutions = random.nextInt(4) > 0;
        int all = 1 + random.nextInt(12);
        for (int i = 0; i < all; i++) {
            long execution = hasExecutions ? random.nextInt(6) : 0;
            fixture.event(event(STREAM, "e" + i).execution(execution));
            fixture.nowMs += random.nextInt(500);
        }
        List<StoredEvent> gone = new ArrayList<>();
        for (int i = 0; i < all; i++) {
            if (i == 0 || random.nextBoolean()) {
                gone.add(fixture.find(STREAM, "e" + i));
            }
        }
        gone.forEach(event -> fixture.remove(STREAM, event.event().id().value()));
        StreamState stream = fixture.store.stream(NAME);
        List<Segment> left = stream == null ? List.of() : stream.segments();
        // An execution of which nothing was left is not known any more.
        left.stream().filter(segment -> segment.number() > 0).forEach(segment -> complete(fixture, segment.number()));
        return gone;
    }

    private static void putBack(StoreFixture fixture, StoredEvent event) {
        if (event.event().execution() > 0) {
            complete(fixture, event.event().execution());
        }
        fixture.schedule.touch(fixture.store.putBack(event, fixture.nowMs, fixture.policies(), back -> {}));
    }

    private static RetentionPolicy drawn(Random random, boolean isKeepingLast) {
        RetentionPolicy.Builder policy = RetentionPolicy.of(Scope.ALL);
        if (random.nextBoolean()) {
            policy.maxAge(Limit.of(1L + random.nextInt(4000)));
        }
        if (isKeepingLast) {
            policy.set(PolicyField.KEEP_LAST, Limit.of(1L + random.nextInt(5)));
        }
        if (random.nextInt(3) > 0) {
            policy.maxCount(Limit.of(1L + random.nextInt(8)));
        }
        return policy.build();
    }

    /** Each event that comes back is looked at while nothing else of the task goes on (T-4). */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Tag("T-4")
    void shouldCostNoMoreWithManyExecutions(boolean isOverCap) {
        assertThat(looks(5000, isOverCap)).isEqualTo(looks(100, isOverCap));
    }

    private static long looks(int executions, boolean isOverCap) {
        StoreFixture fixture = new StoreFixture();
        fixture.policies(RetentionPolicy.of(Scope.ALL).build());
        for (int number = 1; number <= executions; number++) {
            fixture.event(event(STREAM, "e" + number).execution(number));
            complete(fixture, number);
        }
        StoredEvent gone = fixture.find(STREAM, "e50");
        fixture.remove(STREAM, "e50");
        StreamState stream = fixture.store.stream(NAME);
        long most = stream.totalEvents() + (isOverCap ? 0 : 1);
        fixture.policies(RetentionPolicy.of(Scope.ALL)
                .maxCount(Limit.of(most))
                .set(PolicyField.KEEP_LAST, Limit.of(3L))
                .build());
        UndoForecast forecast = new UndoForecast(NAME, fixture.policies(), fixture.nowMs);
        forecast.add(EventHeader.of(gone, gone.sizeBytes()), execution(50));
        forecast.due(stream);
        long before = stream.looks();
        assertThat(forecast.due(stream)).isEqualTo(isOverCap ? 1 : 0);
        return stream.looks() - before;
    }

    private static void complete(StoreFixture fixture, long number) {
        fixture.execution(new ExecutionUpdate(NAME, number, "completed", null, null, StoreFixture.T0), fixture.nowMs);
    }

    private static Execution execution(long number) {
        return number == 0 ? Execution.undeclared(0) : new Execution(number, "completed", true, null, StoreFixture.T0);
    }
}
