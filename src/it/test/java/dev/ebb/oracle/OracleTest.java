package dev.ebb.oracle;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static dev.ebb.oracle.SmallWorld.MAX_AGE_MS;
import static dev.ebb.oracle.SmallWorld.START;
import static dev.ebb.oracle.SmallWorld.STREAM;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.ebb.oracle.World.Audit;
import dev.ebb.oracle.World.Change;
import dev.ebb.oracle.World.Confirmation;
import dev.ebb.oracle.World.Input;
import dev.ebb.oracle.World.Reason;
import dev.ebb.oracle.World.Rejected;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.GenericRecordBuilder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Does the oracle see what is wrong? Each world is right but for one thing. */
class OracleTest {

    private static final String SCOPE = "namespace:a";
    private static final long LATE = START - 20_000;

    private final SmallWorld world = new SmallWorld();

    @Test
    void shouldShareNothingWithTheProductButTheSchemas() {
        DescribedPredicate<JavaClass> ours = DescribedPredicate.describe(
                "belong to the oracle", (JavaClass one) -> one.getPackageName().startsWith("dev.ebb.oracle"));
        noClasses()
                .that(ours)
                .should()
                .dependOnClassesThat(DescribedPredicate.describe(
                        "belong to the product",
                        (JavaClass other) -> other.getPackageName().startsWith("dev.ebb") && !ours.test(other)))
                .check(new ClassFileImporter().importPackages("dev.ebb.oracle"));
    }

    @Test
    void shouldFindNothingWrongWithAWorldThatIsRight() {
        // given
        Row old = world.event("e1", null, 0);
        Row work = world.event("e2", "running", 1);
        world.event("e3", "running", 2);
        sweepAtAge(old);
        Input done = world.input(SmallWorld.update("e2", "completed"), START + 20_000);
        Row completed = world.store(Expected.ofUpdate(done, work), START + 20_000);
        world.sweep(30_000, "MAX_AGE", SCOPE, 0, completed);
        world.input(SmallWorld.update("e1", "completed"), START + 40_000);
        world.event("e1", "unread", 50_000);

        // when
        Verdict verdict = world.judge();

        // then
        assertThat(verdict.differences()).isEmpty();
        assertThat(verdict.events()).isEqualTo(4);
        assertThat(verdict.deletes()).isEqualTo(2);
    }

    /** Rows of new events wait for the commit; those of events that go before it are never sent. */
    @Test
    @Tag("M-12")
    void shouldKnowAnEventThatCameAndWentWithinATransaction() {
        // given a cap of one, three events, and tombstones before the row of the last
        long version = world.policy(SCOPE, "maxCount", 1L);
        Row first = world.event("e1", null, 0);
        Row second = unseen("e2", 10);
        Row third = Expected.ofEvent(world.input(SmallWorld.event("e3", null), START + 11), null, START + 11);
        Reason reason = new Reason("MAX_COUNT", SCOPE, version, sweep(12), "");
        world.delete(first, 12, reason);
        world.store(third, START + 11);
        world.audit(reason, START + 12, first, second);

        // when
        Verdict verdict = world.judge();

        // then
        assertThat(verdict.differences()).isEmpty();
        assertThat(verdict.events()).isEqualTo(3);
        assertThat(verdict.deletes()).isEqualTo(2);
    }

