package dev.ebb.store.events;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.store.StoreFixture.T0;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.store.StoreFixture;
import dev.ebb.store.layout.EventKeys;
import dev.ebb.store.layout.Position;
import dev.ebb.store.layout.Range;
import dev.ebb.store.state.StreamState;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A walk from the head on asks the store for no more than is counted. */
@Tag("A-2")
class HeadWalkTest {

    private final StoreFixture fixture = new StoreFixture();

    @ParameterizedTest
    @CsvSource({"1, 1, 0", "2, 0, 1", "3, 0, 1"})
    void shouldReadTheOnlyEventWithoutAnIterator(int events, long gets, long iterators) {
        // given
        fill(events);
        fixture.resetCounts();

        // when
        try (HeadWalk walk = walk(stream(), Range.ORDERED)) {
            assertThat(Objects.requireNonNull(walk.peek()).event().id()).isEqualTo("e0");
        }

        // then
        assertThat(fixture.events.gets).isEqualTo(gets);
        assertThat(fixture.events.iterators).isEqualTo(iterators);
    }

    /** No end of the range is known there. */
    @Test
    void shouldReadTheOnlyTimedEventWithAnIterator() {
        // given
        fixture.event(event("s", "removed").ttlSeconds(5));
        fixture.event(event("s", "e1").ttlSeconds(5));
        fixture.remove("s", "removed");
        fixture.resetCounts();

        // when
        try (HeadWalk walk = walk(stream(), Range.TIMED)) {
            assertThat(Objects.requireNonNull(walk.peek()).event().id()).isEqualTo("e1");
        }

        // then
        assertThat(fixture.events.iterators).isEqualTo(1);
    }

    /** The last of the events before it lay higher. */
    @Test
    @Tag("A-3")
    void shouldReadALateEventOfAnEmptiedRangeWithoutAnIterator() {
        // given
        fixture.policies(RetentionPolicy.of(Scope.ALL)
                .anchor(Anchor.OCCURRED)
                .maxAge(Limit.of(1000))
                .build());
        fixture.event(event("s", "waits").status("running"));
        fill(3);
        fixture.nowMs += 1001;
        assertThat(fixture.sweep()).hasSize(3);
        fixture.event(event("s", "late").occurredAt(T0 - 5));
        fixture.resetCounts();

        // when
        try (HeadWalk walk = walk(stream(), Range.ORDERED)) {
            assertThat(Objects.requireNonNull(walk.peek()).event().id()).isEqualTo("late");
        }

        // then
        assertThat(fixture.events.iterators).isZero();
    }

    /** Events may have gone from under a shadow; in a stream itself something is wrong, and its head stays. */
    @ParameterizedTest
    @CsvSource({"1, false, true", "1, true, false", "2, false, true", "2, true, false"})
    @Tag("I-3")
    void shouldSuspectAStreamWhoseEventsAreNotThere(int events, boolean isShadow, boolean isSuspect) {
        // given
        fill(events);
        Position head = stream().root().heads().of(Range.ORDERED);
        fixture.events
                .contents()
                .subMap(
                        EventKeys.start(Range.ORDERED, stream().sid()),
                        EventKeys.end(Range.ORDERED, stream().sid()))
                .keySet()
                .forEach(key -> fixture.events.put(key, null));
        StreamState stream = isShadow ? stream().shadow() : stream();

        // when
        HeadWalk walk = walk(stream, Range.ORDERED);

        // then
        assertThat(walk.peek()).isNull();
        assertThat(walk.newHead()).isEqualTo(isShadow ? null : head);
        assertThat(stream.isSuspect()).isEqualTo(isSuspect);
        walk.close();
    }

    /** Taken events of a shadow are still in the store, and another walk meets them no more. */
    @Test
    @Tag("O-5")
    void shouldMeetNoEventOfAShadowTwice() {
        // given
        fill(2);
        StreamState shadow = stream().shadow();
        for (int i = 0; i < 2; i++) {
            try (HeadWalk walk = walk(shadow, Range.ORDERED)) {
                assertThat(Objects.requireNonNull(walk.peek()).event().id()).isEqualTo("e" + i);
                walk.take();
                shadow.root().heads().raise(Range.ORDERED, new Position(0, T0, i + 1));
            }
        }
        fixture.resetCounts();

        // when
        try (HeadWalk walk = walk(shadow, Range.ORDERED)) {
            assertThat(walk.peek()).isNull();
            assertThat(walk.newHead()).isNull();
        }

        // then
        assertThat(fixture.events.operations()).isZero();
    }

    private void fill(int events) {
        for (int i = 0; i < events; i++) {
            fixture.event(event("s", "e" + i));
        }
    }

    private HeadWalk walk(StreamState stream, Range range) {
        return new HeadWalk(fixture.store.events(), stream.root(), range);
    }

    private StreamState stream() {
        return Objects.requireNonNull(fixture.store.stream(new StreamName("s")));
    }
}
