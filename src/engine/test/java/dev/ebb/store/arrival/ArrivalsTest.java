package dev.ebb.store.arrival;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.store.StoreFixture.T0;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.event.TerminalStatuses;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.model.Policies;
import dev.ebb.store.StoreFixture;
import dev.ebb.store.layout.EventKeys;
import dev.ebb.store.layout.Position;
import dev.ebb.store.layout.Range;
import dev.ebb.store.state.StreamState;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Fate of an event that was there before, where it can be told at all. */
class ArrivalsTest {

    private static final StreamName STREAM = new StreamName("s");

    private final StoreFixture fixture = new StoreFixture();

    @ParameterizedTest
    @CsvSource({"true, TTL", "false, MAX_AGE"})
    @Tag("M-17")
    void shouldSayWhyAnEventIsDisplaced(boolean hasOwnTtl, RemovalCause cause) {
        // given
        fixture.policies(all().maxAge(Limit.of(1000)).build());
        fixture.event(hasOwnTtl ? event("s", "e0").expiresAt(T0 + 500) : event("s", "e0"));
        fixture.nowMs += 1001;

        // when
        Arrival arrival = fixture.event(event("s", "e0"));

        // then
        assertThat(Objects.requireNonNull(arrival.displaced()).cause()).isEqualTo(cause);
    }

    @Test
    @Tag("I-3")
    void shouldSuspectAStreamWhoseIdIndexLeadsNowhere() {
        // given
        fixture.event(event("s", "e0"));
        fixture.event(event("s", "e1"));
        var id = EventKeys.byId(Range.IDS, stream().sid(), "e1");
        byte[] location = fixture.events.contents().get(id);
        fixture.events.put(EventKeys.positional(Range.ORDERED, stream().sid(), new Position(0, T0, 1)), null);
        fixture.events.put(id, location);

        // when
        fixture.event(event("s", "e1"));

        // then
        assertThat(stream().isSuspect()).isTrue();
        assertThat(fixture.ids("s")).containsExactlyInAnyOrder("e0", "e1");
    }

    /** The order decides which events are the last. */
    @ParameterizedTest
    @CsvSource({
        "1000, false, false, false",
        "1001, false, false, true",
        "1001, true, false, false",
        "1001, false, true, false"
    })
    @Tag("A-7")
    void shouldNotKnowWhileAMoveChangesTheOrderWhetherADueEventIsKept(
            long age, boolean hasExecutions, boolean isMoved, boolean isUndecided) {
        // given
        fixture.policies(keepLast().build());
        fill(hasExecutions);
        fixture.begin(keepLast().anchor(Anchor.OCCURRED).build());
        if (isMoved) {
            fixture.moveAll();
        }
        fixture.nowMs += age;

        // then
        assertThat(isUndecided(fixture.policies())).isEqualTo(isUndecided);
    }

    @ParameterizedTest
    @CsvSource({"STORED, false", "OCCURRED, true"})
    @Tag("A-7")
    void shouldNotKnowByAPolicyWhoseOrderIsStillToCome(Anchor anchor, boolean isUndecided) {
        // given
        fixture.policies(keepLast().anchor(Anchor.STORED).build());
        fill(false);
        fixture.nowMs += 1001;

        // then
        assertThat(isUndecided(Policies.setOf(keepLast().anchor(anchor).build())))
                .isEqualTo(isUndecided);
    }

    @Test
    @Tag("A-7")
    void shouldKnowWhileAMoveChangesAnOrderThatKeepsNothing() {
        // given
        fill(false);
        fixture.begin(all().maxAge(Limit.of(1000)).anchor(Anchor.OCCURRED).build());
        fixture.nowMs += 1001;

        // then
        assertThat(isUndecided(fixture.policies())).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"false, true", "true, false"})
    @Tag("M-3")
    void shouldNotKnowUntilOtherTerminalStatusesAreTakenIn(boolean isMoved, boolean isUndecided) {
        // given
        fixture.policies(all().maxAge(Limit.of(1000)).build());
        fill(false);
        fixture.reopen(new TerminalStatuses(Set.of("over")));
        if (isMoved) {
            fixture.moveAll();
        }
        fixture.nowMs += 1001;

        // then
        assertThat(isUndecided(fixture.policies())).isEqualTo(isUndecided);
    }

    private void fill(boolean hasExecutions) {
        for (String id : List.of("e0", "e1", "e2", "e3")) {
            fixture.event(event("s", id));
        }
        if (hasExecutions) {
            fixture.execution("s", 1, "completed");
        }
    }

    private boolean isUndecided(PolicySet policies) {
        var found = Objects.requireNonNull(fixture.store.find(stream(), new EventId("e0")));
        return fixture.store.isUndecided(found, policies, fixture.nowMs);
    }

    private static RetentionPolicy.Builder all() {
        return RetentionPolicy.of(Scope.ALL);
    }

    private static RetentionPolicy.Builder keepLast() {
        return all().maxAge(Limit.of(1000)).set(PolicyField.KEEP_LAST, Limit.of(2));
    }

    private StreamState stream() {
        return Objects.requireNonNull(fixture.store.stream(STREAM));
    }
}