    /** A transaction may last as long as a rebalance: a sweep in it counts events whose rows come behind a later tombstone. */
    @Test
    @Tag("M-15")
    void shouldCountEventsWhoseRowsStillWaitedWhenAnotherCameAndWent() {
        // given a cap of two; e1 goes since e2 has come, whose row comes behind the tombstone of the event before them
        GenericRecord policy = new GenericRecordBuilder(Schemas.of("RetentionPolicy"))
                .set("scope", SCOPE)
                .set("maxAge", "10s")
                .set("maxCount", 2L)
                .set("anchor", "occurred")
                .build();
        long version = world.accept(SCOPE, policy);
        Row before = world.store(occurred("e0", null, 0, 9), START);
        Row gone = occurred("e1", null, 10, 1);
        Row waiting = occurred("e2", "running", 11, 500);
        Reason cap = new Reason("MAX_COUNT", SCOPE, version, sweep(12), "");
        Reason age = new Reason("MAX_AGE", SCOPE, version, sweep(10_020), "");
        world.delete(before, 10_020, age);
        world.store(waiting, START + 11);
        world.audit(cap, START + 12, Row::occurredAt, gone);
        world.audit(age, START + 10_020, Row::occurredAt, before);

        // then
        assertThat(world.judge().differences()).isEmpty();
    }

    private Row occurred(String id, String status, long storedAtMs, long occurredAtMs) {
        GenericRecord event = SmallWorld.event(id, status);
        event.put("occurredAt", START + occurredAtMs);
        return Expected.ofEvent(world.input(event, START + storedAtMs), null, START + storedAtMs);
    }

    /** Two records of one batch have one time, and their events one key in SQL if they are stored in the same millisecond. */
    @Test
    @Tag("M-1")
    void shouldKnowTheRowOfTheSecondOfTwoEventsWithOneIdAndTime() {
        // given an event that is due when it is stored, and the event that replaces it
        long version = byOccurrence();
        Row first = late("e1", 10, 4);
        Row second = world.store(late("e1", 10, 46), START + 10);
        Reason swept = new Reason("MAX_AGE", SCOPE, version, sweep(30), "");
        world.delete(second, 30, swept);
        auditLate(new Reason("MAX_AGE", SCOPE, version, "", ""), 10, first);
        auditLate(swept, 30, second);

        // then
        assertThat(world.judge().differences()).isEmpty();
    }

    @Test
    @Tag("M-1")
    void shouldTellTheEndOfARowFromTheEndOfItsSuccessorWithoutARow() {
        // given a row that is replaced by an event without a row, and two events without rows, one of which replaces
        // the other
        long version = byOccurrence();
        Row first = world.store(late("e1", 10, 54), START + 10);
        Row second = late("e1", 20, 10);
        Row third = late("e2", 20, 11);
        Row fourth = late("e2", 20, 12);
        Reason replaced = new Reason("MAX_AGE", SCOPE, version, "", "");
        world.delete(first, 20, replaced);
        auditLate(replaced, 20, first);
        auditLate(replaced, 20, third);
        auditLate(new Reason("MAX_AGE", SCOPE, version, sweep(30), ""), 30, second, fourth);

        // then
        assertThat(world.judge().differences()).isEmpty();
    }

    /** The first of two records must not win, whatever the audit adds up to. */
    @Test
    @Tag("M-1")
    void shouldNameRowsOfOneIdAndTimeInTheWrongOrder() {
        // given
        long version = byOccurrence();
        Row first = late("e1", 10, 4);
        Row second = late("e1", 10, 9);
        world.store(second, START + 10);
        world.store(first, START + 10);
        Reason swept = new Reason("MAX_AGE", SCOPE, version, sweep(30), "");
        world.delete(first, 30, swept);
        auditLate(swept, 30, first);

        // then
        assertNamed("e1", "is not what");
    }

    /** Deletes of replaced events have one reason, so two of one id look alike. */
    @Test
    @Tag("M-1")
    void shouldKnowTwoReplacedEventsOfOneIdByTheirOrder() {
        // given a row that is replaced by an event without a row, and that by one with a row
        long version = byOccurrence();
        Row first = world.store(late("e1", 10, 54), START + 10);
        Row second = late("e1", 20, 10);
        Row third = late("e2", 20, 11);
        Row fourth = late("e2", 20, 12);
        Row fifth = late("e1", 25, 13);
        Reason replaced = new Reason("MAX_AGE", SCOPE, version, "", "");
        world.delete(first, 20, replaced);
        world.store(fifth, START + 25);
        Reason swept = new Reason("MAX_AGE", SCOPE, version, sweep(30), "");
        world.delete(fifth, 30, swept);
        auditLate(replaced, 20, first);
        auditLate(replaced, 20, third);
        auditLate(replaced, 25, second);
        auditLate(swept, 30, fifth, fourth);

        // then
        assertThat(world.judge().differences()).isEmpty();
    }

