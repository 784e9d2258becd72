package dev.ebb.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Would the model test notice? Each control breaks one expression of the product, compiles it, and lets the model play
 * against it: a build that is wrong in this way must fail.
 */
class NegativeControlsTest {

    private static final int CASES = 400;
    private static final int CASES_UNBROKEN = 10;

    @Test
    void shouldPassAsLongAsNothingIsBroken() throws Throwable {
        play(new MutatedClassLoader(), CASES_UNBROKEN);
    }

    static Stream<Arguments> faults() {
        return Stream.of(
                fault(
                        "skips the audit record",
                        "topology.removal.Removals",
                        "audit.add(removed.stream(), event, cause, rule, anchorMs, nowMs);",
                        ";"),
                fault(
                        "skips one audit record of many",
                        "topology.removal.AuditTrail",
                        "if (run != null) {",
                        "if (run != null && run.events().ids().size() != 2) {"),
                fault(
                        "skips a leaf of the tree",
                        "topology.receipt.AuditTree",
                        "saved.set(saved.edge().with(leaf.hash()), saved.closed());",
                        "if (leaf.hash().bytes()[0] >= 0) {\n"
                                + "saved.set(saved.edge().with(leaf.hash()), saved.closed());\n}"),
                fault(
                        "is one millisecond early",
                        "domain.retention.RetentionDecider",
                        "return nowMs > dueAtMs;",
                        "return nowMs >= dueAtMs;"),
                fault(
                        "is one millisecond late",
                        "domain.retention.RetentionDecider",
                        "return nowMs > dueAtMs;",
                        "return nowMs - 1 > dueAtMs;"),
                fault(
                        "forgets the protected class",
                        "store.arrival.Arrivals",
                        "boolean isProtected = !statuses.isTerminal(event.status());",
                        "boolean isProtected = false;"),
                fault(
                        "protects in the order of age",
                        "store.events.EventTable",
                        "if (event.isProtected()) {",
                        "if (event.isProtected() && event.seq() < 0) {"),
                fault(
                        "keeps the head on a late event",
                        "store.state.Heads",
                        "head.isEmpty || head.compareTo(position) > 0",
                        "head.isEmpty || (range != Range.ORDERED && head.compareTo(position) > 0)"),
                fault(
                        "keeps the head of the timed",
                        "store.state.Heads",
                        "head.isEmpty || head.compareTo(position) > 0",
                        "head.isEmpty || (range != Range.TIMED && head.compareTo(position) > 0)"),
                fault(
                        "keeps the first deadline",
                        "store.state.Heads",
                        "dueMs = Math.min(dueMs, location.dueMs());",
                        "dueMs = dueMs == Location.NO_DUE ? location.dueMs() : dueMs;"),
                fault(
                        "skips the tombstone",
                        "topology.removal.Removals",
                        "outbox.mirrorDelete(removed.stream(), event, reason.headers(), nowMs);",
                        ";"),
                fault(
                        "takes all rows that go for unseen ones",
                        "topology.removal.WaitingRows",
                        "waiting.add(key, null, timestampMs, reason, false);",
                        "waiting.add(key, null, timestampMs, reason, true);"),
                fault("forgets the rows that wait", "topology.removal.WaitingRows", "waiting.sendAll();", ";"),
                fault(
                        "takes an upsert for a new row",
                        "store.arrival.Arrival",
                        "return former == null || displaced != null;",
                        "return true;"),
                fault(
                        "takes a cap for reached",
                        "domain.retention.RetentionDecider",
                        "place.events() - place.olderEligibleEvents(),",
                        "1 + place.events() - place.olderEligibleEvents(),"),
                fault(
                        "lets the lower bound win",
                        "domain.retention.RetentionDecider",
                        "return Math.min(atLeast,",
                        "return Math.max(atLeast,"),
                fault(
                        "moves an upsert to the end",
                        "store.arrival.Arrivals",
                        "return new StoredEvent(complete, before.storedAt(), before.seq(), isProtected);",
                        "return new StoredEvent(complete, nowMs, before.seq(), isProtected);"),
                fault(
                        "updates what is due",
                        "store.arrival.Arrivals",
                        "if (!isUndecided && displaced(former, policies, nowMs) != null) {",
                        "if (false) {"),
                fault(
                        "counts a replaced event twice",
                        "store.events.EventTable",
                        "count(segment, before.event(), old, -1);",
                        ";"),
                fault(
                        "moves nothing",
                        "store.arrival.StreamMover",
                        "events.replace(segment, former.event(), location, value, former);",
                        "segment.headsForInsert().include(former.location());"),
                fault(
                        "archives nothing",
                        "topology.removal.Removals",
                        "if (policy.archive().value() && removed.cause().allowsCopies()) {",
                        "if (nowMs < 0) {"),
                fault(
                        "lets commands pass over holds",
                        "topology.command.StreamRefusals",
                        "if (context.policies().get().isHeld(stream.stream())) {",
                        "if (stream == null) {"),
                fault(
                        "keeps one event less than keepLast",
                        "store.events.KeepLast",
                        "i < keep; i++",
                        "i < Math.max(1, keep - 1); i++"),
                fault(
                        "sweeps beside parked records",
                        "topology.TaskParts",
                        "return store.parked().holdsStream(stream)",
                        "return stream.isGone()"));
    }

