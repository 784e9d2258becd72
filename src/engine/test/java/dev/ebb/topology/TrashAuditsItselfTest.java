package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.topology.CommandFixture.delete;
import static dev.ebb.topology.CommandFixture.deleteForced;
import static dev.ebb.topology.CommandFixture.dryRun;
import static dev.ebb.topology.CommandFixture.execution;
import static dev.ebb.topology.CommandFixture.purge;
import static dev.ebb.topology.CommandFixture.request;
import static dev.ebb.topology.CommandFixture.undo;
import static dev.ebb.topology.TopologyFixture.T0;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.Outcome.Undone;
import dev.ebb.domain.command.StreamFilter;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.ExecutionUpdate;
import dev.ebb.domain.event.ExecutionUsage;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.undo.NotReturned;
import dev.ebb.domain.undo.TrashSum;
import dev.ebb.domain.undo.UndoFilter;
import dev.ebb.store.StoreCheck;
import dev.ebb.topology.trash.TrashKey;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The trash compares what it holds with what it has promised, and keeps what an undo needs (T-16). */
@Tag("T-16")
class TrashAuditsItselfTest {

    private static final long HOUR_MS = Duration.ofHours(1).toMillis();
    private static final String STREAM = "orders/1";
    private static final StreamName NAME = new StreamName(STREAM);

    private final TopologyFixture fixture = TopologyFixture.inMemory();