    private long byOccurrence() {
        return world.accept(SCOPE, maxAge("occurred"));
    }

    /** An event that happened longer ago than {@code maxAge} allows. */
    private Row late(String id, long atMs, int payloadBytes) {
        GenericRecord event = SmallWorld.event(id, null);
        event.put("occurredAt", LATE);
        event.put("payload", ByteBuffer.wrap(new byte[payloadBytes]));
        return Expected.ofEvent(world.input(event, START + atMs), null, START + atMs);
    }

    private void auditLate(Reason reason, long atMs, Row... rows) {
        world.audit(reason, START + atMs, row -> LATE, rows);
    }

    /** Events are stored by a clock that stands still for a round of records; a tombstone tells the time of its deletion. */
    @Test
    @Tag("M-12")
    void shouldKnowThatAnUpdateAndWhatFollowsItCameBehindATombstoneOfALaterTime() {
        // given a cap of two, and an event that was stored before the tombstone by the clock of its round
        long version = world.policy(SCOPE, "maxCount", 2L);
        Row first = world.event("e1", null, 0);
        Row second = world.event("e2", null, 10);
        world.event("e3", null, 11);
        Reason reason = new Reason("MAX_COUNT", SCOPE, version, sweep(20), "");
        world.delete(first, 20, reason);
        Row read = Expected.ofUpdate(world.input(SmallWorld.update("e2", "read"), START + 15), second);
        world.store(read, START + 15);
        world.store(
                Expected.ofEvent(world.input(SmallWorld.event("e4", null), START + 16), null, START + 18), START + 16);
        Reason next = new Reason("MAX_COUNT", SCOPE, version, sweep(40), "");
        world.delete(read, 40, next);
        world.audit(reason, START + 20, first);
        world.audit(next, START + 40, read);

        // then
        assertThat(world.judge().differences()).isEmpty();
    }

    /** The row of an event that is changed goes at once, before rows of events that came earlier. */
    @Test
    @Tag("M-12")
    void shouldKnowRowsThatOvertakeOthersAndUpdatesOfWhatIsGone() {
        // given a cap of two; e2 waits for the commit, e4 is updated before it
        long version = world.policy(SCOPE, "maxCount", 2L);
        Row first = world.event("e1", null, 0);
        Row second = Expected.ofEvent(world.input(SmallWorld.event("e2", null), START + 10), null, START + 10);
        world.input(SmallWorld.update("e0", "read"), START + 10);
        Row third = unseen("e3", 11);
        Reason reason = new Reason("MAX_COUNT", SCOPE, version, sweep(12), "");
        Row fourth = Expected.ofEvent(world.input(SmallWorld.event("e4", null), START + 20), null, START + 20);
        Row read = Expected.ofUpdate(world.input(SmallWorld.update("e4", "read"), START + 21), fourth);
        world.delete(first, 12, reason);
        world.store(fourth, START + 20);
        world.store(read, START + 21);
        Reason next = new Reason("MAX_COUNT", SCOPE, version, sweep(30), "");
        world.store(second, START + 10);
        world.delete(second, 30, next);
        world.audit(reason, START + 12, first);
        world.audit(next, START + 30, second);
        Reason last = new Reason("MAX_COUNT", SCOPE, version, sweep(40), "");
        Row fifth = world.event("e5", null, 35);
        world.audit(last, START + 40, third);

        // then
        assertThat(fifth.id()).isEqualTo("e5");
        assertThat(world.judge().differences()).isEmpty();
    }

