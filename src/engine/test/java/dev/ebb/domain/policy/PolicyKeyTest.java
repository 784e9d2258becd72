package dev.ebb.domain.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("M-18")
class PolicyKeyTest {

    @ParameterizedTest
    @ValueSource(strings = {"*", "stream:a/b", "namespace:hold:x", "pattern:cache", "hold:LIT-1", "hold:hold:*"})
    void shouldReadWhatItWrites(String text) {
        PolicyKey key = PolicyKey.parse(text);

        assertThat(key).hasToString(text).isEqualTo(PolicyKey.parse(text));
        assertThat(key.isHold()).isEqualTo(text.startsWith("hold:"));
        assertThat(key.scope() == null).isEqualTo(key.isHold());
    }

    @Test
    void shouldRefuseACaseThatIsNoName() {
        assertThatThrownBy(() -> PolicyKey.parse("hold:")).hasMessageContaining("the case of a hold");
        assertThatThrownBy(() -> PolicyKey.parse("hold: x ")).hasMessageContaining("the case of a hold");
        assertThatThrownBy(() -> PolicyKey.parse("galaxy:x")).hasMessageContaining("is not a scope");
    }

    @Test
    void shouldBeOfAHoldOrOfAPolicy() {
        assertThat(PolicyKey.ofHold("x").caseId()).isEqualTo("x");
        assertThat(PolicyKey.of(Scope.ALL).caseId()).isNull();
        assertThat(PolicyKey.ofHold("x")).isNotEqualTo(PolicyKey.ofHold("y"));
        assertThat(PolicyKey.ofHold("*")).isNotEqualTo(PolicyKey.of(Scope.ALL));
        assertThat(PolicyKey.looksLikeHold("hold:")).isTrue();
        assertThat(PolicyKey.looksLikeHold("stream:hold:x")).isFalse();
    }

    @Test
    void shouldNotBeAScope() {
        assertThatThrownBy(() -> Scope.parse("hold:x")).hasMessageContaining("'hold:x' is not a scope");
    }

    @Test
    void shouldSortPoliciesBeforeHolds() {
        List<PolicyKey> keys = List.of(
                PolicyKey.ofHold("b"),
                PolicyKey.of(Scope.stream("s")),
                PolicyKey.ofHold("a"),
                PolicyKey.of(Scope.ALL),
                PolicyKey.of(Scope.namespace("n")));

        assertThat(new TreeSet<>(keys))
                .extracting(PolicyKey::toString)
                .containsExactly("*", "namespace:n", "stream:s", "hold:a", "hold:b");
    }
}
