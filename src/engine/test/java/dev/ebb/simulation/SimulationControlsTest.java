package dev.ebb.simulation;

import static dev.ebb.simulation.Mix.Ingredient.ABORTS;
import static dev.ebb.simulation.Mix.Ingredient.ANCHORS;
import static dev.ebb.simulation.Mix.Ingredient.CAPS;
import static dev.ebb.simulation.Mix.Ingredient.COMPACTION;
import static dev.ebb.simulation.Mix.Ingredient.DELETE;
import static dev.ebb.simulation.Mix.Ingredient.EVENT_DELETE;
import static dev.ebb.simulation.Mix.Ingredient.EXECUTIONS;
import static dev.ebb.simulation.Mix.Ingredient.HAND_SWEEP;
import static dev.ebb.simulation.Mix.Ingredient.HOLDS;
import static dev.ebb.simulation.Mix.Ingredient.MIRROR;
import static dev.ebb.simulation.Mix.Ingredient.MOVES;
import static dev.ebb.simulation.Mix.Ingredient.OWN_TTL;
import static dev.ebb.simulation.Mix.Ingredient.POLICIES;
import static dev.ebb.simulation.Mix.Ingredient.PRUNE;
import static dev.ebb.simulation.Mix.Ingredient.SETTINGS;
import static dev.ebb.simulation.Mix.Ingredient.UNDO;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.topology.Fault;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Would the simulation notice? Each control breaks one expression of the product, compiles it, and takes walks against it
 * until the law is broken that only this fault breaks; the same walks through the product as it is do not break it.
 */
class SimulationControlsTest {

    private static final int WALKS = 1000;

    private static final Mix ROWS = Mix.of(MIRROR, POLICIES, OWN_TTL, DELETE, COMPACTION);

    /** What undos need to meet names that have been used again, executions and anchors. */
    private static final Mix ALL_OF_UNDO =
            Mix.of(UNDO, POLICIES, DELETE, EVENT_DELETE, EXECUTIONS, OWN_TTL, ANCHORS, PRUNE, CAPS);

    /** Few, since {@link SimulationTest} holds the product to all laws. */
    private static final int WALKS_UNBROKEN = 10;