    @Test
    @Tag("M-13")
    void shouldNameAnEventThatCameAndWentTooEarly() {
        // given
        world.policy(SCOPE, "anchor", "occurred");
        Row row = unseen("e1", 10);
        Reason reason = new Reason("MAX_AGE", SCOPE, 0, sweep(20), "");
        world.audit(reason, START + 20, row);

        // then
        assertNamed("e1", "must not have been");
    }

    @Test
    @Tag("M-4")
    void shouldNameAProtectedEventThatCameAndWent() {
        // given
        Row row = Expected.ofEvent(world.input(SmallWorld.event("e1", "running"), START), null, START);
        Reason reason = new Reason("MAX_AGE", SCOPE, 0, sweep(20), "");
        world.audit(reason, START + 20, row);

        // then
        assertNamed("e1", "protected by status running");
    }

    @Test
    @Tag("I-2")
    void shouldNameAnEventThatStayedWithoutARow() {
        // given an event that a later one shows to have come long before it went
        Row row = unseen("e1", 0);
        world.event("e2", "running", 5);
        Reason reason = new Reason("MAX_AGE", SCOPE, 0, sweep(30_000), "");
        world.audit(reason, START + 30_000, row);

        // then
        assertNamed("e1", "had no row");
    }

    @Test
    @Tag("I-2")
    void shouldNameADeleteWhoseTombstoneIsMissing() {
        // given
        sweepAtAge(world.event("e1", null, 0));
        world.mirror.remove(1);

        // then
        assertNamed("e1", "never deleted");
        assertNamed("e1", "is missing");
    }

    private Row unseen(String id, long atMs) {
        return Expected.ofEvent(world.input(SmallWorld.event(id, null), START + atMs), null, START + atMs);
    }

    private String sweep(long atMs) {
        String sweepId = "sweep-0-" + (START + atMs) + "-" + world.mirror.size();
        world.reports.put(sweepId, new World.Report(START + atMs, world.accepted.size() - 1, false));
        return sweepId;
    }

    @Test
    @Tag("I-5")
    void shouldNameADeletionWithoutAnAuditRecord() {
        // given
        sweepAtAge(world.event("e1", null, 0));
        world.audits.clear();

        // then
        assertNamed("e1", "deleted without an audit record");
    }

    @Test
    @Tag("I-5")
    void shouldNameWhatWasAuditedTwice() {
        // given
        sweepAtAge(world.event("e1", null, 0));
        Audit audit = world.audits.get(0);
        world.audit(
                new Reason(audit.cause(), audit.scope(), 0, audit.sweepId(), ""),
                audit.atMs(),
                Expected.ofEvent(world.inputs.get(0), null, START));

        // then
        assertNamed("e1", "audited once too often");
    }

    @Test
    @Tag("M-13")
    void shouldNameADeletionThatIsOneMillisecondEarly() {
        // given
        Row row = world.event("e1", null, 0);
        world.sweep(MAX_AGE_MS, "MAX_AGE", SCOPE, 0, row);

        // then
        assertNamed("e1", "1 ms early");
    }

    @Test
    @Tag("M-4")
    void shouldNameADeletionOfWhatIsProtected() {
        // given
        sweepAtAge(world.event("e1", "running", 0));

        // then
        assertNamed("e1", "protected by status running");
    }

    @Test
    @Tag("M-4")
    void shouldNameARowThatForgotThatItIsProtected() {
        // given
        Input input = world.input(SmallWorld.event("e1", "running"), START);
        Row right = Expected.ofEvent(input, null, START);
        world.store(
                new Row(
                        STREAM,
                        "e1",
                        START,
                        "",
                        "running",
                        true,
                        START,
                        START,
                        null,
                        false,
                        null,
                        0,
                        null,
                        null,
                        right.metadata(),
                        right.payload(),
                        right.payloadBytes()),
                START);

        // then
        assertThat(world.judge().differences()).anyMatch(line -> line.contains("terminal false / true"));
    }

