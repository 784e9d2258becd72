package dev.ebb.simulation;

import static dev.ebb.simulation.Mix.Ingredient.ANCHORS;
import static dev.ebb.simulation.Mix.Ingredient.CAPS;
import static dev.ebb.simulation.Mix.Ingredient.EXECUTIONS;
import static dev.ebb.simulation.Mix.Ingredient.HAND_SWEEP;
import static dev.ebb.simulation.Mix.Ingredient.KEEP_LAST;
import static dev.ebb.simulation.Mix.Ingredient.OWN_TTL;
import static dev.ebb.simulation.Mix.Ingredient.POLICIES;
import static dev.ebb.simulation.Mix.Ingredient.PRUNE;

import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The simulation as a judge of mutations: always the same walks, some 20 s of them, each a test of its own, so that a
 * mutation that never ends costs seconds. A plain build does not run it; {@link SimulationTest} takes new walks each time.
 */
class SimulationJudge {

    private static final int FEW = 20;
    private static final int MANY = 240;

    static Stream<Arguments> walks() {
        return Stream.of(
                        walks("ages and caps", Mix.of(POLICIES, OWN_TTL, CAPS, KEEP_LAST), FEW),
                        walks("anchors", Mix.of(POLICIES, ANCHORS, OWN_TTL, KEEP_LAST, EXECUTIONS), FEW),
                        walks("commands", Mix.of(POLICIES, PRUNE, HAND_SWEEP, EXECUTIONS, ANCHORS), FEW),
                        walks("everything", Mix.ALL, MANY))
                .flatMap(walks -> walks);
    }

    private static Stream<Arguments> walks(String what, Mix mix, int count) {
        return IntStream.rangeClosed(1, count).mapToObj(seed -> Arguments.of(what, mix, seed));
    }

    @ParameterizedTest(name = "{0} {2}")
    @MethodSource("walks")
    void shouldHoldTheLaws(String what, Mix mix, int seed) {
        Simulation.walk(seed, mix);
    }
}
