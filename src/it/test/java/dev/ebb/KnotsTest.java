package dev.ebb;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class KnotsTest {

    @Test
    void shouldFindWhatDependsOnItselfInACircle() {
        // given two circles that share a class, a chain, and a class alone
        Map<String, Set<String>> edges = Map.of(
                "A", Set.of("B"),
                "B", Set.of("A", "C"),
                "C", Set.of("B", "D"),
                "D", Set.of("E"),
                "E", Set.of(),
                "F", Set.of("F"));

        // when / then
        assertThat(Knots.of(edges)).containsExactly(Set.of("A", "B", "C"));
    }

    @Test
    void shouldKeepCirclesApartThatOnlyOneArrowJoins() {
        // given
        Map<String, Set<String>> edges =
                Map.of("A", Set.of("B"), "B", Set.of("A", "C"), "C", Set.of("D"), "D", Set.of("C"));

        // when / then
        assertThat(Knots.of(edges)).containsExactlyInAnyOrder(Set.of("A", "B"), Set.of("C", "D"));
    }
}