    @Test
    @Tag("I-4")
    void shouldNameARowThatWasLeftInSql() {
        // given
        Row row = world.event("e1", null, 0);
        sweepAtAge(row);
        world.sql.put(row.key(), row);

        // then
        assertNamed("e1", "SQL: ", "is there and must not be");
    }

    @Test
    @Tag("I-4")
    void shouldNameAnEventThatAStoreHasLost() {
        // given
        Row row = world.event("e1", "running", 0);
        world.stores.remove(row.key());

        // then
        assertNamed("e1", "stores: ", "is missing");
    }

    @Test
    @Tag("M-2")
    void shouldNameAnEventThatCameBack() {
        // given
        Row row = world.event("e1", null, 0);
        sweepAtAge(row);
        Row back = row.withTtl(999_999L, false, null);
        world.mirror.add(new Change(world.mirror.size(), START + 20_000, back.key(), back, null));
        world.stores.put(back.key(), back);
        world.sql.put(back.key(), back);

        // then
        assertNamed("e1", "resurrected or invented");
    }

    @Test
    @Tag("I-4")
    void shouldNameAnEventThatWasLostOnItsWay() {
        // given
        world.input(SmallWorld.event("e1", null), START);

        // then
        assertNamed("e1", "neither stored nor rejected");
    }

    @Test
    @Tag("A-3")
    void shouldNameWhatIsDueAndAlive() {
        // given
        world.event("e1", null, 0);

        // then
        assertNamed("e1", "is alive although it was due");
    }

    @Test
    @Tag("M-15")
    void shouldNameACapThatTookTheWrongOneOrOneTooMany() {
        // given
        long version = world.policy("stream:" + STREAM, "maxCount", 2L);
        world.policy(SCOPE, "maxAge", "unlimited");
        Row first = world.event("e1", null, 0);
        Row second = world.event("e2", null, 1);
        world.event("e3", null, 2);
        world.sweep(100, "MAX_COUNT", "stream:" + STREAM, version, second);
        world.sweep(200, "MAX_COUNT", "stream:" + STREAM, version, first);

        // then
        assertThat(world.judge().differences())
                .hasSize(2)
                .anyMatch(line -> line.contains("not the oldest: e1"))
                .anyMatch(line -> line.contains("2 events are not more than 2"));
    }

    @Test
    @Tag("A-16")
    void shouldNameADeletionAfterTheHoldWasConfirmedAlthoughTheSweepBeganBefore() {
        // given
        Row row = world.event("e1", null, 0);
        sweepAtAge(row);
        long hold = world.hold("LIT", "stream:" + STREAM);
        world.confirmations.add(new Confirmation(0, hold, START + MAX_AGE_MS));

        // then
        assertNamed("e1", "held by [hold:LIT], which the partition had confirmed");
    }

    /** A record that was produced before a delete may come behind it, and then changes nothing. */
    @Test
    @Tag("O-10")
    void shouldKnowThatWhatIsOlderThanADeleteMayChangeNothing() {
        // given
        Row first = world.event("e1", "running", 0);
        Reason reason = new Reason("DELETE", "command", -1, "", "c1");
        world.commands.put("c1", delete(true));
        world.delete(first, 10, reason);
        world.audit(reason, START + 10, first);
        world.event("e1", "running", 20);
        world.input(SmallWorld.update("e1", "read"), START + 5);
        Input late = world.input(SmallWorld.event("e2", null), START + 6);
        world.rejected.add(new Rejected(late.key(), late.bytes(), "STREAM_DELETED", "ebb.events", 0, late.offset()));

        // then
        assertThat(world.judge().differences()).isEmpty();
    }

    @Test
    @Tag("O-10")
    void shouldNameWhatWasTakenForLateAlthoughNobodyDeletedItsStream() {
        // given
        Input input = world.input(SmallWorld.event("e1", null), START + 6);
        world.rejected.add(new Rejected(input.key(), input.bytes(), "STREAM_DELETED", "ebb.events", 0, input.offset()));
        world.event("e2", "running", 20);
        world.input(SmallWorld.update("e2", "read"), START + 25);

        // then
        assertThat(world.judge().differences())
                .anyMatch(difference -> difference.contains("was rejected as STREAM_DELETED"))
                .anyMatch(difference -> difference.contains("changed nothing although the event is there"));
    }

