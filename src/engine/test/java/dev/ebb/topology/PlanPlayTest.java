package dev.ebb.topology;

import dev.ebb.model.SeededCases;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Plans among random events, and builds that delete one event more than a plan has. */
@Tag("T-6")
class PlanPlayTest {

    private static final int CASES = 80;

    @Test
    void shouldDeleteEventsOfThePlanAndNoOthers() {
        SeededCases.forAll(CASES, PlanPlay::play);
    }

    static Stream<Fault> faults() {
        return Stream.of(
                new Fault(
                        "deletes the event that came in the place of a planned one",
                        "topology.command.PlanWork",
                        "found.event().storedAt() != item.number()",
                        "found.event().storedAt() < item.number()"),
                new Fault(
                        "deletes a stream that has had one event more",
                        "store.plan.PlannedStream",
                        "stream.sid() == sid && stream.nextSeq() == nextSeq",
                        "stream.sid() == sid"),
                new Fault(
                        "carries the command out instead of its plan",
                        "topology.command.Works",
                        "if (request.plan() != null && !isOfStreams) {",
                        "if (request.plan() != null && request.plan().isEmpty()) {"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("faults")
    void shouldFailABuildThat(Fault fault) {
        BrokenBuild.requireNoticed(fault, PlanPlay.class, CASES);
    }
}