    @AfterEach
    void close() {
        fixture.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 6})
    @DisplayName("MissingTrashIsNamed")
    void missingTrashIsNamed(int lost) {
        // given two commands, and records of the first one that are lost
        for (int i = 0; i < 6; i++) {
            fixture.event(event(STREAM, "e" + i));
            fixture.event(event("orders/2", "e" + i));
        }
        deleted("c-1", STREAM);
        deleted("c-2", "orders/2");
        fixture.trash.subList(0, lost).clear();

        // when
        CommandResult counted = fixture.carryOut(dryRun("d-1", undo("c-1")));
        CommandResult first = fixture.carryOut(request("u-1", undo("c-1")));
        CommandResult again = fixture.carryOut(request("u-2", undo("c-1")));
        CommandResult other = fixture.carryOut(request("u-3", undo("c-2")));

        // then
        Map<NotReturned, Long> missing = lost == 0 ? Map.of() : Map.of(NotReturned.MISSING, (long) lost);
        assertThat(List.of(outcome(counted), outcome(first))).allSatisfy(outcome -> {
            assertThat(outcome.events()).isEqualTo(6 - lost);
            assertThat(outcome.notReturned()).isEqualTo(missing);
        });
        assertThat(outcome(again).events()).isZero();
        assertThat(outcome(again).notReturned()).isEqualTo(missing);
        assertThat(outcome(other).events()).isEqualTo(6);
        assertThat(outcome(other).notReturned()).isEmpty();
    }

    /** An execution without events has a record of its own, and is as lost as an event without its own. */
    @Test
    @DisplayName("MissingTrashIsNamed, of executions without events")
    void shouldNameLostExecutionsThatNoEventHasCarriedAlong() {
        // given an execution with an event, and two without
        run("a", 1_000L, 2_000L);
        fixture.execution(execution(STREAM, 2, "completed"));
        fixture.execution(execution(STREAM, 3, "completed"));
        fixture.carryOut(request("c-1", deleteForced(STREAM)));
        fixture.emptyOut();
        fixture.trash.removeIf(record -> TrashKey.decode(record.key()).kind() == TrashKey.Kind.EXECUTION);

        // when
        CommandResult counted = fixture.carryOut(dryRun("d-1", undo("c-1")));
        CommandResult first = fixture.carryOut(request("u-1", undo("c-1")));
        CommandResult again = fixture.carryOut(request("u-2", undo("c-1")));

        // then
        assertThat(List.of(outcome(counted), outcome(first), outcome(again)))
                .allSatisfy(outcome -> assertThat(outcome.notReturned()).isEqualTo(Map.of(NotReturned.MISSING, 2L)));
        assertThat(outcome(first).events()).isEqualTo(1);
        assertThat(outcome(first).executions()).isEqualTo(1);
        assertThat(executions())
                .extracting(usage -> usage.execution().number())
                .contains(1L)
                .doesNotContain(2L, 3L);
    }

    /** The topic was deleted and made again: that is no trash without such a delete. */
    @Test
    @DisplayName("MissingTrashIsNamed, of a policy, after a restart")
    void shouldNameWhatAPolicyHasDeletedAndATopicMadeAgainHasNot() {
        // given
        for (int i = 0; i < 5; i++) {
            fixture.event(event(STREAM, "e" + i));
        }
        fixture.policy(RetentionPolicy.of(Scope.namespace("orders"))
                .maxCount(Limit.of(2))
                .build());
        long version = fixture.policies().version();
        fixture.settle();
        fixture.trash.clear();
        fixture.restart();
        fixture.hold("INC-1", Scope.ALL);

        // when
        CommandResult byPolicy = fixture.carryOut(request(
                "u-1", undoOf(new UndoFilter(null, null, "namespace:orders", version, null, null, null, null))));
        CommandResult byTime = fixture.carryOut(
                request("u-2", undoOf(new UndoFilter(null, null, null, null, 31_536_000_000L, null, null, NAME))));
        CommandResult elsewhere = fixture.carryOut(
                request("u-3", undoOf(new UndoFilter(null, null, null, null, 31_536_000_000L, null, "other", null))));

        // then
        assertThat(List.of(outcome(byPolicy), outcome(byTime)))
                .allSatisfy(outcome -> assertThat(outcome.notReturned()).isEqualTo(Map.of(NotReturned.MISSING, 3L)));
        assertThat(outcome(elsewhere).notReturned()).isEmpty();
    }

    /** Nobody has to undo anything to learn that it could not be undone. */
    @Test
    void shouldNoticeInIdleTimeThatRecordsAreGone() {
        // given
        for (int i = 0; i < 6; i++) {
            fixture.event(event(STREAM, "e" + i));
            fixture.event(event("orders/2", "e" + i));
        }
        deleted("c-1", STREAM);
        deleted("c-2", "orders/2");

        // when nothing is gone
        hours(3);

        // then
        assertThat(missing()).isEqualTo(Map.of("c-1", 0L, "c-2", 0L));
        assertThat(fixture.trashed.audits).isEqualTo(3);
        assertThat(fixture.trashed.wholeAudits).isZero();

        // when the first records are gone
        fixture.trash.subList(0, 4).clear();
        hours(3);

        // then all is read twice, and not again
        assertThat(missing()).isEqualTo(Map.of("c-1", 4L, "c-2", 0L));
        assertThat(fixture.trashed.audits).isEqualTo(7);
        assertThat(fixture.trashed.wholeAudits).isEqualTo(2);

        // when the topic is made again
        fixture.trash.clear();
        hours(2);

        // then
        assertThat(missing()).isEqualTo(Map.of("c-1", 6L, "c-2", 6L));

        // when the task starts again
        fixture.restart();
        fixture.settle();

        // then
        assertThat(missing()).isEqualTo(Map.of("c-1", 6L, "c-2", 6L));

        // when nothing is promised any more
        hours(26);

        // then
        int audits = fixture.trashed.audits;
        hours(5);
        assertThat(missing()).isEmpty();
        assertThat(fixture.trashed.audits).isEqualTo(audits);
    }

    /** All tasks of an instance may begin at once, and each of them would read all of its trash. */
    @Test
    void shouldNotReadAllAgainAfterARestart() {
        // given
        fixture.event(event(STREAM, "e"));
        deleted("c-1", STREAM);
        hours(2);

        // when
        fixture.restart();
        hours(2);

        // then
        assertThat(fixture.trashed.audits).isEqualTo(4);
        assertThat(fixture.trashed.wholeAudits).isZero();
    }

    @Test
    void shouldWaitForItsTurnToRead() {
        // given an audit of another partition
        fixture.event(event(STREAM, "e"));
        deleted("c-1", STREAM);
        fixture.trashed.isAuditing = true;
        hours(1);
        assertThat(fixture.trashed.audits).isZero();

        // when it has ended
        fixture.trashed.isAuditing = false;
        fixture.advance(2000);

        // then
        assertThat(fixture.trashed.audits).isEqualTo(1);
    }

    /** What an undo has taken out is promised no more, and compaction may have removed it before all is read. */
    @Test
    void shouldNotMissWhatIsTakenOutBetweenPromiseAndReading() {
        // given a promise
        fixture.event(event(STREAM, "a"));
        fixture.event(event("orders/2", "b"));
        fixture.carryOut(request("c-1", purge(new StreamFilter(null, null, "orders", 10, false))));
        fixture.emptyOut();
        fixture.advance(1000);

        // when a part of it is taken out and compacted away, and then all is read
        fixture.carryOut(request("u-1", undoOf(new UndoFilter("c-1", null, null, null, null, null, null, NAME))));
        assertThat(fixture.ids(STREAM)).containsExactly("a");
        fixture.trash.removeIf(record -> TrashKey.decode(record.key()).stream().equals(NAME));
        hours(2);

        // then
        assertThat(fixture.trashed.wholeAudits).isPositive();
        assertThat(missing()).isEqualTo(Map.of("c-1", 0L));
    }

    /** Nobody notices missing records while audits fail. */
    @Test
    void shouldTellOfAnAuditThatFails() {
        // given
        fixture.event(event(STREAM, "a"));
        deleted("c-1", STREAM);
        fixture.trash.clear();
        fixture.trashed.problem = "away";

        // when
        hours(2);

        // then
        assertThat(fixture.observer.unread).isNotEmpty().containsOnly("away");
        assertThat(missing()).isEqualTo(Map.of("c-1", 0L));

        // when
        fixture.trashed.problem = null;
        hours(2);

        // then
        assertThat(missing()).isEqualTo(Map.of("c-1", 1L));
    }

    /** Records that are promised between two readings have been looked for once only. */
    @Test
    void shouldLookTwiceForRecordsThatAreNewInTheSecondReading() {
        // given a promise that is lost, and another one that is made before it is looked for
        fixture.event(event(STREAM, "a"));
        fixture.event(event("orders/2", "b"));
        deleted("c-1", STREAM);
        fixture.advance(1000);
        deleted("c-2", "orders/2");
        fixture.trash.clear();

        // when both readings have ended
        while (fixture.trashed.wholeAudits < 2) {
            fixture.advance(10_000);
        }
        fixture.advance(1000);

        // then
        assertThat(missing()).isEqualTo(Map.of("c-1", 1L, "c-2", 0L));

        // when
        hours(3);

        // then it is found in a third reading, and nothing is read again
        assertThat(missing()).isEqualTo(Map.of("c-1", 1L, "c-2", 1L));
        assertThat(fixture.trashed.wholeAudits).isEqualTo(3);
    }

    /** An undo may be wrong as well; then the next audit looks at all of it. */
    @Test
    void shouldFindAgainWhatAnUndoHasMissed() {
        // given records that one undo does not see
        for (int i = 0; i < 6; i++) {
            fixture.event(event(STREAM, "e" + i));
        }
        deleted("c-1", STREAM);
        hours(2);
        var unseen = List.copyOf(fixture.trash);
        fixture.trash.clear();
        fixture.carryOut(request("u-1", undo("c-1")));
        fixture.settle();
        assertThat(missing()).isEqualTo(Map.of("c-1", 6L));

        // when
        fixture.trash.addAll(0, unseen);
        hours(2);

        // then
        assertThat(missing()).isEqualTo(Map.of("c-1", 0L));
        assertThat(outcome(fixture.carryOut(request("u-2", undo("c-1")))).events())
                .isEqualTo(6);
    }

    /** An undo reads all of it, and sees holes in the middle as well. */
    @Test
    void shouldKnowFromAnUndoThatRecordsAreGone() {
        // given
        for (int i = 0; i < 6; i++) {
            fixture.event(event(STREAM, "e" + i));
        }
        deleted("c-1", STREAM);
        fixture.trash.subList(2, 4).clear();

        // when
        fixture.carryOut(request("u-1", undo("c-1")));
        fixture.settle();

        // then
        assertThat(missing()).isEqualTo(Map.of("c-1", 2L));
        assertThat(fixture.status().trash()).extracting(TrashSum::events).containsExactly(2L);
    }

    private void hours(int hours) {
        for (int i = 0; i < hours * 60; i++) {
            fixture.advance(61_000);
        }
    }

    private Map<String, Long> missing() {
        return fixture.status().trash().stream()
                .collect(Collectors.toMap(sum -> sum.reason().commandId(), TrashSum::missing));
    }

    /** Deletes that come while an undo waits to read are promised to later ones. */
    @Test
    void shouldMissNothingThatIsDeletedMeanwhile() {
        // given readers to whom the last transaction is not visible yet
        fixture.trashed.isLate = true;
        fixture.policy(RetentionPolicy.of(Scope.namespace("orders"))
                .maxCount(Limit.of(1))
                .build());

        fixture.event(event(STREAM, "first"));

        // when each new event takes the place of the last one while an undo counts
        fixture.send(dryRun("u-1", undoOf(new UndoFilter(null, null, null, null, 31_536_000_000L, null, null, null))));
        int events = 0;
        while (fixture.result("u-1") == null
                || !Objects.requireNonNull(fixture.result("u-1")).isFinal()) {
            fixture.event(event(STREAM, "e" + events++));
            fixture.advance(100);
        }

        // then
        assertThat(outcome(fixture.finish("u-1")).count(NotReturned.MISSING)).isZero();
        assertThat(fixture.trash).hasSize(events);
    }

    /** What one undo takes out is genuine for another, which cannot see its end yet. */
    @Test
    void shouldNotTakeForForgedWhatIsTakenOutInTheOpenTransaction() {
        // given
        fixture.trashed.isLate = true;
        for (int i = 0; i < 10; i++) {
            fixture.event(event(STREAM, "e" + i));
        }
        deleted("c-1", STREAM);
        fixture.settle();

        // when
        fixture.send(request("u-1", undo("c-1")));
        fixture.send(request("u-2", undo("c-1")));
        List<Undone> outcomes = List.of(outcome(fixture.finish("u-1")), outcome(fixture.finish("u-2")));

        // then
        assertThat(outcomes).allSatisfy(outcome -> assertThat(outcome.count(NotReturned.FORGED))
                .isZero());
        assertThat(outcomes.stream().mapToLong(Undone::events).sum()).isEqualTo(10);
        assertThat(fixture.observer.forged).isZero();
    }

    @Test
    @DisplayName("CompactedTrashKeepsExecutions")
    void compactedTrashKeepsExecutions() {
        // given two lives of one execution, of which the trash keeps the last record of each key
        run("a", 1_000L, 2_000L);
        deleted("c-1", STREAM);
        run("b", 3_000L, 4_000L);
        deleted("c-2", STREAM);
        compactTrash();

        // when
        CommandResult result = fixture.carryOut(request("u-1", undo("c-1")));

        // then
        assertThat(outcome(result).executions()).isEqualTo(1);
        assertThat(outcome(result).notReturned()).isEmpty();
        assertThat(fixture.ids(STREAM)).containsExactly("a");
        assertThat(usage(1).execution().isTerminal()).isTrue();
        assertThat(usage(1).execution().startedAt()).isEqualTo(T0 - 9_000);
        assertThat(usage(1).protectedEvents()).isZero();
        assertConsistent();
    }

    /** An execution that was never declared is open for ever: it must not stand in for a lost one. */
    @Test
    @DisplayName("CompactedTrashKeepsExecutions, or events carry them")
    void shouldBringBackAnEventWithItsExecutionWhoseRecordIsLost() {
        // given
        run("a", 1_000L, 2_000L);
        fixture.event(event(STREAM, "undeclared").execution(2));
        fixture.event(event(STREAM, "plain"));
        fixture.carryOut(request("c-1", deleteForced(STREAM)));
        fixture.emptyOut();
        fixture.trash.removeIf(record -> TrashKey.decode(record.key()).kind() == TrashKey.Kind.EXECUTION);

        // when
        CommandResult counted = fixture.carryOut(dryRun("d-1", undo("c-1")));
        CommandResult result = fixture.carryOut(request("u-1", undo("c-1")));

        // then
        assertThat(List.of(outcome(counted), outcome(result))).allSatisfy(outcome -> {
            assertThat(outcome.events()).isEqualTo(3);
            assertThat(outcome.executions()).isEqualTo(1);
            assertThat(outcome.notReturned()).isEmpty();
        });
        assertThat(outcome(fixture.carryOut(request("u-2", undo("c-1")))).notReturned())
                .isEmpty();
        assertThat(fixture.ids(STREAM)).containsExactlyInAnyOrder("a", "undeclared", "plain");
        assertThat(usage(1).execution().isTerminal()).isTrue();
        assertThat(usage(1).protectedEvents()).isZero();
        assertConsistent();
    }

    /** Nothing is missing in the trash, so what went within its window comes back, and is as it was with its execution. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Tag("T-12")
    void shouldBringBackAnEventWhoseExecutionALaterDeleteHasTaken(boolean isFinal) {
        // given an event that one command deletes, and the rest of its execution, which another one deletes
        run("a", 1_000L, 2_000L);
        run("b", 1_000L, 2_000L);
        fixture.carryOut(request("c-1", new Command.DeleteEvent(NAME, new EventId("a"), false)));
        if (isFinal) {
            fixture.policy(RetentionPolicy.of(Scope.namespace("orders"))
                    .set(PolicyField.UNDO, Limit.NONE)
                    .build());
        }
        deleted("c-2", STREAM);

        // when
        CommandResult result = fixture.carryOut(request("u-1", undo("c-1")));

        // then
        assertThat(outcome(result).events()).isEqualTo(1);
        assertThat(outcome(result).notReturned()).isEmpty();
        assertThat(outcome(result).executions()).isEqualTo(1);
        assertThat(fixture.ids(STREAM)).containsExactly("a");
        assertThat(usage(1).execution().isTerminal()).isTrue();
        assertThat(usage(1).protectedEvents()).isZero();

        // when the other delete is undone as well
        CommandResult rest = fixture.carryOut(request("u-2", undo("c-2")));

        // then its execution is there, and nothing is said to be missing
        assertThat(outcome(rest).events()).isEqualTo(isFinal ? 0 : 1);
        assertThat(outcome(rest).executions()).isZero();
        assertThat(outcome(rest).notReturned()).isEmpty();
        assertConsistent();
    }

    /** A sweep by an age that has proved itself keeps nothing in the trash, and takes an emptied execution along. */
    @Test
    @Tag("T-2")
    void shouldBringBackAnEventWhoseEmptiedExecutionAFinalSweepHasTaken() {
        // given
        deletedBeforeItsExecutionIsSwept();
        assertThat(executions()).extracting(usage -> usage.execution().number()).doesNotContain(1L);

        // when
        CommandResult counted = fixture.carryOut(dryRun("d-1", undo("c-1")));
        CommandResult result = fixture.carryOut(request("u-1", undo("c-1")));

        // then
        assertThat(List.of(outcome(counted), outcome(result))).allSatisfy(outcome -> {
            assertThat(outcome.events()).isEqualTo(1);
            assertThat(outcome.executions()).isEqualTo(1);
            assertThat(outcome.notReturned()).isEmpty();
        });
        assertThat(usage(1).execution().isTerminal()).isTrue();
        assertThat(usage(1).protectedEvents()).isZero();
        assertConsistent();
    }

    /** New events of an execution that is gone are work in progress until it is declared. */
    @Test
    @Tag("T-2")
    void shouldNotEndNewWorkWithTheExecutionOfAnEventThatComesBack() {
        // given
        deletedBeforeItsExecutionIsSwept();
        fixture.event(event(STREAM, "new").execution(1));

        // when
        CommandResult counted = fixture.carryOut(dryRun("d-1", undo("c-1")));
        CommandResult result = fixture.carryOut(request("u-1", undo("c-1")));

        // then
        assertThat(List.of(outcome(counted), outcome(result))).allSatisfy(outcome -> {
            assertThat(outcome.events()).isEqualTo(1);
            assertThat(outcome.executions()).isZero();
        });
        assertThat(usage(1).execution().isDeclared()).isFalse();
        assertThat(usage(1).protectedEvents()).isEqualTo(2);
        assertConsistent();
    }

    /** The newest form in the trash counts, whichever delete has left it. */
    @Test
    @Tag("T-2")
    void shouldBringBackAnEventWithTheFormThatALaterDeleteHasLeft() {
        // given
        fixture.execution(execution(STREAM, 1, "running"));
        fixture.event(event(STREAM, "a").execution(1));
        fixture.carryOut(request("c-1", new Command.DeleteEvent(NAME, new EventId("a"), true)));
        fixture.execution(execution(STREAM, 1, "completed"));
        deleted("c-2", STREAM);

        // when
        CommandResult result = fixture.carryOut(request("u-1", undo("c-1")));

        // then
        assertThat(outcome(result).events()).isEqualTo(1);
        assertThat(usage(1).execution().status()).isEqualTo("completed");
        assertThat(usage(1).protectedEvents()).isZero();
        assertConsistent();
    }

    @Test
    @DisplayName("UndoLiftsTheGrave")
    void undoLiftsTheGrave() {
        // given work that is deleted by mistake and comes back
        fixture.execution(execution(STREAM, 1, "running"));
        fixture.event(event(STREAM, "a").execution(1).status("running"));
        fixture.carryOut(request("c-1", deleteForced(STREAM)));
        fixture.emptyOut();
        long deletedMs = fixture.nowMs();
        fixture.carryOut(request("u-1", undo("c-1")));
        fixture.advance(HOUR_MS);

        // when what was produced before the delete comes late
        fixture.event(event(STREAM, "late").execution(1).build(), deletedMs - HOUR_MS);
        fixture.update(CommandFixture.update(STREAM, "a", "completed"), deletedMs - HOUR_MS);
        fixture.execution(execution(STREAM, 1, "completed"), deletedMs - HOUR_MS);
        fixture.settle();

        // then
        assertThat(fixture.ids(STREAM)).containsExactlyInAnyOrder("a", "late");
        assertThat(fixture.rejected).isEmpty();
        assertThat(usage(1).execution().isTerminal()).isTrue();
        assertThat(usage(1).protectedEvents()).isZero();
        assertThat(fixture.status().graves()).isZero();
        assertConsistent();
    }

    /** A search of minutes finds two ids that one fixed hash takes for the same. */
    @Test
    @DisplayName("CollidingIdsBothComeBack")
    void collidingIdsBothComeBack() {
        // given
        List<String> ids = List.of("b957246211645266", "3b6f828b0ad43ca6");
        ids.forEach(id -> fixture.event(event("uc/collide", id)));
        deleted("c-1", "uc/collide");

        // when
        CommandResult result = fixture.carryOut(request("u-1", undo("c-1")));

        // then
        assertThat(outcome(result).events()).isEqualTo(2);
        assertThat(outcome(result).notReturned()).isEmpty();
        assertThat(fixture.ids("uc/collide")).containsExactlyInAnyOrderElementsOf(ids);
    }

    /** Work of days stays as old as it was (O-6). */
    @Test
    @DisplayName("OpenSinceSurvivesUndo")
    @Tag("O-6")
    void openSinceSurvivesUndo() {
        // given open work of several kinds, and work that was taken up again
        fixture.execution(execution(STREAM, 0, "running"));
        fixture.advance(10);
        fixture.execution(execution(STREAM, 1, "running"));
        fixture.advance(10);
        fixture.event(event(STREAM, "a").execution(1));
        fixture.event(event(STREAM, "b").execution(2));
        fixture.advance(10);
        fixture.execution(execution(STREAM, 3, "completed"));
        fixture.advance(10);
        fixture.execution(execution(STREAM, 3, "running"));
        fixture.event(event(STREAM, "c").execution(3));
        Map<Long, Long> before = since();
        fixture.carryOut(request("c-1", deleteForced(STREAM)));
        fixture.emptyOut();
        fixture.advance(2 * HOUR_MS);

        // when
        fixture.carryOut(request("u-1", undo("c-1")));

        // then
        assertThat(before).containsOnlyKeys(0L, 1L, 2L, 3L);
        assertThat(since()).isEqualTo(before);
        assertConsistent();
    }

    private Map<Long, Long> since() {
        return executions().stream()
                .filter(usage -> usage.openSinceMs() != null)
                .collect(Collectors.toMap(
                        usage -> usage.execution().number(), usage -> Objects.requireNonNull(usage.openSinceMs())));
    }

    private List<ExecutionUsage> executions() {
        return fixture.reader().executions(NAME, Long.MAX_VALUE, 100);
    }

    private ExecutionUsage usage(long number) {
        return executions().stream()
                .filter(usage -> usage.execution().number() == number)
                .findFirst()
                .orElseThrow();
    }

    private void run(String id, long startedAt, long completedAt) {
        fixture.execution(
                new ExecutionUpdate(NAME, 1, "completed", null, T0 - 10_000 + startedAt, T0 - 10_000 + completedAt));
        fixture.event(event(STREAM, id).execution(1));
    }

    /** Event a of execution 1 goes by c-1; a sweep, which is final, takes the execution. */
    private void deletedBeforeItsExecutionIsSwept() {
        fixture.policy(RetentionPolicy.of(Scope.namespace("orders"))
                .maxAge(Limit.of(Duration.ofDays(30).toMillis()))
                .build());
        fixture.execution(execution(STREAM, 1, "completed"));
        fixture.event(
                event(STREAM, "a").execution(1).ttlSeconds(Duration.ofDays(365).toSeconds()));
        fixture.event(event(STREAM, "b").ttlSeconds(Duration.ofDays(365).toSeconds()));
        fixture.advance(Duration.ofDays(36).toMillis());
        fixture.carryOut(request("c-1", new Command.DeleteEvent(NAME, new EventId("a"), false)));
        fixture.settle();
    }

    private void deleted(String commandId, String stream) {
        fixture.carryOut(request(commandId, delete(stream)));
        fixture.emptyOut();
        fixture.advance(10);
    }

    private void compactTrash() {
        Map<Bytes, TestRecord<byte[], byte[]>> last = new LinkedHashMap<>();
        fixture.trash.forEach(record -> {
            last.remove(Bytes.wrap(record.key()));
            last.put(Bytes.wrap(record.key()), record);
        });
        fixture.trash.retainAll(last.values());
    }

    private static Command undoOf(UndoFilter filter) {
        return new Command.UndoDeletes(filter, null);
    }

    private static Undone outcome(CommandResult result) {
        return Objects.requireNonNull(Outcomes.undone(result), result::detail);
    }

    private void assertConsistent() {
        assertThat(StoreCheck.problems(
                        fixture.rawEvents().all(), fixture.rawUsage().all()))
                .isEmpty();
    }
}
