package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.topology.CommandFixture.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.Outcome.Undone;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.undo.UndoFilter;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Deletes by changes of policies that have not proved themselves can be undone, whatever else deletes (T-1). */
@Tag("T-1")
class ProofScenarioTest {

    private static final long HOUR = Duration.ofHours(1).toMillis();
    private static final long DAY = 24 * HOUR;
    private static final Scope SCOPE = Scope.namespace("orders");

    private final TopologyFixture fixture = TopologyFixture.inMemory();

    @AfterEach
    void close() {
        fixture.close();
    }

    /** The change that ended the guard has deleted nothing yet when another one of its policy follows. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldUndoWhatTheEndOfAGuardHasFreedBehindALaterChangeOfThePolicy(boolean isRestarted) {
        // given an event that the guard alone keeps
        fixture.policy(RetentionPolicy.of(SCOPE)
                .set(PolicyField.MIN_AGE, Limit.of(10 * DAY))
                .build());
        fixture.event(event("orders/1", "a").ttlSeconds(3600));
        fixture.advance(2 * DAY);
        fixture.settle();

        // when
        fixture.policy(maxAge(SCOPE, 29 * DAY));
        fixture.policy(maxAge(SCOPE, 28 * DAY));
        if (isRestarted) {
            fixture.compactPolicies();
            fixture.restart();
        }
        fixture.settle();

        // then
        assertThat(fixture.stored()).isEmpty();
        assertThat(undone("namespace:orders").events()).isEqualTo(1);
    }

    /** One stream with a policy of its own loses events all the time. */
    @Test
    void shouldNotTakeDeletesByThePolicyOfAStreamForThoseOfAWiderChange() {
        // given
        fixture.policy(maxAge(SCOPE, 1000 * DAY));
        fixture.policy(maxAge(Scope.stream("orders/log"), HOUR));
        fixture.event(event("orders/1", "a"));
        fixture.advance(29 * DAY);

        // when the change takes its first event in two days
        fixture.policy(maxAge(SCOPE, 31 * DAY));
        for (int i = 0; !fixture.ids("orders/1").isEmpty(); i++) {
            fixture.event(event("orders/log", "l" + i));
            fixture.advance(2 * HOUR);
            fixture.settle();
        }

        // then
        assertThat(undone("namespace:orders").events()).isEqualTo(1);
    }

    private static RetentionPolicy maxAge(Scope scope, long ms) {
        return RetentionPolicy.of(scope).maxAge(Limit.of(ms)).build();
    }

    private Undone undone(String policy) {
        UndoFilter filter = new UndoFilter(null, null, policy, null, null, null, null, null);
        return Objects.requireNonNull(
                Outcomes.undone(fixture.carryOut(request("u-1", new Command.UndoDeletes(filter, null)))));
    }
}
