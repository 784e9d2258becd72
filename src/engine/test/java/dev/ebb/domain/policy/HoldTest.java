package dev.ebb.domain.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.domain.event.StreamName;
import dev.ebb.model.Policies;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("M-18")
class HoldTest {

    private static final Hold UNSIGNED = new Hold("c", Scope.ALL, "why", "", 0);

    @ParameterizedTest
    @CsvSource({
        "stream:n/1, n/1, true",
        "stream:n/1, n/2, false",
        "namespace:n, n/1, true",
        "namespace:n, m/1, false",
        "namespace:default, plain, true",
        "*, n/1, true"
    })
    void shouldCoverItsScope(String scope, String stream, boolean isOn) {
        assertThat(new Hold("c", Scope.parse(scope), "", "", 1).isOn(new StreamName(stream)))
                .isEqualTo(isOn);
    }

    @Test
    void shouldBeSignedOnce() {
        // when
        Hold signed = UNSIGNED.placed("anna", 7);

        // then
        assertThat(signed).isEqualTo(new Hold("c", Scope.ALL, "why", "anna", 7));
        assertThat(signed.placed("bert", 8)).isEqualTo(signed);
    }

    @Test
    void shouldHaveTheKeyOfItsCase() {
        assertThat(UNSIGNED.key()).isEqualTo(PolicyKey.ofHold("c"));
    }

    @Test
    void shouldCoverNoPattern() {
        assertThatThrownBy(() -> new Hold("c", Scope.pattern("cache"), "", "", 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a hold covers a stream, a namespace or *, not pattern:cache");
        assertThatThrownBy(() -> new Hold(" ", Scope.ALL, "", "", 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the case of a hold must not begin or end with a blank");
    }

    @Test
    void shouldBeFoundByTheStreamsThatItCovers() {
        // given
        Hold all = new Hold("z", Scope.ALL, "", "", 1);
        Hold namespace = new Hold("a", Scope.namespace("n"), "", "", 1);
        Hold stream = new Hold("m", Scope.stream("n/1"), "", "", 1);
        PolicySet policies = Policies.setOf(List.of(), List.of(all, namespace, stream));

        // then
        assertThat(policies.holdsOn(new StreamName("n/1"))).containsExactly(namespace, stream, all);
        assertThat(policies.holdsOn(new StreamName("n/2"))).containsExactly(namespace, all);
        assertThat(policies.holdsOn(new StreamName("m/1"))).containsExactly(all);
        assertThat(Policies.setOf(List.of(), List.of(stream)).isHeld(new StreamName("n/1")))
                .isTrue();
        assertThat(Policies.setOf(List.of(), List.of(stream)).isHeld(new StreamName("n/2")))
                .isFalse();
        assertThat(Policies.setOf().isHeld(new StreamName("n/1"))).isFalse();
    }
}
