package dev.ebb.store;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.store.StoreFixture.T0;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.store.StoreFixture.Removal;
import dev.ebb.store.arrival.Arrival;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A second event with the same stream and id. */
@Tag("M-1")
class UpsertTest {

    private final StoreFixture fixture = new StoreFixture();

    @AfterEach
    void check() {
        fixture.check();
    }

    @Test
    void shouldKeepWhenItWasStoredItsPlaceAndItsCompletion() {
        // given
        fixture.event(event("s", "a"));
        fixture.event(event("s", "b"));
        fixture.nowMs += 1000;

        // when
        Arrival arrival = fixture.event(event("s", "a").type("new").payloadBytes(50));

        // then
        StoredEvent stored = fixture.find("s", "a");
        assertThat(arrival.isNew()).isFalse();
        assertThat(stored.event().type()).isEqualTo("new");
        assertThat(stored.storedAt()).isEqualTo(T0);
        assertThat(stored.seq()).isZero();
        assertThat(stored.event().completedAt()).isEqualTo(T0);
        assertThat(stored.event().occurredAt()).isEqualTo(T0 + 1000);
        assertThat(fixture.ids("s")).containsExactly("a", "b");
    }

    @Test
    @Tag("I-3")
    void shouldCountAnEventThatComesAgainOnceInItsNamespace() {
        // given
        fixture.event(event("n/s", "a"));
        fixture.event(event("n/s", "b").status("running"));

        // when
        fixture.event(event("n/s", "a").payloadBytes(50));

        // then
        var totals = fixture.store.namespaceTotals().get("n");
        assertThat(totals.events()).isEqualTo(2);
        assertThat(totals.bytes()).isEqualTo(fixture.usage("n/s").bytes());
    }

    @Test
    void shouldTakeANamedCompletion() {
        // given
        fixture.event(event("s", "a").completedAt(T0 - 5));

        // when
        fixture.event(event("s", "a").completedAt(T0 - 3));

        // then
        assertThat(fixture.find("s", "a").event().completedAt()).isEqualTo(T0 - 3);
    }

    @Test
    void shouldCompleteAnewIfTheFormerOneWasProtected() {
        // given
        fixture.event(event("s", "a").status("pending"));

        // when
        fixture.event(event("s", "a").status("completed").build(), T0 + 77);

        // then
        assertThat(fixture.find("s", "a").event().completedAt()).isEqualTo(T0 + 77);
    }

    @Test
    void shouldCountTheSameEventSentThreeTimesOnce() {
        // when
        for (int i = 0; i < 3; i++) {
            fixture.event(event("s", "a"));
        }

        // then
        long size = event("s", "a").build().sizeBytes();
        assertThat(fixture.usage("s").events()).isEqualTo(1);
        assertThat(fixture.usage("s").bytes()).isEqualTo(size);
    }

    @Test
    void shouldCountTheNewSizeOnly() {
        // given
        fixture.event(event("s", "a").payloadBytes(1000));

        // when
        fixture.event(event("s", "a").payloadBytes(1));

        // then
        assertThat(fixture.usage("s").bytes())
                .isEqualTo(event("s", "a").payloadBytes(1).build().sizeBytes());
    }

    @Test
    void shouldMakeANewEventOfOneThatIsDue() {
        // given
        fixture.event(event("s", "a").ttlSeconds(10));
        fixture.event(event("s", "b"));
        fixture.nowMs += 10_001;

        // when
        Arrival arrival = fixture.event(event("s", "a"));

        // then
        StoredEvent stored = fixture.find("s", "a");
        assertThat(arrival.displaced()).isNotNull();
        assertThat(arrival.displaced().event().storedAt()).isEqualTo(T0);
        assertThat(stored.storedAt()).isEqualTo(T0 + 10_001);
        assertThat(stored.seq()).isEqualTo(2);
        assertThat(stored.event().completedAt()).isEqualTo(T0 + 10_001);
        assertThat(fixture.ids("s")).containsExactly("b", "a");
    }

    @Test
    void shouldReplaceAnEventInItsLastMillisecond() {
        // given
        fixture.event(event("s", "a").ttlSeconds(10));
        fixture.nowMs += 10_000;

        // when
        Arrival arrival = fixture.event(event("s", "a"));

        // then
        assertThat(arrival.displaced()).isNull();
        assertThat(fixture.find("s", "a").storedAt()).isEqualTo(T0);
    }

    @Test
    void shouldStartCleanAfterADeletion() {
        // given
        fixture.policies(RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(1000)).build());
        fixture.event(event("s", "a"));
        fixture.nowMs += 1001;
        assertThat(fixture.sweep()).extracting(Removal::id).containsExactly("a");
        assertThat(fixture.reader().usage(new StreamName("s"))).isEmpty();
        assertThat(fixture.events.size()).as("keys of a stream that is gone").isZero();

        // when
        Arrival arrival = fixture.event(event("s", "a"));

        // then
        assertThat(arrival.isNew()).isTrue();
        assertThat(fixture.find("s", "a").storedAt()).isEqualTo(T0 + 1001);
    }

    @Test
    void shouldNeverLetStoredAtDecreaseWithinAStream() {
        // given
        fixture.event(event("s", "a"));

        // when the clock steps back
        fixture.nowMs -= 5000;
        fixture.event(event("s", "b"));

        // then
        assertThat(fixture.find("s", "b").storedAt()).isEqualTo(T0);
    }
}
