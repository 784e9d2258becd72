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

/** Plans among random events, and builds that delete one event more than a plan has. */
@Tag("T-6")
class PlanPlayTest {

    private static final int CASES = 80;

    @Test
    void shouldDeleteEventsOfThePlanAndNoOthers() {
        SeededCases.forAll(CASES, PlanPlay::play);
    }

    static Stream<Arguments> faults() {
        return Stream.of(
                Arguments.of(
                        "deletes the event that came in the place of a planned one",
                        "topology.command.PlanWork",
                        "found.event().storedAt() != item.number()",
                        "found.event().storedAt() < item.number()"),
                Arguments.of(
                        "deletes a stream that has had one event more",
                        "store.plan.PlannedStream",
                        "stream.sid() == sid && stream.nextSeq() == nextSeq",
                        "stream.sid() == sid"),
                Arguments.of(
                        "carries the command out instead of its plan",
                        "topology.command.Works",
                        "if (request.plan() != null && !isOfStreams) {",
                        "if (request.plan() != null && request.plan().isEmpty()) {"));
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
        Method play = project.loadClass(PlanPlay.class.getName()).getDeclaredMethod("playTheFirst", int.class);
        play.setAccessible(true);
        try {
            play.invoke(null, CASES);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
