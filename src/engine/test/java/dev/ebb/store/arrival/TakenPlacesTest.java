package dev.ebb.store.arrival;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.topology.TopologyFixture.T0;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.model.EventBuilder;
import dev.ebb.store.StoreFixture;
import dev.ebb.store.state.StreamState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Events that claim the place of another one: nothing is overwritten and nothing is counted twice (T-2, A-7). */
@Tag("T-2")
@Tag("I-3")
public class TakenPlacesTest {

    private final StoreFixture fixture = new StoreFixture();

    /** For builds that are wrong on purpose. */
    public static void play() {
        TakenPlacesTest returning = new TakenPlacesTest();
        returning.shouldPutBackBesideTheEventThatHasThePlace();
        returning.check();
        TakenPlacesTest moving = new TakenPlacesTest();
        moving.shouldMoveBesideTheEventThatHasThePlace(2);
        moving.check();
    }

    @AfterEach
    void check() {
        fixture.moveAll();
        fixture.check();
    }

    @Test
    void shouldPutBackBesideTheEventThatHasThePlace() {
        // given
        fixture.event(event("s", "here"));
        StoredEvent here = fixture.find("s", "here");

        // when
        putBack(event("s", "back"), here.storedAt(), here.seq());

        // then
        assertThat(fixture.ids("s")).containsExactly("here", "back");
        assertThat(fixture.usage("s").events()).isEqualTo(2);
        assertThat(fixture.find("s", "back").seq()).isGreaterThan(here.seq());
        assertThat(fixture.find("s", "here")).isEqualTo(here);
    }

    /** An update may bring both into one range later. */
    @Test
    void shouldNotShareAPlaceWithAnEventOfAnotherRange() {
        // given
        fixture.event(event("s", "here").ttlSeconds(1000));
        StoredEvent here = fixture.find("s", "here");

        // when
        putBack(event("s", "back"), here.storedAt(), here.seq());
        fixture.event(event("s", "here").ttl(OwnTtl.NONE));

        // then
        assertThat(fixture.ids("s")).containsExactly("here", "back");
    }

    /** Numbers that are given again need not meet at once. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    @Tag("A-7")
    void shouldMoveBesideTheEventThatHasThePlace(int others) {
        // given
        long occurredAt = T0 - 1000;
        for (int i = 0; i < others; i++) {
            fixture.event(event("s", "here" + i).occurredAt(occurredAt));
        }
        for (int i = 0; i < others; i++) {
            putBack(event("s", "back" + i).occurredAt(occurredAt), T0 - 500, i);
        }
        assertThat(fixture.ids("s")).hasSize(2 * others);

        // when
        fixture.policies(RetentionPolicy.of(Scope.ALL).anchor(Anchor.OCCURRED).build());
        fixture.moveAll();

        // then
        assertThat(fixture.ids("s")).hasSize(2 * others);
        assertThat(fixture.usage("s").events()).isEqualTo(2 * others);
    }

    private void putBack(EventBuilder event, long storedAt, long seq) {
        fixture.schedule.touch(fixture.store.putBack(
                event.stored(storedAt, seq), StreamState.NO_NOTICE, fixture.nowMs, fixture.policies(), back -> {}));
    }
}