    /** A new life has started the execution, and a worker of the former one ends its turn. */
    @Test
    @Tag("O-10")
    void shouldNameWhatWentBecauseAZombieEndedItsTurn() {
        // given
        deletedAtWork();
        world.input(execution(1, "running", null), START + 20);
        Row row = ofExecution("e1", 1, 21);
        world.input(execution(1, "completed", null), START + 22);
        sweepAtAge(row);

        // then
        assertNamed("e1", "protected by status", "execution 1");
    }

    @Test
    @Tag("O-10")
    void shouldLetTheNewLifeEndItsOwnTurn() {
        // given
        deletedAtWork();
        world.input(execution(1, "running", START + 15), START + 20);
        Row row = ofExecution("e1", 1, 21);
        world.input(execution(1, "completed", START + 15), START + 22);
        sweepAtAge(row);

        // then
        assertThat(world.judge().differences()).isEmpty();
    }

    /** The end comes first, and must take effect when the event is there. */
    @Test
    @Tag("O-10")
    void shouldNameWhatStaysOpenAfterAnImport() {
        // given
        deletedAtWork();
        world.input(execution(2, "completed", START - 5000), START + 20);
        ofExecution("e1", 2, 21);

        // then
        assertNamed("e1", "is alive although it was due");
    }

    /** An end that waits makes no execution, so the execution with events is the current one. */
    @Test
    @Tag("O-10")
    @Tag("M-5")
    void shouldNotCountAnExecutionOfWhichOnlyTheEndHasCome() {
        // given
        deletedAtWork();
        long version = world.policy(SCOPE, "maxCount", 1L);
        world.input(execution(2, "completed", null), START + 20);
        Row first = ofExecution("e1", 2, 21);
        ofExecution("e2", 2, 22);
        world.input(execution(9, "completed", null), START + 23);
        world.sweep(30, "MAX_COUNT", SCOPE, version, first);

        // then
        assertNamed("e1", "of the current execution");
    }

    /** A stream is deleted by force while a worker is at its execution 1. */
    private void deletedAtWork() {
        world.input(execution(1, "running", null), START);
        Row old = ofExecution("e1", 1, 1);
        Reason reason = new Reason("DELETE", "command", -1, "", "c1");
        world.commands.put("c1", delete(true));
        world.delete(old, 10, reason);
        world.audit(reason, START + 10, old);
    }

    private Row ofExecution(String id, long execution, long atMs) {
        GenericRecord event = SmallWorld.event(id, null);
        event.put("execution", execution);
        return world.store(Expected.ofEvent(world.input(event, START + atMs), null, START + atMs), START + atMs);
    }

    private static GenericRecord execution(long number, String status, Long startedAt) {
        return new GenericRecordBuilder(Schemas.of("ExecutionUpdate"))
                .set("stream", STREAM)
                .set("execution", number)
                .set("status", status)
                .set("startedAt", startedAt)
                .build();
    }

    private static GenericRecord delete(boolean isForced) {
        return new GenericRecordBuilder(Schemas.of("Command"))
                .set("commandId", "c1")
                .set("verb", "delete")
                .set("stream", STREAM)
                .set("force", isForced)
                .build();
    }

    @Test
    @Tag("M-4")
    void shouldNameACommandThatTookWhatIsProtectedWithoutForce() {
        // given
        Row row = world.event("e1", "running", 0);
        Reason reason = new Reason("DELETE", "command", -1, "", "c1");
        world.commands.put(
                "c1",
                new GenericRecordBuilder(Schemas.of("Command"))
                        .set("commandId", "c1")
                        .set("verb", "delete")
                        .build());
        world.delete(row, 10, reason);
        world.audit(reason, START + 10, row);

        // then
        assertNamed("e1", "has no force");
    }

