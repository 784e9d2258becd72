package dev.ebb.store;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.store.StoreFixture.T0;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.store.StoreFixture.Removal;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Events of a stream that go, and their order. */
class SweepOrderTest {

    private final StoreFixture fixture = new StoreFixture();

    @AfterEach
    void check() {
        fixture.check();
    }

    @Test
    @Tag("A-3")
    void shouldSweepALateEventBelowWhatWasAlreadySwept() {
        // given
        fixture.policies(byOccurred().maxAge(Limit.of(10_000)).build());
        for (int i = 0; i < 5; i++) {
            fixture.event(event("s", "e" + i).occurredAt(T0 + i));
        }
        fixture.event(event("s", "stays").occurredAt(T0 + 60_000));
        fixture.nowMs = T0 + 20_000;
        assertThat(fixture.sweep()).hasSize(5);

        // when
        fixture.event(event("s", "late").occurredAt(T0 + 2));

        // then
        assertThat(fixture.sweep()).extracting(Removal::id).containsExactly("late");
        assertThat(fixture.ids("s")).containsExactly("stays");
    }

    @Test
    @Tag("A-3")
    void shouldTakeALateEventFirstWhenOverTheCap() {
        // given
        fixture.policies(byOccurred().maxCount(Limit.of(2)).build());
        for (int i = 0; i < 4; i++) {
            fixture.event(event("s", "e" + i).occurredAt(T0 + i));
        }
        assertThat(fixture.sweep()).extracting(Removal::id).containsExactly("e0", "e1");

        // when
        fixture.event(event("s", "late").occurredAt(T0 - 1000));

        // then
        assertThat(fixture.sweep()).extracting(Removal::id).containsExactly("late");
    }

    @Test
    @Tag("A-3")
    void shouldSweepALateDeadlineBelowWhatWasAlreadySwept() {
        // given
        fixture.event(event("s", "a").expiresAt(T0 + 100));
        fixture.event(event("s", "b").expiresAt(T0 + 900));
        fixture.nowMs = T0 + 500;
        assertThat(fixture.sweep()).extracting(Removal::id).containsExactly("a");

        // when
        fixture.event(event("s", "late").expiresAt(T0 + 50));

        // then
        assertThat(fixture.sweep()).extracting(Removal::id).containsExactly("late");
    }

    @Test
    @Tag("M-14")
    void shouldDeleteTheOldestAnchorFirstThenTheOrderOfArrival() {
        // given
        fixture.policies(byOccurred().maxAge(Limit.of(1000)).build());
        fixture.event(event("s", "second").occurredAt(T0 - 5000));
        fixture.event(event("s", "third").occurredAt(T0 - 5000));
        fixture.event(event("s", "first").occurredAt(T0 - 6000).ttlSeconds(1));
        fixture.event(event("s", "last").occurredAt(T0 - 4000));
        fixture.event(event("s", "timed").occurredAt(T0 - 4500).expiresAt(T0 - 1));

        // when
        List<Removal> removed = fixture.sweep();

        // then
        assertThat(removed).extracting(Removal::id).containsExactly("first", "second", "third", "timed", "last");
    }

    @Test
    @Tag("M-14")
    void shouldMergeOrderedAndTimedEventsWhenOverTheCap() {
        // given
        fixture.policies(byOccurred().maxCount(Limit.of(1)).build());
        fixture.event(event("s", "b").occurredAt(T0 + 2));
        fixture.event(event("s", "a").occurredAt(T0 + 1).expiresAt(T0 + 1_000_000));
        fixture.event(event("s", "d").occurredAt(T0 + 4));
        fixture.event(event("s", "c").occurredAt(T0 + 3).ttlSeconds(9999));

        // when
        List<Removal> removed = fixture.sweep();

        // then
        assertThat(removed).extracting(Removal::id).containsExactly("a", "b", "c");
        assertThat(removed).extracting(Removal::cause).containsOnly(RemovalCause.MAX_COUNT);
    }

    @Test
    @Tag("M-12")
    void shouldApplyTheCapsToWhatAgeLeaves() {
        // given
        fixture.policies(RetentionPolicy.of(Scope.ALL)
                .maxAge(Limit.of(1000))
                .maxCount(Limit.of(3))
                .build());
        fixture.event(event("s", "old1"));
        fixture.event(event("s", "old2"));
        fixture.nowMs += 500;
        for (int i = 0; i < 4; i++) {
            fixture.event(event("s", "e" + i));
        }
        fixture.nowMs += 501;

        // when
        List<Removal> removed = fixture.sweep();

        // then
        assertThat(removed)
                .containsExactly(
                        new Removal("s", "old1", RemovalCause.MAX_AGE),
                        new Removal("s", "old2", RemovalCause.MAX_AGE),
                        new Removal("s", "e0", RemovalCause.MAX_COUNT));
    }

    @Test
    @Tag("M-15")
    void shouldCountProtectedEventsButNeverDeleteThem() {
        // given
        fixture.policies(RetentionPolicy.of(Scope.ALL).maxCount(Limit.of(10)).build());
        for (int i = 0; i < 11; i++) {
            fixture.event(event("eleven", "p" + i).status("pending"));
        }
        fixture.event(event("eleven", "e"));
        for (int i = 0; i < 5; i++) {
            fixture.event(event("five", "p" + i).status("pending"));
        }
        for (int i = 0; i < 7; i++) {
            fixture.event(event("five", "e" + i));
        }

        // when
        List<Removal> removed = fixture.sweep();

        // then
        assertThat(removed)
                .extracting(Removal::stream, Removal::id)
                .containsExactlyInAnyOrder(tuple("eleven", "e"), tuple("five", "e0"), tuple("five", "e1"));
        assertThat(fixture.usage("eleven").events()).isEqualTo(11);
        assertThat(fixture.usage("five").events()).isEqualTo(10);
        assertThat(fixture.sweep()).isEmpty();
    }

    @Test
    @Tag("M-12")
    void shouldTakeAsManyBytesAsItMustAndNoMore() {
        // given
        long size = event("s", "e0").payloadBytes(100).build().sizeBytes();
        fixture.policies(RetentionPolicy.of(Scope.ALL)
                .set(PolicyField.MAX_BYTES, Limit.of(3 * size))
                .build());
        for (int i = 0; i < 4; i++) {
            fixture.event(event("s", "e" + i).payloadBytes(100));
        }

        // then
        assertThat(fixture.sweep()).containsExactly(new Removal("s", "e0", RemovalCause.MAX_BYTES));
        assertThat(fixture.usage("s").bytes()).isEqualTo(3 * size);
    }

    @Test
    void shouldSweepAnEventThatArrivesAlreadyDue() {
        // given
        fixture.policies(byOccurred().maxAge(Limit.of(1000)).build());

        // when
        fixture.event(event("s", "dead").occurredAt(T0 - 5000));

        // then
        assertThat(fixture.ids("s")).containsExactly("dead");
        assertThat(fixture.sweep()).extracting(Removal::id).containsExactly("dead");
        assertThat(StoreProbe.streams(fixture.store)).isEmpty();
    }

    private static RetentionPolicy.Builder byOccurred() {
        return RetentionPolicy.of(Scope.ALL).anchor(Anchor.OCCURRED);
    }
}
