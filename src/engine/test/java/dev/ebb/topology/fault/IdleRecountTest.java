package dev.ebb.topology.fault;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.topology.CommandFixture.request;
import static dev.ebb.topology.CommandFixture.sweep;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.policy.Scope;
import dev.ebb.topology.TopologyFixture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A running task counts its figures anew while it has nothing else to do. */
@Tag("I-3")
class IdleRecountTest {

    private final TopologyFixture fixture = TopologyFixture.inMemory();

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void shouldCountAnewAMinuteAfterAChange() {
        // given
        fixture.event(event("a/1", "e"));

        // when
        fixture.advance(IdleRecount.PAUSE_MS - 2000);
        long before = fixture.observer.recounts;
        fixture.advance(4000);

        // then
        assertThat(before).isZero();
        assertThat(fixture.observer.recounts).isEqualTo(1);
        assertThat(fixture.observer.figureDifferences).isEmpty();
    }

    @Test
    @Tag("I-6")
    void shouldRestWhileNothingChanges() {
        // given
        fixture.event(event("a/1", "e"));
        fixture.advance(2 * IdleRecount.PAUSE_MS);
        long once = fixture.observer.recounts;

        // when
        fixture.advance(10 * IdleRecount.PAUSE_MS);
        long rested = fixture.observer.recounts;
        fixture.event(event("a/2", "e"));
        fixture.carryOut(request("c-1", sweep(Scope.ALL)));
        fixture.advance(2 * IdleRecount.PAUSE_MS);

        // then
        assertThat(rested).isEqualTo(once);
        assertThat(fixture.observer.recounts).isGreaterThan(rested);
    }

    /** Each slice has a fixed size, whatever the task holds. */
    @Test
    @Tag("A-1")
    void shouldTakeSlices() {
        // given one step more than two slices have, the last look of a walk among them
        for (int i = 0; i < 2 * IdleRecount.MOST_STEPS; i++) {
            fixture.event(event("a/" + i, "e"));
        }
        fixture.advance(IdleRecount.PAUSE_MS);
        long before = fixture.observer.recounts;

        // when
        fixture.advance(1000);
        long early = fixture.observer.recounts;
        fixture.advance(3000);

        // then
        assertThat(before).isZero();
        assertThat(early).isZero();
        assertThat(fixture.observer.recounts).isEqualTo(1);
    }
}