    @Test
    @Tag("O-20")
    void shouldNameAGoodRecordThatWasRejectedAndABadOneThatWasChanged() {
        // given
        Input good = world.input(SmallWorld.event("e1", null), START);
        Input bad = world.input(null, START);
        world.rejected.add(new Rejected(good.key(), good.bytes(), "BAD_TIME", "ebb.events", 0, good.offset()));
        world.rejected.add(new Rejected(
                bad.key(), Content.of("other".getBytes(UTF_8)), "UNDECODABLE", "ebb.events", 0, bad.offset()));

        // then
        assertThat(world.judge().differences())
                .hasSize(2)
                .anyMatch(line -> line.contains("nothing is wrong with it"))
                .anyMatch(line -> line.contains("not unchanged"));
    }

    @Test
    @Tag("O-20")
    void shouldKnowARecordByItsHashWhereItsValueWasLeftOut() {
        // given
        Input whole = world.input(null, START);
        Input other = world.input(null, START);
        String right = whole.bytes().sha256();
        String wrong = right.replace(right.charAt(0), right.charAt(0) == '0' ? '1' : '0');
        world.rejected.add(new Rejected(whole.key(), null, "TOO_BIG", "ebb.events", 0, whole.offset(), right));
        world.rejected.add(new Rejected(other.key(), null, "TOO_BIG", "ebb.events", 0, other.offset(), wrong));

        // then
        assertThat(world.judge().differences())
                .singleElement()
                .asString()
                .contains("@" + other.offset(), "not unchanged");
    }

    @Test
    @Tag("O-20")
    void shouldKnowTheBeginningOfAKeyWhateverItsLength() {
        for (int length : new int[] {0, 1, Content.KEPT - 1, Content.KEPT, Content.KEPT + 1, 3 * Content.KEPT}) {
            byte[] whole = new byte[length];
            byte[] other = Arrays.copyOf(whole, length + 1);
            other[length] = 1;

            assertThat(Content.of(whole)).isEqualTo(Content.of(whole.clone())).isNotEqualTo(Content.of(other));
            assertThat(Content.of(whole).isBeginningOf(Content.of(whole))).isTrue();
            assertThat(Content.of(whole).isBeginningOf(Content.of(other))).isEqualTo(length <= Content.KEPT);
            assertThat(Content.of(other).isBeginningOf(Content.of(whole))).isFalse();
        }
    }

    /** One millisecond before the end of the notice, in its last one, and after it. */
    @ParameterizedTest
    @CsvSource({"-1, true", "0, true", "1, false"})
    @Tag("T-3")
    void shouldNameADeletionUnderTheNoticeOfAnUndo(long ms, boolean isNamed) {
        // given an event that an undo has brought back
        Row row = world.event("e1", null, 0);
        long restoredMs = START + MAX_AGE_MS;
        world.audits.add(new Audit(
                "u-1-0",
                STREAM,
                "",
                null,
                -1L,
                "",
                "u-1",
                List.of("e1"),
                row.size(),
                START,
                START,
                restoredMs,
                "RESTORE"));

        // when
        world.sweep(MAX_AGE_MS + Allowance.NOTICE_MS + ms, "MAX_AGE", SCOPE, 0, row);

        // then
        assertThat(world.judge().differences().toString().contains("under the notice of an undo"))
                .isEqualTo(isNamed);
    }

    @Test
    @Tag("I-5")
    void shouldNameAnAuditRecordThatDoesNotAddUp() {
        // given
        Row row = world.event("e1", null, 0);
        world.sweep(MAX_AGE_MS + 1, "MAX_AGE", SCOPE, 0, row);
        Audit audit = world.audits.remove(0);
        world.audits.add(new Audit(
                audit.auditId(),
                STREAM,
                audit.cause(),
                SCOPE,
                0L,
                audit.sweepId(),
                "",
                audit.ids(),
                audit.bytes() + 1,
                START,
                START,
                audit.atMs(),
                "DELETE"));

        // then
        assertThat(world.judge().differences()).singleElement().asString().contains("they were " + audit.bytes());
    }

