package dev.ebb.simulation;

import dev.ebb.model.SeededCases;
import dev.ebb.topology.BrokenBuild;
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

    /** The most plays until a wrong build must be noticed; most are within the first few. */
    private static final int PLAYS_OF_WRONG_BUILDS = 400;

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
                        "takes no notice of the fence of holds",
                        "topology.Readiness",
                        "return view().readOffset() < store.fence();",
                        "return false;"),
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
                        "sweeps by a clock that has jumped",
                        "topology.Readiness",
                        "if (parts.clock().problem() != null) {",
                        "if (parts.clock() == null) {"),
                Arguments.of(
                        "carries a command out instead of its plan",
                        "topology.command.Works",
                        "if (request.plan() != null && !isOfStreams) {",
                        "if (request.plan() != null && request.plan().isEmpty()) {"),
                Arguments.of(
                        "forgets the trash",
                        "topology.trash.Trash",
                        "target.send(key.encode(), removed.value(), nowMs, deletion);",
                        ";"),
                Arguments.of(
                        "forgets the trash for policies",
                        "topology.trash.TrashTrail",
                        "return changes.isEmpty() ? null : Deletion.of(cause, rule, changes, origin, nowMs, undoMs);",
                        "return null;"),
                Arguments.of(
                        "brings back what is due at once",
                        "topology.command.UndoLead",
                        "if (due > 0) {",
                        "if (due < 0) {"),
                Arguments.of(
                        "restores another storedAt",
                        "topology.undo.UndoReturn",
                        "deleted = here.store().asReturned(StoredEventCodec.decode(trashed.stream(),"
                                + " trashed.value()));",
                        "StoredEvent read = StoredEventCodec.decode(trashed.stream(), trashed.value());\n"
                                + "deleted = here.store().asReturned(new StoredEvent("
                                + "read.event(), read.storedAt() + 1, read.seq(), read.isProtected()));"),
                Arguments.of(
                        "restores another place",
                        "topology.undo.UndoReturn",
                        "deleted = here.store().asReturned(StoredEventCodec.decode(trashed.stream(),"
                                + " trashed.value()));",
                        "StoredEvent read = StoredEventCodec.decode(trashed.stream(), trashed.value());\n"
                                + "deleted = here.store().asReturned(new StoredEvent("
                                + "read.event(), read.storedAt(), read.seq() + 1, read.isProtected()));"),
                Arguments.of(
                        "overwrites a used id",
                        "topology.undo.ReturnRules",
                        "return store.holds(stream, trashed.key().id()) ? NotReturned.REUSED : null;",
                        "return null;"),
                Arguments.of(
                        "brings back an older form",
                        "topology.trash.TrashIndex",
                        "if (counts && seen.add(names[i]) && !gone.get(i)) {",
                        "if (counts && !gone.get(i)) {"),
                Arguments.of(
                        "brings back what is final",
                        "topology.undo.ReturnRules",
                        "if (!trashed.deletion().isOpen(pointMs)) {",
                        "if (pointMs < 0) {"),
                Arguments.of(
                        "forgets the row of what is back",
                        "topology.undo.UndoReturn",
                        "here.outbox().mirror(row, nowMs);",
                        ";"),
                Arguments.of(
                        "leaves the trash out of an erasure",
                        "topology.removal.Outbox",
                        "trash.takeOut(copy.key(), copy.offset(), \"\", nowMs);",
                        "{ }"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("faults")
    void shouldFailABuildThat(String fault, String className, String expression, String replacement) {
        BrokenBuild.requireNoticed(
                AccidentPlay.class, PLAYS_OF_WRONG_BUILDS, fault, className, expression, replacement);
    }
}
