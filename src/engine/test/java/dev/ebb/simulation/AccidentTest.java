package dev.ebb.simulation;

import static dev.ebb.simulation.Accident.ARRIVAL;
import static dev.ebb.simulation.Accident.BLINDNESS;
import static dev.ebb.simulation.Accident.CLOCK;
import static dev.ebb.simulation.Accident.DELETE_EVENT;
import static dev.ebb.simulation.Accident.DELETE_STREAM;
import static dev.ebb.simulation.Accident.ERASURE;
import static dev.ebb.simulation.Accident.HOLD;
import static dev.ebb.simulation.Accident.LOST_TRASH;
import static dev.ebb.simulation.Accident.MADE_ANEW;
import static dev.ebb.simulation.Accident.MOVE;
import static dev.ebb.simulation.Accident.PLAN;
import static dev.ebb.simulation.Accident.PLANNED_COMMAND;
import static dev.ebb.simulation.Accident.POLICY;
import static dev.ebb.simulation.Accident.SETTING;
import static dev.ebb.simulation.Accident.SMALL_STEPS;
import static dev.ebb.simulation.Accident.STALE_CONFIRMATION;
import static dev.ebb.simulation.Accident.TIME;
import static dev.ebb.simulation.Accident.TTL_UNDER_HOLD;
import static dev.ebb.simulation.Accident.TWO_AUTHORS;
import static dev.ebb.simulation.Accident.WRONG_TIME;

import dev.ebb.model.Forgotten;
import dev.ebb.model.SeededCases;
import dev.ebb.topology.BrokenBuild;
import dev.ebb.topology.Fault;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Accidents, and builds that make them worse. 10 000 steps; {@code -Paccidents} takes 1 000 000, {@code -Dtest.cases=N} N
 * plays of a hundred steps, {@code -Dtest.seed=N} one play again.
 */
@Tag("T-12")
class AccidentTest {

    private static final int PLAYS = 100;

    /** The most plays until a wrong build must be noticed, if that happens often which it gets wrong. */
    private static final int PLAYS_OF_WRONG_BUILDS = 400;

    @Test
    void shouldLoseNothingByAccident() {
        SeededCases.forAll(PLAYS, AccidentPlay::play);
    }

    /** Plays in which the law was wrong. */
    @ParameterizedTest
    @ValueSource(
            longs = {
                // An event comes for an id whose former event still waits to be taken in.
                20_263_059,
                // A sweep takes events that a plan has just counted, and an undo brings them back before the plan is
                // carried out.
                20_264_656,
                // A clock goes back, and a change comes hours after others whose times are ahead of it now.
                20_261_289,
                // A confirmed change takes events at the beginning of a step, and a hold comes and goes at its end.
                20_264_798,
                // An update takes an own TTL away that had made the event due before a change did.
                20_268_727,
                // A release that was confirmed takes events, and then a file replaces the policy by which they went.
                20_270_153
            })
    void shouldLoseNothingInPlaysThatFailedBefore(long seed) {
        SeededCases.forOne(seed, AccidentPlay::play);
    }

    /** Or ten thousand plays in one process would run out of memory. */
    @Test
    void shouldKeepNothingOfAPlayThatIsOver() throws InterruptedException {
        WeakReference<World> world = AccidentPlay.playOnce(new Random(1), List.of());

        Forgotten.await(world);
    }