    /** A change that waits is overtaken by others (O-20), so what comes into force later may leave the version as it is. */
    @Test
    @Tag("O-20")
    void shouldTakeTheAnchorOfTheMomentThatAllowsTheDeleteIfSeveralHaveItsVersion() {
        // given two changes of the scope behind a newer one of another scope
        world.acceptLate("namespace:other", 9, null);
        world.acceptLate(SCOPE, 2, maxAge("stored"));
        world.acceptLate(SCOPE, 3, maxAge("occurred"));
        Row row = world.store(occurred("e1", null, 10, 1), START + 10);
        String sweepId = sweep(10_011);
        world.reports.put(sweepId, new World.Report(START + 10_011, 9, false));
        Reason reason = new Reason("MAX_AGE", SCOPE, 2, sweepId, "");

        // when
        world.delete(row, 10_011, reason);
        world.audit(reason, START + 10_011, Row::storedAt, row);

        // then
        assertThat(world.judge().differences()).isEmpty();
    }

    private static GenericRecord maxAge(String anchor) {
        return new GenericRecordBuilder(Schemas.of("RetentionPolicy"))
                .set("scope", SCOPE)
                .set("maxAge", "10s")
                .set("anchor", anchor)
                .build();
    }

    @Test
    @Tag("O-3")
    void shouldNameADeletionByAVersionThatWasNotInForce() {
        // given
        Row row = world.event("e1", null, 0);
        world.policy(SCOPE, "maxAge", "unlimited");
        world.sweep(MAX_AGE_MS + 1, "MAX_AGE", SCOPE, 0, row);

        // then
        assertThat(world.judge().differences()).anyMatch(line -> line.contains("says so") && line.contains("e1"));
    }

    /** Most decisions go by the newest policies, so a reason of older ones would hide the cause. */
    @Test
    @Tag("I-1")
    void shouldNameTheReasonOfTheNewestMomentThatADecisionMayHaveGoneBy() {
        // given: a delete that is too early by the former policies, and held by the newest ones
        Row row = world.event("e1", null, 0);
        world.hold("LIT", "stream:" + STREAM);
        world.sweep(MAX_AGE_MS, "MAX_AGE", SCOPE, 0, row);
        world.reports.clear();

        // then
        assertNamed("e1", "held by [hold:LIT] at");
    }

    @Test
    @Tag("M-11")
    void shouldNameAPolicyThatCannotBeMeantAndARejectedOneThatWasChanged() {
        // given
        world.policy("namespace:b", "maxAge", "-1s");
        world.declared.put(7L, new World.Declared(Content.of("*".getBytes(UTF_8)), Content.of(new byte[] {1})));
        world.rejected.add(new Rejected(
                Content.of("*".getBytes(UTF_8)), Content.of(new byte[] {2}), "BAD_POLICY", "ebb.policies", 0, 7));

        // then
        assertThat(world.judge().differences())
                .hasSize(2)
                .anyMatch(line -> line.contains("namespace:b"))
                .anyMatch(line -> line.contains("policies@7"));
    }

    @Test
    @Tag("M-2")
    void shouldNameAnUpdateThatWasLost() {
        // given
        world.event("e1", "running", 0);
        world.input(SmallWorld.update("e1", "unread"), START + 5);

        // then
        assertNamed("e1", "changed nothing although the event is there");
    }

    /** In the first millisecond in which it may. */
    private void sweepAtAge(Row row) {
        world.sweep(row.storedAt() - START + MAX_AGE_MS + 1, "MAX_AGE", SCOPE, 0, row);
    }

    private void assertNamed(String id, String... words) {
        assertThat(world.judge().differences())
                .anySatisfy(line -> assertThat(line).contains(id).contains(words));
    }
}
