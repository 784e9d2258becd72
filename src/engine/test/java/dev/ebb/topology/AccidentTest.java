package dev.ebb.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.ebb.model.SeededCases;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Accidents, and builds that make them worse. 10 000 steps; {@code -Paccidents} takes 1 000 000, {@code -Dtest.cases=N} N
 * plays of a hundred steps, {@code -Dtest.seed=N} one play again.
 */
@Tag("T-12")
class AccidentTest {

    private static final int PLAYS = 100;

    @Test
    void shouldLoseNothingByAccident() {
        SeededCases.forAll(PLAYS, AccidentPlay::play);
    }

    static Stream<Arguments> faults() {
        return Stream.of(
                Arguments.of(
                        "forgets a hold that a command meets",
                        "topology.command.StreamRefusals",
                        "if (context.policies().get().isHeld(stream.stream())) {",
                        "if (stream.totalEvents() < 0) {"),
                Arguments.of(
                        "forgets the brake",
                        "topology.gate.PolicyBrake",
                        "boolean mustBeAssessed = assessments.isOn() && canDeleteMore(change);",
                        "boolean mustBeAssessed = assessments.isOn() && change.version() < 0;"),
                Arguments.of(
                        "lets the second of two authors pass",
                        "topology.gate.PolicySettlement",
                        "return newest <= base",
                        "return newest < Long.MAX_VALUE"),
                Arguments.of(
                        "forgets the trash",
                        "topology.trash.Trash",
                        "target.send(key.encode(), removed.value(), nowMs, deletion);",
                        ";"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("faults")
    void shouldFailABuildThat(String fault, String className, String expression, String replacement) {
        // given
        MutatedClassLoader broken = new MutatedClassLoader().replace("dev.ebb." + className, expression, replacement);

        // when
        Throwable failure = catchThrowable(() -> play(broken));

        // then
        assertThat(failure).as("a build that " + fault).isNotNull().hasMessageStartingWith("-Dtest.seed=");
    }

    private static void play(ClassLoader project) throws Throwable {
        Method play = project.loadClass(AccidentPlay.class.getName()).getDeclaredMethod("playTheFirst", int.class);
        play.setAccessible(true);
        try {
            play.invoke(null, PLAYS);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