    /** Wrong builds, what happens more often, and the play to begin with: one that has noticed the build before. */
    static Stream<Arguments> faults() {
        return Stream.of(
                Arguments.of(
                        new Fault(
                                "forgets a hold that a command meets",
                                "topology.work.StreamRefusals",
                                "if (context.policies().get().isHeld(stream.stream())) {",
                                "if (stream.totalEvents() < 0) {"),
                        List.of(HOLD, DELETE_STREAM),
                        0),
                Arguments.of(
                        new Fault(
                                "takes no notice of the fence of holds",
                                "topology.Readiness",
                                "return view.readOffset() < store.fence();",
                                "return false;"),
                        List.of(HOLD, BLINDNESS, MOVE),
                        0),
                Arguments.of(
                        new Fault(
                                "forgets the brake",
                                "topology.gate.PolicyBrake",
                                "boolean mustBeAssessed = assessments.isOn() && edits.canDeleteMore(change);",
                                "boolean mustBeAssessed = assessments.isOn() && change.version() < 0;"),
                        List.of(POLICY),
                        0),
                Arguments.of(
                        new Fault(
                                "lets the second of two authors pass",
                                "topology.gate.PolicySettlement",
                                ".filter(record -> record.isPlannedBefore(inForce))",
                                ".filter(record -> record.offset() < 0)"),
                        List.of(TWO_AUTHORS),
                        0),
                Arguments.of(
                        new Fault(
                                "sweeps by a clock that has jumped",
                                "topology.Readiness",
                                "if (parts.clock().problem() != null) {",
                                "if (parts.clock() == null) {"),
                        List.of(CLOCK, POLICY),
                        0),
                Arguments.of(
                        new Fault(
                                "carries a command out instead of its plan",
                                "topology.command.Works",
                                "if (request.plan() != null && !isOfStreams) {",
                                "if (request.plan() != null && request.plan().isEmpty()) {"),
                        List.of(PLAN, PLANNED_COMMAND),
                        32),
                Arguments.of(
                        new Fault(
                                "forgets the trash",
                                "topology.trash.Trash",
                                "send(name, removed.value(), deletion, nowMs);",
                                ";"),
                        List.of(DELETE_STREAM),
                        0),
                Arguments.of(
                        new Fault(
                                "forgets the trash for policies",
                                "topology.trash.TrashTrail",
                                "if (changes.isEmpty() && !isByCommand) {",
                                "if (!isByCommand) {"),
                        List.of(POLICY),
                        0),
                Arguments.of(
                        new Fault(
                                "takes the confirmation of a file for one of its rest",
                                "topology.gate.PolicyBrake",
                                ".filter(change -> change.records().size() == (records < 0 ? change.recordsOfFile() :"
                                        + " records))",
                                ".filter(change -> change.version() >= 0)"),
                        List.of(STALE_CONFIRMATION, ARRIVAL),
                        135),
                Arguments.of(
                        new Fault(
                                "adds up no small steps",
                                "topology.assess.HourBudget",
                                "if (loss.wouldDelete() > 0) {",
                                "if (loss.wouldDelete() < 0) {"),
                        List.of(SMALL_STEPS, ARRIVAL, TIME),
                        57),
                Arguments.of(
                        new Fault(
                                "sweeps after a start far ahead",
                                "topology.Readiness",
                                "return clockGap.isOpen() ? SweepState.CLOCK_UNCONFIRMED : null;",
                                "return null;"),
                        List.of(WRONG_TIME, ARRIVAL, POLICY),
                        60),
                Arguments.of(
                        new Fault(
                                "takes settings over before all instances have them",
                                "topology.gate.ConfiguredSettings",
                                "agreedForMs = agree(nowMs) ? longerMs : NOT_AGREED;",
                                "agreedForMs = longerMs;"),
                        List.of(SETTING),
                        12),
                Arguments.of(
                        new Fault(
                                "forgets the trash for TTLs that a hold has outlasted",
                                "topology.trash.TrashTrail",
                                "if (kept == null || (dueBy == DueBy.PRODUCER && !kept.freesOwnTtl())) {",
                                "if (kept == null || dueBy == DueBy.PRODUCER) {"),
                        List.of(TTL_UNDER_HOLD, ARRIVAL),
                        0),
                Arguments.of(
                        new Fault(
                                "says nothing of lost trash",
                                "topology.undo.UndoReturn",
                                "tally.missing(reading.found());",
                                ";"),
                        List.of(DELETE_STREAM, LOST_TRASH),
                        0),
                Arguments.of(
                        new Fault(
                                "overwrites what a stream that was made anew has",
                                "topology.undo.ReturnRules",
                                "return store.holds(stream, trashed.key().id()) ? NotReturned.REUSED : null;",
                                "return store.holds(stream, trashed.key().id())"
                                        + " && !trashed.deletion().cause().isCommand() ? NotReturned.REUSED : null;"),
                        List.of(MADE_ANEW, ARRIVAL),
                        0),
                Arguments.of(
                        new Fault(
                                "gives no notice",
                                "topology.undo.UndoReturn",
                                "return Math.max(nowMs, pointMs) + noticeMs;",
                                "return nowMs - noticeMs;"),
                        List.of(POLICY),
                        0),
                Arguments.of(
                        new Fault(
                                "restores another storedAt",
                                "topology.undo.UndoReturn",
                                "deleted = here.store().asReturned(StoredEventCodec.decode(trashed.stream(),"
                                        + " trashed.value()));",
                                "StoredEvent read = StoredEventCodec.decode(trashed.stream(), trashed.value());\n"
                                        + "deleted = here.store().asReturned(new StoredEvent("
                                        + "read.event(), read.storedAt() + 1, read.seq(), read.isProtected()));"),
                        List.of(DELETE_STREAM),
                        0),
                Arguments.of(
                        new Fault(
                                "restores another place",
                                "topology.undo.UndoReturn",
                                "deleted = here.store().asReturned(StoredEventCodec.decode(trashed.stream(),"
                                        + " trashed.value()));",
                                "StoredEvent read = StoredEventCodec.decode(trashed.stream(), trashed.value());\n"
                                        + "deleted = here.store().asReturned(new StoredEvent("
                                        + "read.event(), read.storedAt(), read.seq() + 1, read.isProtected()));"),
                        List.of(DELETE_STREAM),
                        0),
                Arguments.of(
                        new Fault(
                                "overwrites a used id",
                                "topology.undo.ReturnRules",
                                "return store.holds(stream, trashed.key().id()) ? NotReturned.REUSED : null;",
                                "return null;"),
                        List.of(DELETE_EVENT),
                        0),
                Arguments.of(
                        new Fault(
                                "brings back an older form",
                                "topology.trash.TrashNames",
                                "if (counts && seen.add(names[i]) && !gone.get(place)) {",
                                "if (counts && !gone.get(place)) {"),
                        List.of(DELETE_EVENT),
                        33),
                Arguments.of(
                        new Fault(
                                "brings back what is final",
                                "topology.undo.ReturnRules",
                                "if (!trashed.deletion().isOpen(pointMs)) {",
                                "if (pointMs < 0) {"),
                        List.of(POLICY, DELETE_STREAM, TIME),
                        96),
                Arguments.of(
                        new Fault(
                                "forgets the row of what is back",
                                "topology.undo.UndoReturn",
                                "here.outbox().mirror(back, row, nowMs);",
                                ";"),
                        List.of(DELETE_STREAM),
                        0),
                Arguments.of(
                        new Fault(
                                "leaves the trash out of an erasure",
                                "topology.removal.Outbox",
                                "trash.takeOut(copy.key(), copy.offset(), deletionOf(copy), \"\", nowMs);",
                                "{ }"),
                        List.of(DELETE_STREAM, ERASURE),
                        0));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("faults")
    void shouldFailABuildThat(Fault fault, List<Accident> often, int from) {
        // when
        long seed = BrokenBuild.requireNoticed(
                fault, AccidentPlay.class, PLAYS_OF_WRONG_BUILDS, from, Accident.encode(often));

        // then it is the build that fails, not the law
        SeededCases.forOne(seed, random -> AccidentPlay.playOnce(random, often));
    }
}