    static Stream<Arguments> faults() {
        return Stream.of(
                noticed(
                        new Fault(
                                "takes each moved event for a known one",
                                "store.gather.ChangeLog",
                                "known == Known.AS_IT_IS && gathered.known(key.get()) == Known.AS_IT_IS",
                                "true"),
                        Mix.of(COMPACTION, POLICIES, ANCHORS, OWN_TTL),
                        "I-4 SQL"),
                noticed(
                        new Fault(
                                "does not remember the tree of the audit",
                                "store.state.StreamTable",
                                "tree.save();",
                                ";"),
                        Mix.of(MOVES, ABORTS, POLICIES, OWN_TTL, CAPS),
                        "T-8 checkpoints agree with the audit"),
                noticed(
                        new Fault(
                                "takes no notice of the fence of holds",
                                "topology.Readiness",
                                "return view.readOffset() < store.fence();",
                                "return false;"),
                        Mix.of(HOLDS, MOVES, ABORTS, POLICIES, OWN_TTL, CAPS),
                        "A-16 confirmed holds|M-18 a held event is not replaced",
                        29),
                noticed(
                        new Fault(
                                "takes leave of a stream twice",
                                "store.EventStore",
                                "if (stream.isGone()) {",
                                "if (stream.isShadow()) {"),
                        Mix.of(POLICIES, HAND_SWEEP),
                        "I-3 totals of namespaces|I-3 status",
                        12),
                noticed(
                        new Fault(
                                "prunes what came after the prune began",
                                "store.pass.Pruning",
                                "event.seq() < firstNewcomer",
                                "event.seq() >= 0"),
                        Mix.of(PRUNE, POLICIES, ANCHORS),
                        "O-9 prune takes no newcomers",
                        48),
                noticed(
                        new Fault(
                                "looks at no deadline again when a completion turns out earlier",
                                "store.arrival.Retiming",
                                "boolean isEarlier = completedAt < segment.latestCompletedMs();",
                                "boolean isEarlier = completedAt < 0;"),
                        Mix.of(EXECUTIONS, OWN_TTL, ANCHORS, POLICIES),
                        "A-1 sweeps look in time|I-2 what is due goes",
                        54),
                noticed(
                        new Fault(
                                "replaces by the former policy",
                                "store.arrival.Arrivals",
                                "if (!RetentionDecider.isDue(facts, policy, nowMs)) {",
                                "policy = stream.policy();\nif (!RetentionDecider.isDue(facts, policy, nowMs)) {"),
                        Mix.of(POLICIES, OWN_TTL),
                        "M-1 what was due is replaced"),
                noticed(
                        new Fault(
                                "goes on after a restart with commands in the order of their ids",
                                "topology.command.WorkQueue",
                                "join(work, former.turn().number());",
                                "join(work, 0);"),
                        Mix.ALL,
                        "O-9 commands in their order"),
                noticed(
                        new Fault(
                                "lets commands overtake those that wait",
                                "topology.command.WorkQueue",
                                "boolean isFirst = lines.isFirst(work.commandId(), standing(work));",
                                "boolean isFirst = true;"),
                        Mix.ALL,
                        "O-9 commands in their order"),
                noticed(
                        new Fault(
                                "forgets in a crash that the stream of a command is gone",
                                "topology.command.WorkQueue",
                                "lines.outlive(work.commandId(), former.turn().outlived());",
                                ";"),
                        Mix.ALL.without(MIRROR),
                        "O-10 late commands",
                        239),
                noticed(
                        new Fault(
                                "asks for settings that other partitions do not have",
                                "topology.gate.ConfiguredSettings",
                                "|| !report.settings().equals(wanted)",
                                "|| report.settings().isEmpty()"),
                        Mix.of(SETTINGS, POLICIES),
                        "T-13 settings are asked for that all have"),
                noticed(
                        new Fault(
                                "acts by the settings of its own configuration",
                                "domain.policy.PolicySet",
                                "if (settings != null && !settings.equals(builtIn.settings())) {",
                                "if (settings != null && builtIn == null) {"),
                        Mix.of(SETTINGS, POLICIES),
                        "I-2 not before it is due|M-17"),
                noticed(
                        new Fault(
                                "begins before settings are in force",
                                "topology.Readiness",
                                "&& parts.policies().settings() != null",
                                " "),
                        Mix.of(SETTINGS, POLICIES, OWN_TTL),
                        "T-13 nothing goes before settings are in force",
                        34),
                noticed(
                        new Fault(
                                "never asks for other settings",
                                "topology.gate.ConfiguredSettings",
                                "return agreedForMs >= AGREED_MS;",
                                "return agreedForMs < NOT_AGREED;"),
                        Mix.of(SETTINGS, POLICIES),
                        "T-13 what all have comes into force"),
                noticed(
                        new Fault(
                                "leaves the grave of a stream that is back",
                                "topology.undo.UndoReturn",
                                "here.store().ends().lift(trashed.stream(), trashed.deletion().commandId());",
                                ";"),
                        Mix.of(UNDO, DELETE, EVENT_DELETE),
                        "O-10 graves"),
                noticed(
                        new Fault(
                                "overwrites what uses the id of an event that comes back",
                                "topology.undo.ReturnRules",
                                "return store.holds(stream, trashed.key().id()) ? NotReturned.REUSED : null;",
                                "return null;"),
                        ALL_OF_UNDO,
                        "T-2 nothing newer is overwritten"),
                noticed(
                        new Fault(
                                "begins each life of a name with the same place in the order of arrival",
                                "store.state.StreamTable",
                                "stream.startAt(firstFreeStoredAt(name), firstSeq());",
                                "stream.startAt(firstFreeStoredAt(name), 0);"),
                        ALL_OF_UNDO,
                        "T-2 in the order of arrival",
                        17),
                noticed(
                        new Fault(
                                "sweeps under a notice",
                                "store.state.StreamState",
                                "return !RetentionDecider.isPast(noticeUntilMs, nowMs);",
                                "return false;"),
                        ALL_OF_UNDO,
                        "I-2 not before it is due"),
                noticed(
                        new Fault(
                                "brings an older form of an event back",
                                "topology.undo.ReturnRules",
                                "if (trashed.isSuperseded()) {",
                                "if (trashed.isSuperseded() && store == null) {"),
                        ALL_OF_UNDO,
                        "T-2 the newest of an id comes back"),
                noticed(
                        new Fault(
                                "lets the work of an execution begin anew with an undo",
                                "store.EventStore",
                                "if (isAtWork && segment.openSinceMs() > back.storedAt()) {",
                                "if (isAtWork && segment.openSinceMs() < 0) {"),
                        Mix.of(UNDO, DELETE, EVENT_DELETE, EXECUTIONS),
                        "T-16 at work since"),
                noticed(
                        new Fault(
                                "leaves executions in the trash",
                                "topology.undo.TrashedExecutions",
                                "if (isOpen && read(execution) != null) {",
                                "if (isOpen && execution.deletion().untilMs() < 0) {"),
                        ALL_OF_UNDO,
                        "T-2 all that is meant comes back"),
                noticed(
                        new Fault(
                                "sends events into the trash without their executions",
                                "topology.trash.TrashTrail",
                                "trash.keep(removed, kept.headers(removed.execution()), nowMs);",
                                "trash.keep(removed, kept.headers(), nowMs);"),
                        Mix.of(UNDO, DELETE, EVENT_DELETE, EXECUTIONS),
                        "T-2 an event has its execution with it"),
                noticed(
                        new Fault(
                                "leaves the rows where they are that a policy does not want",
                                "store.arrival.StreamMover",
                                "events.renewRow(segment.stream(), former.event(), location, value);",
                                ";"),
                        ROWS,
                        "I-4 SQL"),
                noticed(
                        new Fault(
                                "leaves the row of an event that changes while its rows go",
                                "store.events.EventTable",
                                "if (before != null && !stream.hasRows() && stream.isMoving()) {",
                                "if (before != null && !stream.hasRows() && !stream.mayHaveRows()) {"),
                        ROWS,
                        "I-4 SQL"),
                noticed(
                        new Fault(
                                "sends rows behind the choice that wants none",
                                "store.arrival.StreamMover",
                                "events.log().sendWaiting();",
                                ";"),
                        ROWS,
                        "I-4 SQL"),
                noticed(
                        new Fault(
                                "puts rows into a snapshot that no policy wants",
                                "store.state.StreamTable",
                                "return hasRows ? present : null;",
                                "return hasRows ? present : presentName(sid);"),
                        ROWS,
                        "I-4 SQL"));
    }

    private static Arguments noticed(Fault fault, Mix mix, String laws) {
        return noticed(fault, mix, laws, 1);
    }

    /** @param first the first walk: one that has noticed the fault before, where many others do not */
    private static Arguments noticed(Fault fault, Mix mix, String laws, long first) {
        return Arguments.of(fault, mix, laws, first);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("faults")
    void shouldNoticeABuildThat(Fault fault, Mix mix, String laws, long first) throws Exception {
        // when
        String found = find(fault.build(), laws, mix, first, WALKS);
        String unbroken = find(SimulationControlsTest.class.getClassLoader(), laws, mix, first, WALKS_UNBROKEN);

        // then
        assertThat(found).as("a build that " + fault).isNotNull();
        assertThat(unbroken).as("the same law in a build that is not broken").isNull();
    }

    private static String find(ClassLoader project, String laws, Mix mix, long first, int walks) throws Exception {
        Method find = project.loadClass(Simulation.class.getName())
                .getDeclaredMethod("find", String.class, String.class, long.class, int.class);
        find.setAccessible(true);
        try {
            return (String) find.invoke(null, laws, mix.encode(), first, walks);
        } catch (InvocationTargetException e) {
            throw new AssertionError(e.getCause());
        }
    }
}
