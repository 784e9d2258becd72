package dev.ebb.domain.policy.change;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyEdit;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.model.Policies;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A change of policies, and what is said about it. */
class PolicyBatchTest {

    private static final RetentionPolicy POLICY =
            RetentionPolicy.of(Scope.namespace("n")).maxAge(Limit.of(5)).build();
    private static final Hold HOLD = new Hold("c", Scope.ALL, "why", "anna", 7);
    private static final PolicyKey GONE = PolicyKey.of(Scope.stream("gone"));
    private static final PolicySet IN_FORCE = Policies.setOf(List.of(POLICY), List.of(HOLD));

    @Test
    void shouldBeEmptyIfItChangesNothing() {
        assertThat(batch(List.of(), List.of(), Set.of()).isEmpty()).isTrue();
        assertThat(batch(List.of(POLICY), List.of(), Set.of()).isEmpty()).isFalse();
        assertThat(batch(List.of(), List.of(HOLD), Set.of()).isEmpty()).isFalse();
        assertThat(batch(List.of(), List.of(), Set.of(GONE)).isEmpty()).isFalse();
    }

    @Test
    void shouldNameAllThatItSpeaksOf() {
        assertThat(batch(List.of(POLICY), List.of(HOLD), Set.of(GONE)).keys())
                .containsExactlyInAnyOrder(PolicyKey.parse("namespace:n"), PolicyKey.parse("hold:c"), GONE);
    }

    @Test
    void shouldSetPoliciesAlone() {
        assertThat(PolicyBatch.ofPolicies(List.of(POLICY))).isEqualTo(batch(List.of(POLICY), List.of(), Set.of()));
    }

    @Test
    void shouldBeInForceIfAllOfItIs() {
        assertThat(batch(List.of(POLICY), List.of(HOLD), Set.of(GONE)).isIn(IN_FORCE))
                .isTrue();
        assertThat(batch(List.of(POLICY), List.of(HOLD), Set.of(PolicyKey.of(POLICY.scope())))
                        .isIn(IN_FORCE))
                .as("still there")
                .isFalse();
        assertThat(batch(List.of(POLICY), List.of(HOLD), Set.of(HOLD.key())).isIn(IN_FORCE))
                .as("not released")
                .isFalse();
    }

    @Test
    void shouldNotBeInForceWhileAPolicyIsMissingOrOther() {
        RetentionPolicy other = POLICY.toBuilder().maxAge(Limit.of(6)).build();

        assertThat(PolicyBatch.ofPolicies(List.of(POLICY)).isIn(IN_FORCE)).isTrue();
        assertThat(PolicyBatch.ofPolicies(List.of(POLICY)).isIn(Policies.setOf()))
                .isFalse();
        assertThat(PolicyBatch.ofPolicies(List.of(POLICY)).isIn(Policies.setOf(other)))
                .isFalse();
        assertThat(PolicyBatch.ofPolicies(List.of(POLICY, other)).isIn(IN_FORCE))
                .isFalse();
    }

    @Test
    void shouldNotBeInForceWhileAHoldIsMissingOrOther() {
        assertThat(holds(new Hold("c", Scope.ALL, "why", "bert", 8)).isIn(IN_FORCE))
                .as("the gate says who placed it and when")
                .isTrue();
        assertThat(holds(new Hold("d", Scope.ALL, "why", "", 0)).isIn(IN_FORCE)).isFalse();
        assertThat(holds(new Hold("c", Scope.stream("s"), "why", "", 0)).isIn(IN_FORCE))
                .isFalse();
        assertThat(holds(new Hold("c", Scope.ALL, "other", "", 0)).isIn(IN_FORCE))
                .isFalse();
    }

    @Test
    void shouldSayWhatWasDone() {
        PolicyKey policy = PolicyKey.of(POLICY.scope());

        assertThat(change(policy, POLICY, null).action()).isEqualTo(PolicyChange.Action.POLICY_SET);
        assertThat(change(policy, null, null).action()).isEqualTo(PolicyChange.Action.POLICY_REMOVED);
        assertThat(change(HOLD.key(), null, HOLD).action()).isEqualTo(PolicyChange.Action.HOLD_PLACED);
        assertThat(change(HOLD.key(), null, null).action()).isEqualTo(PolicyChange.Action.HOLD_RELEASED);
    }

    @Test
    void shouldSayWhoConfirmedAChange() {
        // when
        PolicyChange confirmed =
                change(PolicyKey.of(POLICY.scope()), POLICY, null).confirmed(new Confirmation("bert", "it is meant"));

        // then
        assertThat(confirmed.action()).isEqualTo(PolicyChange.Action.CONFIRMED);
        assertThat(confirmed)
                .isEqualTo(new PolicyChange(
                        "id-confirmed", PolicyKey.of(POLICY.scope()), 3, null, null, "bert", "it is meant", 5, true));
    }

    @Test
    void shouldBeConfirmedByItsAuthorAlone() {
        PolicyKey key = PolicyKey.of(POLICY.scope());
        RetentionPolicy confirmed = POLICY.toBuilder().confirmed(true).build();
        RetentionPolicy denied = POLICY.toBuilder().confirmed(false).build();

        assertThat(new PolicyEdit(key, confirmed, null).isConfirmed()).isTrue();
        assertThat(new PolicyEdit(key, denied, null).isConfirmed()).isFalse();
        assertThat(new PolicyEdit(key, POLICY, null).isConfirmed()).isFalse();
        assertThat(new PolicyEdit(key, null, null).isConfirmed()).isFalse();
    }

    private static PolicyBatch batch(List<RetentionPolicy> policies, List<Hold> holds, Set<PolicyKey> removals) {
        return new PolicyBatch(policies, holds, removals, "", "");
    }

    private static PolicyBatch holds(Hold hold) {
        return batch(List.of(), List.of(hold), Set.of());
    }

    private static PolicyChange change(PolicyKey key, RetentionPolicy policy, Hold hold) {
        return new PolicyChange("id", key, 3, policy, hold, "anna", "why", 5, false);
    }
}
