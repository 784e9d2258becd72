package dev.ebb.store;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.store.StoreFixture.T0;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The cost of a sweep grows with what it deletes, in single steps of the stores (I-6). */
@Tag("I-6")
class SweepCostTest {

    /** Put or get of the event, its index entries, its stream's usage, and the walk to the next one. */
    private static final long STEPS_PER_DELETE = 6;

    private static final long STEPS_PER_STREAM = 20;

    private final StoreFixture fixture = new StoreFixture();

    @Test
    @Tag("A-1")
    void shouldAskForNothingIfNothingIsDue() {
        // given
        fillStreams(1000, 3);
        fixture.resetCounts();

        // when
        fixture.nowMs += 50_000;
        fixture.sweep();

        // then
        assertThat(fixture.operations()).isZero();
    }

    @Test
    @Tag("A-1")
    void shouldReadNoEventWhenAPolicyChanges() {
        // given
        fillStreams(1000, 3);
        fixture.resetCounts();

        // when
        fixture.policies(RetentionPolicy.of(Scope.ALL)
                .maxAge(Limit.of(1_000_000))
                .maxCount(Limit.of(100))
                .build());

        // then
        assertThat(fixture.events.operations()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 1000, 10_000})
    void shouldPayForTheDeadNotForTheLiving(int live) {
        // given 50 old events in each of 2 streams, and many young ones behind them
        fixture.policies(RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(10_000)).build());
        fill("a", "old", 50);
        fill("b", "old", 50);
        fixture.nowMs += 5000;
        fill("a", "young", live);
        fill("b", "young", live);
        fill("c", "young", live);
        fixture.nowMs += 5001;
        fixture.resetCounts();

        // when
        int removed = fixture.sweep().size();

