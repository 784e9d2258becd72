package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.PolicyMode;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.undo.UndoFilter;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Events that a removed guard lets go can be brought back, also those whose own TTL had passed behind it (T-1). */
@Tag("T-1")
class RemovedGuardKeepsTheTrashTest {

    private static final Scope ORDERS = Scope.namespace("orders");
    private static final long HOUR_MS = Duration.ofHours(1).toMillis();

    private final TopologyFixture fixture = TopologyFixture.inMemory();

    @AfterEach
    void close() {
        fixture.close();
    }

    static Stream<RetentionPolicy> guards() {
        return Stream.of(
                RetentionPolicy.of(ORDERS)
                        .set(PolicyField.MIN_TTL, Limit.of(HOUR_MS))
                        .build(),
                RetentionPolicy.of(ORDERS)
                        .set(PolicyField.MIN_AGE, Limit.of(HOUR_MS))
                        .build(),
                RetentionPolicy.of(ORDERS)
                        .set(PolicyField.KEEP_LAST, Limit.of(5))
                        .build(),
                RetentionPolicy.of(ORDERS)
                        .set(PolicyField.MODE, PolicyMode.WARN)
                        .build());
    }

    @ParameterizedTest
    @MethodSource("guards")
    void shouldKeepWhatTheGuardHasKept(RetentionPolicy guard) {
        // given
        keepEventsOfOneSecondBy(guard);

        // when
        fixture.removePolicy(ORDERS);
        fixture.advance(5000);

        // then
        assertThat(fixture.ids("orders/1")).isEmpty();
        assertThat(fixture.trash).hasSize(2);
    }

    @ParameterizedTest
    @MethodSource("guards")
    @Tag("T-2")
    void shouldBringBackByItsPolicyWhatTheGuardHasKept(RetentionPolicy guard) {
        // given
        keepEventsOfOneSecondBy(guard);
        fixture.removePolicy(ORDERS);
        fixture.advance(5000);
        fixture.emptyOut();
        assertThat(fixture.ids("orders/1")).isEmpty();

        // when
        UndoFilter filter = new UndoFilter(null, null, "namespace:orders", null, null, null, null, null);
        fixture.carryOut(CommandFixture.request("u-1", new Command.UndoDeletes(filter, null)));

        // then
        assertThat(fixture.ids("orders/1")).containsExactlyInAnyOrder("a", "b");
    }

    @ParameterizedTest
    @MethodSource("guards")
    void shouldKeepWhatADisabledGuardHasKept(RetentionPolicy guard) {
        // given
        keepEventsOfOneSecondBy(guard);

        // when
        fixture.policy(guard.toBuilder().enabled(false).build());
        fixture.advance(5000);

        // then
        assertThat(fixture.ids("orders/1")).isEmpty();
        assertThat(fixture.trash).hasSize(2);
    }

    /** The record of the guard is compacted away before that of its removal, and an instance starts (M-9). */
    @ParameterizedTest
    @MethodSource("guards")
    void shouldKnowARemovalOfWhichTheGuardIsCompactedAway(RetentionPolicy guard) {
        // given
        keepEventsOfOneSecondBy(guard);

        // when
        fixture.removePolicy(ORDERS);
        fixture.compactPolicies();
        fixture.restart();
        fixture.advance(5000);

        // then
        assertThat(fixture.ids("orders/1")).isEmpty();
        assertThat(fixture.trash).hasSize(2);
    }

    /** A change of age says nothing about events that have a TTL of their own. */
    @Test
    void shouldLeaveAnOwnTtlToItsProducerWhereNoGuardHasChanged() {
        // given
        fixture.policy(RetentionPolicy.of(ORDERS).maxAge(Limit.of(HOUR_MS)).build());
        fixture.event(event("orders/1", "a").ttlSeconds(1));

        // when
        fixture.advance(5000);

        // then
        assertThat(fixture.ids("orders/1")).isEmpty();
        assertThat(fixture.trash).isEmpty();
    }

    private void keepEventsOfOneSecondBy(RetentionPolicy guard) {
        fixture.policy(guard);
        fixture.event(event("orders/1", "a").ttlSeconds(1));
        fixture.event(event("orders/1", "b").ttlSeconds(1));
        fixture.advance(5000);
    }
}
