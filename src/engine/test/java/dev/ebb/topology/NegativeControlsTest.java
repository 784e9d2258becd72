package dev.ebb.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.ebb.store.arrival.TakenPlacesTest;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
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
        BrokenBuild.play(new MutatedClassLoader(), RetentionModelTest.class, "playTheFirst", CASES_UNBROKEN);
    }

    static Stream<Fault> faults() {
        return Stream.of(
                new Fault(
                        "skips the audit record",
                        "topology.removal.Removals",
                        "audit.add(removed.stream(), event, cause, rule, anchorMs, undoUntilMs, nowMs);",
                        ";"),
                new Fault(
                        "skips one audit record of many",
                        "topology.removal.AuditTrail",
                        "if (run != null) {",
                        "if (run != null && run.events().ids().size() != 2) {"),
                new Fault(
                        "skips a leaf of the tree",
                        "topology.receipt.AuditTree",
                        "saved.set(saved.edge().with(leaf.hash()), saved.closed());",
                        "if (leaf.hash().bytes()[0] >= 0) {\n"
                                + "saved.set(saved.edge().with(leaf.hash()), saved.closed());\n}"),
                new Fault(
                        "is one millisecond early",
                        "domain.retention.RetentionDecider",
                        "return nowMs > dueAtMs;",
                        "return nowMs >= dueAtMs;"),
                new Fault(
                        "is one millisecond late",
                        "domain.retention.RetentionDecider",
                        "return nowMs > dueAtMs;",
                        "return nowMs - 1 > dueAtMs;"),
                new Fault(
                        "forgets the protected class",
                        "store.arrival.Arrivals",
                        "boolean isProtected = !statuses.isTerminal(event.status());",
                        "boolean isProtected = false;"),
                new Fault(
                        "protects in the order of age",
                        "store.events.EventTable",
                        "if (event.isProtected()) {",
                        "if (event.isProtected() && event.seq() < 0) {"),
                new Fault(
                        "keeps the head on a late event",
                        "store.state.Heads",
                        "head.isEmpty || head.compareTo(position) > 0",
                        "head.isEmpty || (range != Range.ORDERED && head.compareTo(position) > 0)"),
                new Fault(
                        "keeps the head of the timed",
                        "store.state.Heads",
                        "head.isEmpty || head.compareTo(position) > 0",
                        "head.isEmpty || (range != Range.TIMED && head.compareTo(position) > 0)"),
                new Fault(
                        "keeps the first deadline",
                        "store.state.Heads",
                        "dueMs = Math.min(dueMs, location.dueMs());",
                        "dueMs = dueMs == Location.NO_DUE ? location.dueMs() : dueMs;"),
                new Fault(
                        "takes all that goes for unseen",
                        "store.gather.ChangeLog",
                        "if (!gathered.takeBack(key.get())) {",
                        "gathered.takeBack(key.get()); if (false) {"),
                new Fault("forgets the changes that wait", "store.gather.ChangeLog", "gathered.sendAll();", ";"),
                new Fault(
                        "takes an event in place of another for the same",
                        "store.events.EventTable",
                        "if (before.event().storedAt() != after.storedAt()) {",
                        "if (false) {"),
                new Fault(
                        "takes a changed event for a known one",
                        "store.events.EventTable",
                        "known = isSame || former == Known.NOT_AT_ALL ? former : Known.AS_IT_WAS;",
                        "known = former;"),
                new Fault(
                        "takes a cap for reached",
                        "domain.retention.RetentionDecider",
                        "place.events() - place.olderEligibleEvents(),",
                        "1 + place.events() - place.olderEligibleEvents(),"),
                new Fault(
                        "lets the lower bound win",
                        "domain.retention.RetentionDecider",
                        "return Math.min(atLeast,",
                        "return Math.max(atLeast,"),
                new Fault(
                        "moves an upsert to the end",
                        "store.arrival.Arrivals",
                        "return new StoredEvent(complete, before.storedAt(), before.seq(), isProtected);",
                        "return new StoredEvent(complete, nowMs, before.seq(), isProtected);"),
                new Fault(
                        "updates what is due",
                        "store.arrival.Arrivals",
                        "if (!isUndecided && displaced(former, policies, nowMs) != null) {",
                        "if (false) {"),
                new Fault(
                        "counts a replaced event twice",
                        "store.events.EventTable",
                        "count(segment, before.event(), old, -1);",
                        ";"),
                new Fault(
                        "forgets ends that come ahead of their events",
                        "store.state.EndsAhead",
                        "return isAhead && RetentionDecider.isPast(staysUntilMs, nowMs + waitMs);",
                        "return false;"),
                new Fault(
                        "moves nothing",
                        "store.arrival.StreamMover",
                        "events.move(segment, former.event(), location, value, former);",
                        "segment.headsForInsert().include(former.location());"),
                new Fault(
                        "archives nothing",
                        "topology.removal.Removals",
                        "if (policy.archive().value() && removed.cause().allowsCopies()) {",
                        "if (nowMs < 0) {"),
                new Fault(
                        "lets commands pass over holds",
                        "topology.work.StreamRefusals",
                        "if (context.policies().get().isHeld(stream.stream())) {",
                        "if (stream == null) {"),
                new Fault(
                        "keeps one event less than keepLast",
                        "store.events.KeepLast",
                        "i < keep; i++",
                        "i < Math.max(1, keep - 1); i++"),
                new Fault(
                        "sweeps beside parked records",
                        "topology.TaskParts",
                        "return store.parked().holdsStream(stream.stream())",
                        "return stream.isGone()"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("faults")
    void shouldFailABuildThat(Fault fault) {
        BrokenBuild.requireNoticed(fault, RetentionModelTest.class, CASES);
    }

    static Stream<Fault> faultsOfLogs() {
        return Stream.of(
                new Fault(
                        "lets a record go too early",
                        "store.events.LogPlaces",
                        "floors.put(log, offset);",
                        "floors.put(log, offset + 1);"),
                new Fault(
                        "forgets an event that comes again",
                        "store.events.LogPlaces",
                        "Math.min(floor, place.offset())",
                        "floor"),
                new Fault(
                        "forgets a rejected record behind another",
                        "topology.source.SourceLedger",
                        "left.merge(hour, offset, Math::min)",
                        "left.merge(hour, offset, Math::max)"),
                new Fault(
                        "has no places of events",
                        "store.layout.StoredEventCodec",
                        "return place != null && place.contains(\"//\");",
                        "return false;"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("faultsOfLogs")
    @Tag("F-8")
    void shouldNoticeALogWhoseStart(Fault fault) {
        BrokenBuild.requireNoticed(fault, SourceLedgerTest.class, 20);
    }

    static Stream<Fault> faultsOfErasures() {
        return Stream.of(
                new Fault(
                        "leaves the archive out of an erasure",
                        "topology.erase.CopyErasure",
                        "task.outbox().eraseCopy(copy, nowMs);",
                        ";"),
                new Fault(
                        "leaves the trash out of an erasure",
                        "topology.removal.Outbox",
                        "trash.takeOut(copy.key(), copy.offset(), deletionOf(copy), \"\", nowMs);",
                        "{ }"),
                new Fault(
                        "archives what it erases",
                        "domain.retention.RemovalCause",
                        "return this != ERASE && !isOfSource();",
                        "return !isOfSource();"),
                new Fault(
                        "takes a part of the store for all",
                        "store.search.EventSearch",
                        "range++;",
                        "range = Range.OF_EVENTS.size();"),
                new Fault(
                        "passes over what is written meanwhile",
                        "store.search.EventSearch",
                        "events.watch(watch);",
                        ";"),
                new Fault(
                        "erases what is held",
                        "topology.erase.EraseTurn",
                        "if (task.policies().get().isHeld(match.stream())) {",
                        "if (match.storedAt() < 0) {"),
                new Fault(
                        "forgets in a crash what was written meanwhile",
                        "store.search.MatchQueue",
                        "if (noted.add(match)) {",
                        "if (noted.add(match) && queue.isEmpty()) {"),
                new Fault(
                        "erases copies of events that its plan does not name",
                        "topology.erase.CopyErasure",
                        "if (known == null && task.isPlanned()) {",
                        "if (known == null && copy.offset() < 0) {"),
                new Fault(
                        "erases what came in the place of a planned event",
                        "topology.erase.EraseTurn",
                        "if (task.isPlanned() && !now.equals(match)) {",
                        "if (task.isPlanned() && now.equals(null)) {"),
                new Fault(
                        "searches on instead of going through its plan",
                        "topology.erase.EraseSource",
                        "if (planId != null) {",
                        "if (planId != null && planId.isEmpty()) {"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("faultsOfErasures")
    @Tag("T-10")
    void shouldNoticeAnErasureThat(Fault fault) {
        // when
        Throwable failure = failureOf(fault, EraseScenarioTest.class);

        // then
        assertThat(failure).as("a build that " + fault).isInstanceOf(AssertionError.class);
    }

    static Stream<Fault> faultsOfUndo() {
        return Stream.of(
                new Fault(
                        "forgets the trash",
                        "topology.removal.Removals",
                        "if (undoMs > 0 && !outbox.isFinal(removed)) {",
                        "if (nowMs < 0) {"),
                new Fault(
                        "keeps what ended by its own TTL",
                        "topology.trash.TrashTrail",
                        "if (kept == null || (dueBy == DueBy.PRODUCER && !kept.freesOwnTtl())) {",
                        "if (kept == null) {"),
                new Fault(
                        "takes what maxTtl has cut short for final",
                        "domain.retention.RetentionDecider",
                        "return isPast(atLeast(asked(ttl, anchorMs), anchorMs, policy), nowMs);",
                        "return true;"),
                new Fault(
                        "forgets after a crash what it has brought back",
                        "topology.trash.TrashNames",
                        "boolean counts = (!gone.get(place) && !out.get(place)) || back.get(i);",
                        "boolean counts = !gone.get(place) && !out.get(place);"),
                new Fault(
                        "sweeps into a trash that is closed",
                        "topology.trash.TrashWait",
                        "isClosed.getAsBoolean() && canBeUndone",
                        "!waiting.isEmpty() && canBeUndone"),
                new Fault(
                        "forgets the row", "topology.undo.UndoReturn", "here.outbox().mirror(back, row, nowMs);", ";"),
                new Fault(
                        "forgets the restore record",
                        "topology.undo.UndoReturn",
                        "trail().add(trashed.stream(), trashed.deletion().author(), header, anchorMs, nowMs);",
                        ";"),
                new Fault(
                        "overwrites a used id",
                        "topology.undo.ReturnRules",
                        "return store.holds(stream, trashed.key().id()) ? NotReturned.REUSED : null;",
                        "return null;"),
                new Fault(
                        "leaves in the trash what is back",
                        "topology.undo.UndoReturn",
                        ".takeOut(trashed, origin.commandId(), nowMs));",
                        ".book());"),
                new Fault(
                        "brings back what was erased",
                        "topology.undo.UndoReturn",
                        "if (since.isTakenOut(trashed.offset())) {",
                        "if (nowMs < 0) {"),
                new Fault(
                        "brings back an older form",
                        "topology.trash.TrashNames",
                        "if (counts && seen.add(names[i]) && !gone.get(place)) {",
                        "if (counts && !gone.get(place)) {"),
                new Fault(
                        "gives no notice",
                        "topology.undo.UndoReturn",
                        "return Math.max(nowMs, pointMs) + noticeMs;",
                        "return nowMs - noticeMs;"),
                new Fault(
                        "is one millisecond late",
                        "domain.undo.Deletion",
                        "return nowMs < untilMs;",
                        "return nowMs <= untilMs;"),
                new Fault(
                        "deletes although the trash is closed",
                        "topology.Readiness",
                        "return !failed.isTrashClosed();",
                        "return true;"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("faultsOfUndo")
    @Tag("T-2")
    void shouldNoticeAnUndoThat(Fault fault) {
        // when
        Throwable failure = failureOf(fault, UndoScenarioTest.class);

        // then
        assertThat(failure).as("a build that " + fault).isInstanceOf(AssertionError.class);
    }

    static Stream<Fault> faultsOfPlaces() {
        return Stream.of(
                new Fault(
                        "gives the places of a former stream again",
                        "store.state.StreamTable",
                        "if (stream.nextSeq() > task.firstSeq()) {",
                        "if (stream.nextSeq() < 0) {"),
                new Fault(
                        "begins a stream at the first place",
                        "store.arrival.Arrivals",
                        "return new StoredEvent(complete, storedAt, streams.firstSeq(), isProtected);",
                        "return new StoredEvent(complete, storedAt, 0, isProtected);"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("faultsOfPlaces")
    @Tag("T-2")
    void shouldNoticeABuildThat(Fault fault) {
        // when
        Throwable failure = failureOf(fault, UndoNeverOverwritesASuccessorTest.class);

        // then
        assertThat(failure).as("a build that " + fault).isInstanceOf(AssertionError.class);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("faultsOfPlaces")
    @Tag("T-2")
    void shouldNoticeInRandomPlaysABuildThat(Fault fault) {
        BrokenBuild.requireNoticed(fault, ReturnPlayTest.class, CASES);
    }

    /** Without the guards events are lost as well, not only out of order. */
    @Test
    @Tag("T-2")
    @Tag("A-7")
    void shouldNoticeInRandomPlaysThatEventsOverwriteOthers() {
        // given
        MutatedClassLoader former = new MutatedClassLoader()
                .replace(
                        "dev.ebb.store.state.StreamTable",
                        "if (stream.nextSeq() > task.firstSeq()) {",
                        "if (stream.nextSeq() < 0) {")
                .replace(
                        "dev.ebb.store.arrival.Arrivals",
                        "return event.withSeq(segment.stream().nextSeq());",
                        "return event;")
                .replace(
                        "dev.ebb.store.arrival.StreamMover",
                        "StoredEvent changed = isTaken ? behindAll(stream, reclassified, value) : reclassified;",
                        "StoredEvent changed = reclassified;");

        // when
        Throwable failure = catchThrowable(() -> BrokenBuild.play(former, ReturnPlayTest.class, "playTheFirst", CASES));

        // then
        assertThat(failure).isNotNull().hasMessageStartingWith("-Dtest.seed=");
    }

    static Stream<Fault> faultsOfGuards() {
        return Stream.of(
                new Fault(
                        "puts an event back over another",
                        "store.arrival.Arrivals",
                        "return event.withSeq(segment.stream().nextSeq());",
                        "return event;"),
                new Fault(
                        "moves an event over another",
                        "store.arrival.StreamMover",
                        "StoredEvent changed = isTaken ? behindAll(stream, reclassified, value) : reclassified;",
                        "StoredEvent changed = reclassified;"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("faultsOfGuards")
    @Tag("T-2")
    @Tag("A-7")
    void shouldNoticeAGuardThat(Fault fault) {
        // when
        Throwable failure = failureOf(fault, TakenPlacesTest.class);

        // then
        assertThat(failure).as("a build that " + fault).isNotNull();
    }

    static Stream<Fault> faultsOfSeals() {
        return Stream.of(
                new Fault(
                        "believes all records of the trash",
                        "topology.trash.TrashGuard",
                        "return known != null && known.isOn(key, value, headers);",
                        "return true;"),
                new Fault(
                        "leaves the headers unsealed",
                        "topology.trash.TrashSeal",
                        "mac.update(headers);",
                        "mac.update(new byte[0]);"),
                new Fault(
                        "forgets what was taken out",
                        "topology.trash.TrashGuard",
                        "return isOut.test(key.serial());",
                        "return key.serial() < 0;"),
                new Fault(
                        "forgets in a restart what was taken out",
                        "topology.trash.TrashMarks",
                        "if (name.startsWith(OUT)) {",
                        "if (name.isEmpty()) {"),
                new Fault(
                        "takes the last record for the newest",
                        "topology.trash.TrashIndex",
                        "if (known.serial() <= lastSerial || !guard.isGenuine(key, value, headers)) {",
                        "if (!guard.isGenuine(key, value, headers)) {"),
                new Fault(
                        "believes all tombstones",
                        "topology.trash.TrashIndex",
                        "if (isMeant(offset) && guard.isGenuine(keyBytes, null, headers)) {",
                        "if (isMeant(offset)) {"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("faultsOfSeals")
    @Tag("T-16")
    void shouldNoticeASealThat(Fault fault) {
        // when
        Throwable failure = failureOf(fault, ForgedTrashIsRefusedTest.class);

        // then
        assertThat(failure).as("a build that " + fault).isNotNull();
    }

    static Stream<Fault> faultsOfRetirements() {
        return Stream.of(
                new Fault(
                        "lets a new stream share storedAt with the one before",
                        "store.state.StreamTable",
                        "return retired.lastStoredAt(name) + 1;",
                        "return retired.lastStoredAt(name);"),
                new Fault(
                        "lets a new stream of an execution share storedAt with the one before",
                        "store.state.StreamState",
                        "lastStoredAt = storedAtMs;",
                        ";"),
                new Fault(
                        "empties a deleted stream into a trash that is closed",
                        "topology.RetentionTask",
                        "if (own.readiness.mayFillTrash()) {",
                        "if (nowMs >= 0) {"),
                new Fault(
                        "undoes a delete whose stream is not emptied",
                        "topology.undo.UndoWork",
                        "if (context.store().hasRetired()) {",
                        "if (nowMs < 0) {"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("faultsOfRetirements")
    @Tag("O-10")
    @Tag("T-5")
    void shouldNoticeARetirementThat(Fault fault) {
        // when
        Throwable failure = failureOf(fault, RetiredStreamTest.class);

        // then
        assertThat(failure).as("a build that " + fault).isInstanceOf(AssertionError.class);
    }

    /** A fault that fits no line of the source any more is none that a test has noticed, so it is built first. */
    private static @Nullable Throwable failureOf(Fault fault, Class<?> test) {
        MutatedClassLoader build = fault.build();
        return catchThrowable(() -> BrokenBuild.play(build, test, "play"));
    }
}