        // then
        assertThat(removed).isEqualTo(100);
        assertThat(fixture.operations()).isLessThan(100 * STEPS_PER_DELETE + 2 * STEPS_PER_STREAM);
        fixture.check();
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 1000, 10_000})
    void shouldPayForTheCappedNotForTheLiving(int live) {
        // given
        fill("a", "e", live);
        fixture.policies(RetentionPolicy.of(Scope.ALL).maxCount(Limit.of(live)).build());
        fill("a", "more", 50);
        fixture.resetCounts();

        // when
        int removed = fixture.sweep().size();

        // then
        assertThat(removed).isEqualTo(50);
        assertThat(fixture.operations()).isLessThan(50 * STEPS_PER_DELETE + STEPS_PER_STREAM);
    }

    @Test
    @Tag("A-2")
    void shouldNotWalkOverTombstonesOfFormerSweeps() {
        // given a stream of which 10 000 events went, and one that went whole
        fixture.policies(RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(10_000)).build());
        fill("a", "old", 10_000);
        fill("b", "old", 10_000);
        fixture.nowMs += 5000;
        fill("a", "young", 5);
        fill("c", "young", 5);
        fixture.nowMs += 5001;
        assertThat(fixture.sweep()).hasSize(20_000);
        fixture.nowMs += 4999;
        fill("a", "younger", 5);
        fixture.resetCounts();

        // when
        fixture.nowMs += 1;
        int removed = fixture.sweep().size();

        // then
        assertThat(removed).isEqualTo(10);
        assertThat(fixture.operations()).isLessThan(10 * STEPS_PER_DELETE + 2 * STEPS_PER_STREAM);
    }

    @Test
    @Tag("A-2")
    void shouldNotWalkIntoTheTombstonesOfItsNeighbours() {
        // given a stream between two others, gone whole
        fixture.policies(RetentionPolicy.of(Scope.stream("gone"))
                .maxAge(Limit.of(10_000))
                .build());
        fill("a", "e", 20);
        fill("gone", "old", 10_000);
        fill("z", "e", 20);
        fixture.nowMs += 10_001;
        assertThat(fixture.sweep()).hasSize(10_000);
        fixture.resetCounts();

        // when the streams beside it are emptied, listed and measured
        fixture.policies(RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(1)).build());
        fixture.ids("a");
        fixture.usage("a");
        int removed = fixture.sweep().size();

        // then
        assertThat(removed).isEqualTo(40);
        assertThat(fixture.operations()).isLessThan(40 * STEPS_PER_DELETE + 5 * STEPS_PER_STREAM);
    }

    @Test
    @Tag("A-2")
    void shouldNotProbeExhaustedStreamsAgain() {
        // given 200 streams, one event each, all due at once, thousands of tombstones between them
        fixture.policies(RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(10_000)).build());
        fillStreams(200, 20);
        fixture.nowMs += 10_001;
        assertThat(fixture.sweep()).hasSize(4000);
        fillStreams(200, 1);
        fixture.nowMs += 10_001;
        fixture.resetCounts();

        // when
        int removed = fixture.sweep().size();

        // then
        assertThat(removed).isEqualTo(200);
        assertThat(fixture.operations()).isLessThan(200 * STEPS_PER_STREAM);
    }

    @Test
    void shouldNeverStepOverProtectedOrInfiniteEvents() {
        // given
        fixture.policies(RetentionPolicy.of(Scope.ALL)
                .maxAge(Limit.of(10_000))
                .maxCount(Limit.of(4000))
                .set(PolicyField.ALLOW_INFINITE_TTL, true)
                .build());
        for (int i = 0; i < 2000; i++) {
            fixture.event(event("a", "p" + i).status("pending"));
            fixture.event(event("a", "i" + i).noExpiration());
        }
        fill("a", "e", 10);
        fixture.nowMs += 10_001;
        fixture.resetCounts();

        // when
        int removed = fixture.sweep().size();

        // then
        assertThat(removed).isEqualTo(10);
        assertThat(fixture.operations()).isLessThan(10 * STEPS_PER_DELETE + STEPS_PER_STREAM);
    }

    @Test
    void shouldNotStepOverLiveEventsWithAnOwnTtl() {
        // given
        for (int i = 0; i < 3000; i++) {
            fixture.event(event("a", "far" + i).expiresAt(T0 + 1_000_000_000L + i));
        }
        for (int i = 0; i < 10; i++) {
            fixture.event(event("a", "near" + i).expiresAt(T0 + i));
        }
        fixture.nowMs += 1000;
        fixture.resetCounts();

        // when
        int removed = fixture.sweep().size();

        // then
        assertThat(removed).isEqualTo(10);
        assertThat(fixture.operations()).isLessThan(10 * (STEPS_PER_DELETE + 3) + STEPS_PER_STREAM);
    }

    @Test
    @Tag("A-7")
    void shouldRetimeTheTimedEventsAlone() {
        // given
        fill("a", "plain", 3000);
        for (int i = 0; i < 10; i++) {
            fixture.event(event("a", "timed" + i).ttlSeconds(100_000));
        }
        fixture.resetCounts();

        // when
        fixture.policies(RetentionPolicy.of(Scope.ALL)
                .set(PolicyField.MAX_TTL, Limit.of(5000))
                .build());

        // then
        assertThat(fixture.operations()).isLessThan(10 * 12 + STEPS_PER_STREAM);
        fixture.nowMs += 5001;
        assertThat(fixture.sweep()).hasSize(10);
        fixture.check();
    }

    @Test
    @Tag("A-4")
    void shouldNotReadAnEventToStoreANewOne() {
        // given
        fixture.policies(RetentionPolicy.of(Scope.ALL).anchor(Anchor.OCCURRED).build());
        fill("a", "e", 100);
        fixture.resetCounts();

        // when
        fixture.event(event("a", "new"));
        fixture.commit();

        // then
        assertThat(fixture.events.iterators).isZero();
        assertThat(fixture.events.gets).isLessThanOrEqualTo(1);
        assertThat(fixture.events.puts).as("one record in the changelog (A-5)").isEqualTo(1);
        assertThat(fixture.usage.puts).as("the stream and its namespace").isEqualTo(2);
    }

    @Test
    @Tag("A-1")
    void shouldOpenWithoutReadingAnEvent() {
        // given
        fillStreams(100, 30);
        fixture.resetCounts();

        // when
        fixture.reopen();

        // then
        assertThat(fixture.events.operations()).isZero();
        assertThat(fixture.usage.walked).isLessThan(110);
    }

    private void fillStreams(int streams, int events) {
        for (int i = 0; i < streams; i++) {
            fill("ns" + i % 7 + "/s" + i, "e", events);
        }
    }

    private void fill(String stream, String prefix, int events) {
        for (int i = 0; i < events; i++) {
            fixture.event(event(stream, prefix + i));
        }
    }
}
