package dev.ebb.domain.retention;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.model.Policies;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("I-5")
class RemovalRuleTest {

    @Test
    void shouldNameScopeAndVersionOfTheFieldThatRemoves() {
        // given
        EffectivePolicy policy = Policies.setOf(
                        RetentionPolicy.of(Scope.namespace("orders"))
                                .maxAge(Limit.of(1))
                                .build(),
                        RetentionPolicy.of(Scope.stream("orders/1"))
                                .maxCount(Limit.of(1))
                                .build())
                .effective(new StreamName("orders/1"));

        // then
        assertThat(RemovalRule.of(RemovalCause.MAX_AGE, policy, 9))
                .isEqualTo(new RemovalRule("namespace:orders", "namespace", 0));
        assertThat(RemovalRule.of(RemovalCause.MAX_COUNT, policy, 9))
                .isEqualTo(new RemovalRule("stream:orders/1", "stream", 1));
        assertThat(RemovalRule.of(RemovalCause.MAX_BYTES, policy, 9))
                .isEqualTo(new RemovalRule("*", "all", RemovalRule.BUILT_IN));
        assertThat(RemovalRule.of(RemovalCause.TTL, policy, 9)).isEqualTo(new RemovalRule("event", "event", 9));
    }
}