    private static Arguments fault(String fault, String className, String expression, String replacement) {
        return Arguments.of(fault, className, expression, replacement);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("faults")
    void shouldFailABuildThat(String fault, String className, String expression, String replacement) {
        // given
        MutatedClassLoader broken = new MutatedClassLoader().replace("dev.ebb." + className, expression, replacement);

        // when
        Throwable failure = catchThrowable(() -> play(broken, CASES));

        // then
        assertThat(failure).as("a build that " + fault).isNotNull().hasMessageStartingWith("-Dtest.seed=");
    }

    static Stream<Arguments> faultsOfErasures() {
        return Stream.of(
                fault(
                        "leaves the archive out of an erasure",
                        "topology.erase.CopyErasure",
                        "task.outbox().eraseCopy(copy, nowMs);",
                        ";"),
                fault(
                        "leaves the trash out of an erasure",
                        "topology.removal.Outbox",
                        "trash.takeOut(copy.key(), copy.offset(), \"\", nowMs);",
                        "{ }"),
                fault(
                        "archives what it erases",
                        "domain.retention.RemovalCause",
                        "return this != ERASE;",
                        "return true;"),
                fault(
                        "takes a part of the store for all",
                        "store.search.EventSearch",
                        "range++;",
                        "range = Range.OF_EVENTS.size();"),
                fault("passes over what is written meanwhile", "store.search.EventSearch", "events.watch(watch);", ";"),
                fault(
                        "erases what is held",
                        "topology.erase.EraseTurn",
                        "if (task.policies().get().isHeld(match.stream())) {",
                        "if (match.storedAt() < 0) {"),
                fault(
                        "forgets in a crash what was written meanwhile",
                        "store.search.MatchQueue",
                        "if (!Boolean.TRUE.equals(queue.put(match, true))) {",
                        "if (queue.put(match, true) != null && queue.isEmpty()) {"),
                fault(
                        "erases copies of events that its plan does not name",
                        "topology.erase.CopyErasure",
                        "if (known == null && task.isPlanned()) {",
                        "if (known == null && copy.offset() < 0) {"),
                fault(
                        "erases what came in the place of a planned event",
                        "topology.erase.EraseTurn",
                        "if (task.isPlanned() && !now.equals(match)) {",
                        "if (task.isPlanned() && now.equals(null)) {"),
                fault(
                        "searches on instead of going through its plan",
                        "topology.erase.EraseSource",
                        "if (planId != null) {",
                        "if (planId != null && planId.isEmpty()) {"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("faultsOfErasures")
    @Tag("T-10")
    void shouldNoticeAnErasureThat(String fault, String className, String expression, String replacement) {
        // given
        MutatedClassLoader broken = new MutatedClassLoader().replace("dev.ebb." + className, expression, replacement);

        // when
        Throwable failure = catchThrowable(() -> play(broken, EraseScenarioTest.class, "play"));

        // then
        assertThat(failure).as("a build that " + fault).isInstanceOf(AssertionError.class);
    }

    static Stream<Arguments> faultsOfUndo() {
        return Stream.of(
                fault(
                        "forgets the trash",
                        "topology.removal.Removals",
                        "if (reason.undoMs() > 0 && !isByOwnTtl(removed, policy, nowMs)) {",
                        "if (nowMs < 0) {"),
                fault(
                        "keeps what ended by its own TTL",
                        "topology.removal.Removals",
                        "if (reason.undoMs() > 0 && !isByOwnTtl(removed, policy, nowMs)) {",
                        "if (reason.undoMs() > 0) {"),
                fault(
                        "takes what maxTtl has cut short for final",
                        "domain.retention.RetentionDecider",
                        "return isPast(atLeast(asked(ttl, anchorMs), anchorMs, policy), nowMs);",
                        "return true;"),
                fault(
                        "forgets after a crash what it has brought back",
                        "topology.trash.TrashIndex",
                        "boolean counts = !gone.get(i) || back.get(i);",
                        "boolean counts = !gone.get(i);"),
                fault(
                        "sweeps into a trash that is closed",
                        "topology.trash.TrashWait",
                        "isClosed.getAsBoolean() && terms",
                        "!waiting.isEmpty() && terms"),
                fault("forgets the row", "topology.undo.UndoReturn", "here.outbox().mirror(row, nowMs);", ";"),
                fault(
                        "forgets the restore record",
                        "topology.undo.UndoReturn",
                        "trail().add(trashed.stream(), header, anchorMs, nowMs);",
                        ";"),
                fault(
                        "overwrites a used id",
                        "topology.undo.ReturnRules",
                        "return store.holds(stream, trashed.key().id()) ? NotReturned.REUSED : null;",
                        "return null;"),
                fault(
                        "leaves in the trash what is back",
                        "topology.undo.UndoReturn",
                        ".takeOut(trashed.key().encode(), trashed.offset(), origin.commandId(), nowMs));",
                        ".book());"),
                fault(
                        "brings back what was erased",
                        "topology.undo.UndoReturn",
                        "if (takenOut.contains(trashed.offset())) {",
                        "if (nowMs < 0) {"),
                fault(
                        "brings back an older form",
                        "topology.trash.TrashIndex",
                        "if (counts && seen.add(names[i]) && !gone.get(i)) {",
                        "if (counts && !gone.get(i)) {"),
                fault(
                        "brings back what is due at once",
                        "topology.command.UndoLead",
                        "if (due > 0) {",
                        "if (due < 0) {"),
                fault(
                        "is one millisecond late",
                        "domain.undo.Deletion",
                        "return nowMs < untilMs;",
                        "return nowMs <= untilMs;"),
                fault(
                        "deletes although the trash is closed",
                        "topology.Readiness",
                        "return !failed.isTrashClosed();",
                        "return true;"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("faultsOfUndo")
    @Tag("T-2")
    void shouldNoticeAnUndoThat(String fault, String className, String expression, String replacement) {
        // given
        MutatedClassLoader broken = new MutatedClassLoader().replace("dev.ebb." + className, expression, replacement);

        // when
        Throwable failure = catchThrowable(() -> play(broken, UndoScenarioTest.class, "play"));

        // then
        assertThat(failure).as("a build that " + fault).isInstanceOf(AssertionError.class);
    }

    private static void play(ClassLoader project, int cases) throws Throwable {
        play(project, RetentionModelTest.class, "playTheFirst", cases);
    }

    private static void play(ClassLoader project, Class<?> test, String name, Object... arguments) throws Throwable {
        Class<?>[] types = arguments.length == 0 ? new Class<?>[0] : new Class<?>[] {int.class};
        Method play = project.loadClass(test.getName()).getDeclaredMethod(name, types);
        play.setAccessible(true);
        try {
            play.invoke(null, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
