package dev.ebb.simulation;

import static dev.ebb.simulation.Mix.Ingredient.ANCHORS;
import static dev.ebb.simulation.Mix.Ingredient.CAPS;
import static dev.ebb.simulation.Mix.Ingredient.EXECUTIONS;
import static dev.ebb.simulation.Mix.Ingredient.HAND_SWEEP;
import static dev.ebb.simulation.Mix.Ingredient.KEEP_LAST;
import static dev.ebb.simulation.Mix.Ingredient.OWN_TTL;
import static dev.ebb.simulation.Mix.Ingredient.POLICIES;
import static dev.ebb.simulation.Mix.Ingredient.PRUNE;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The simulation as a judge of mutations: always the same walks, some 20 s of them. First short ones of few ingredients,
 * which find most faults at once. A plain build does not run it; {@link SimulationTest} takes new walks each time.
 */
class SimulationJudge {

    private static final int FEW = 40;
    private static final int MANY = 300;

    static Stream<Arguments> walks() {
        return Stream.of(
                Arguments.of("ages and caps", Mix.of(POLICIES, OWN_TTL, CAPS, KEEP_LAST), FEW),
                Arguments.of("anchors", Mix.of(POLICIES, ANCHORS, OWN_TTL, KEEP_LAST, EXECUTIONS), FEW),
                Arguments.of("commands", Mix.of(POLICIES, PRUNE, HAND_SWEEP, EXECUTIONS, ANCHORS), FEW),
                Arguments.of("everything", Mix.ALL, MANY));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("walks")
    void shouldHoldTheLaws(String what, Mix mix, int walks) {
        for (long seed = 1; seed <= walks; seed++) {
            Simulation.walk(seed, mix);
        }
    }
}
