package dev.ebb.topology.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.policy.BuiltInPolicies;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.topology.wire.ErrandBodies.Follow;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Time for which a task looks often for policies that are on their way. */
class PolicyCallTest {

    private static final long T0 = 1_800_000_000_000L;

    private final PolicyCall call = new PolicyCall();

    /** A clock that was put back does not make it look often for hours. */
    @ParameterizedTest
    @CsvSource({"4, 0, true", "5, 0, false", "4, 1999, true", "4, 2000, false", "4, -1, false"})
    @Tag("B-8")
    @Tag("O-7")
    void shouldLookForPoliciesUntilTheyAreThereAndTwoSecondsAtTheMost(long reflected, long afterMs, boolean isOpen) {
        // given
        call.take(new Follow(5), T0);

        // when
        PolicySet policies = PolicySet.empty(new BuiltInPolicies(BuiltInPolicies.DEFAULT_MAX_AGE));
        call.look(new PolicyView(policies, reflected, null), T0 + afterMs);

        // then
        assertThat(call.isOpen()).isEqualTo(isOpen);
    }
}
