package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.topology.CommandFixture.child;
import static dev.ebb.topology.CommandFixture.counts;
import static dev.ebb.topology.CommandFixture.delete;
import static dev.ebb.topology.CommandFixture.deleteForced;
import static dev.ebb.topology.CommandFixture.execution;
import static dev.ebb.topology.CommandFixture.request;
import static dev.ebb.topology.CommandFixture.setTtl;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.CommandResult.State;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.store.StoreCheck;
import dev.ebb.store.layout.Range;
import java.util.OptionalLong;
import org.apache.kafka.common.utils.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Effects of {@code delete} on one stream, and all that it leaves alone. */
class DeleteScenarioTest {

    private static final String STREAM = "orders/1";

    private TopologyFixture fixture = TopologyFixture.inMemory();

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    @DisplayName("DeleteTerminalStream")
    @Tag("O-9")
    void deleteTerminalStream() {
        // given
        fixture.event(event(STREAM, "a"));
        fixture.event(event(STREAM, "b").status("completed").execution(1));
        fixture.execution(execution(STREAM, 1, "completed"));

        // when
        CommandResult result = fixture.carryOut(request("c-1", delete(STREAM)));

        // then
        assertThat(result.state()).isEqualTo(State.DONE);
        assertThat(counts(result)).isEqualTo("1 of 1 streams, 1 executions, 2 events, 0 protected, skipped {}");
        assertThat(result.outcome().deletions().bytesDeleted())
                .isEqualTo(2 * (64 + 8 + 1 + 1 + 1) + "completed".length());
        assertThat(fixture.reader().usage(new StreamName(STREAM))).isEmpty();
    }

    @Test
    @Tag("M-6")
    void shouldNameWhatIsOpenWhenItRefusesADelete() {
        // given
        fixture.event(event(STREAM, "a").status("running"));
        fixture.execution(execution("jobs/1", 7, "running"));
        for (int i = 1; i <= 5; i++) {
            fixture.execution(execution("jobs/5", i, i == 2 ? "completed" : "running"));
        }
        fixture.event(event("jobs/5", "a").status("pending"));
        fixture.event(event("jobs/5", "b").status("pending"));

        // then
        assertThat(fixture.carryOut(request("c-1", delete(STREAM))).detail())
                .isEqualTo("it is still open: 1 event is of a protected status");
        assertThat(fixture.carryOut(request("c-2", delete("jobs/1"))).detail())
                .isEqualTo("it is still open: execution 7 (running) is not terminal");
        assertThat(fixture.carryOut(request("c-3", delete("jobs/5"))).detail())
                .isEqualTo("it is still open: executions 1 (running), 3 (running), 4 (running) and 1 more are not"
                        + " terminal; 2 events are of a protected status");
    }

    @Test
    @DisplayName("DeleteRunningRefused")
    @Tag("M-6")
    void deleteRunningRefused() {
        // given
        fixture.event(event(STREAM, "a"));
        fixture.event(event(STREAM, "b").status("running"));
        fixture.execution(execution("jobs/1", 1, "running"));

        // when
        CommandResult byEvent = fixture.carryOut(request("c-1", delete(STREAM)));
        CommandResult byExecution = fixture.carryOut(request("c-2", delete("jobs/1")));

        // then
        assertRefused(byEvent, Refusal.STREAM_OPEN);
        assertRefused(byExecution, Refusal.STREAM_OPEN);
        assertThat(fixture.ids(STREAM)).containsExactly("a", "b");
        assertThat(fixture.audits).isEmpty();
    }

    @Test
    @DisplayName("DeleteRunningForced")
    @Tag("M-4")
    @Tag("O-9")
    void deleteRunningForced() {
        // given
        fixture.event(event(STREAM, "a"));
        fixture.event(event(STREAM, "b").status("running"));
        fixture.event(event(STREAM, "c").execution(1));

        // when
        CommandResult result = fixture.carryOut(request("c-1", deleteForced(STREAM)));

        // then
        assertThat(counts(result)).isEqualTo("1 of 1 streams, 1 executions, 3 events, 2 protected, skipped {}");
        assertThat(fixture.ids(STREAM)).isEmpty();
        assertNoTrace();
    }

    @Test
    @DisplayName("DeleteMissingNotFound")
    void deleteMissingNotFound() {
        // when
        CommandResult result = fixture.carryOut(request("c-1", delete(STREAM)));

        // then
        assertRefused(result, Refusal.NOT_FOUND);
        assertThat(result.detail()).contains(STREAM);
    }

    @Test
    @DisplayName("DeleteHasNoTrace")
    @Tag("I-3")
    @Tag("I-4")
    @Tag("I-5")
    @Tag("O-3")
    void deleteHasNoTrace() {
        // given
        fixture.event(event(STREAM, "plain"));
        fixture.event(event(STREAM, "timed").ttlSeconds(100));
        fixture.event(event(STREAM, "waiting").status("pending"));
        fixture.event(event(STREAM, "run").execution(3));
        fixture.execution(execution(STREAM, 0, "completed"));
        fixture.execution(execution(STREAM, 3, "running"));
        assertThat(fixture.executionRows).hasSize(2);

        // when
        fixture.carryOut(request("c-1", deleteForced(STREAM)));
        fixture.emptyOut();

        // then
        assertNoTrace();
        fixture.rawEvents().all().forEachRemaining(entry -> assertThat(entry.key.get()[0])
                .isEqualTo(Range.USAGE.code()));
        assertThat(fixture.status().namespaces().values())
                .allSatisfy(totals -> assertThat(totals.events()).isZero());
        assertThat(fixture.mirror).isEmpty();
        assertThat(fixture.executionRows).isEmpty();
        assertThat(fixture.audits).singleElement().satisfies(audit -> {
            assertThat(audit.eventIds()).containsExactlyInAnyOrder("plain", "timed", "waiting", "run");
            assertThat(audit.cause()).isEqualTo("DELETE");
            assertThat(audit.commandId()).isEqualTo("c-1");
            assertThat(audit.actor()).isEqualTo("anna");
            assertThat(audit.reason()).isEqualTo("clean-up");
        });
    }

    @Test
    @DisplayName("DeleteOneLeavesOthers")
    void deleteOneLeavesOthers() {
        // given
        fixture.event(event(STREAM, "a"));
        fixture.event(event("orders/10", "a"));
        fixture.event(event("orders", "a").ttlSeconds(100));

        // when
        fixture.carryOut(request("c-1", delete(STREAM)));
        fixture.emptyOut();

        // then
        assertThat(fixture.ids(STREAM)).isEmpty();
        assertThat(fixture.ids("orders/10")).containsExactly("a");
        assertThat(fixture.ids("orders")).containsExactly("a");
        assertThat(fixture.mirror).hasSize(2);
        assertConsistent();
    }

    @Test
    @DisplayName("DeleteChildOfOpenParentRefused")
    @Tag("M-6")
    @Tag("O-12")
    void deleteChildOfOpenParentRefused() {
        // given
        PartitionsFixture partitions = new PartitionsFixture(4);
        String grandparent = partitions.nameIn(2, "grandparent/");
        String parent = partitions.nameIn(1, "parent/");
        String stream = partitions.nameIn(3, "child/");
        partitions.execution(execution(grandparent, 1, "running"));
        partitions.execution(child(parent, grandparent, "completed"));
        partitions.execution(child(stream, parent, "completed"));

        // when
        CommandResult result = partitions.carryOut(request("c-1", delete(stream)));

        // then
        assertThat(partitions.results("c-1").get(0).detail())
                .isEqualTo("waits to hear whether an ancestor of " + stream + " is open");
        assertRefused(result, Refusal.PARENT_OPEN);
        assertThat(result.detail()).contains(grandparent);
        assertThat(partitions.has(stream)).isTrue();
    }

    @Test
    @DisplayName("DeleteChildOfOpenParentForced")
    @Tag("M-6")
    void deleteChildOfOpenParentForced() {
        // given
        fixture.execution(execution("parent", 1, "running"));
        fixture.execution(child(STREAM, "parent", "completed"));

        // when
        CommandResult result = fixture.carryOut(request("c-1", deleteForced(STREAM)));

        // then
        assertThat(result.state()).isEqualTo(State.DONE);
        assertThat(counts(result)).isEqualTo("1 of 1 streams, 1 executions, 0 events, 0 protected, skipped {}");
        assertThat(fixture.reader().usage(new StreamName("parent"))).isPresent();
    }

    @Test
    @DisplayName("DeleteChildOfClosedParentAllowed")
    @Tag("M-6")
    @Tag("O-12")
    void deleteChildOfClosedParentAllowed() {
        // given
        PartitionsFixture partitions = new PartitionsFixture(4);
        String parent = partitions.nameIn(1, "parent/");
        String stream = partitions.nameIn(3, "child/");
        partitions.execution(child(parent, partitions.nameIn(0, "nobody/"), "completed"));
        partitions.execution(child(stream, parent, "completed"));

        // when
        CommandResult result = partitions.carryOut(request("c-1", delete(stream)));

        // then
        assertThat(result.state()).isEqualTo(State.DONE);
        assertThat(partitions.streams()).containsExactly(parent);
    }

    @Test
    @DisplayName("DeleteParentThenClosedChild")
    @Tag("M-6")
    void deleteParentThenClosedChild() {
        // given
        fixture.execution(execution("parent", 1, "running"));
        fixture.execution(child(STREAM, "parent", "completed"));

        // when
        CommandResult ofParent = fixture.carryOut(request("c-1", deleteForced("parent")));
        CommandResult ofChild = fixture.carryOut(request("c-2", delete(STREAM)));

        // then
        assertThat(ofParent.state()).isEqualTo(State.DONE);
        assertThat(ofChild.state()).isEqualTo(State.DONE);
        fixture.emptyOut();
        assertNoTrace();
    }

    @Test
    @DisplayName("ParentCycleRefused")
    @Tag("M-6")
    @Tag("O-12")
    void parentCycleRefused() {
        // given
        PartitionsFixture partitions = new PartitionsFixture(4);
        String one = partitions.nameIn(1, "one/");
        String two = partitions.nameIn(2, "two/");
        String three = partitions.nameIn(3, "three/");
        partitions.execution(child(one, two, "completed"));
        partitions.execution(child(two, three, "completed"));
        partitions.execution(child(three, two, "completed"));
        partitions.execution(child("own", "own", "completed"));

        // when
        CommandResult intoCycle = partitions.carryOut(request("c-1", delete(one)));
        CommandResult inCycle = partitions.carryOut(request("c-2", delete(two)));
        CommandResult ownParent = partitions.carryOut(request("c-3", delete("own")));

        // then
        assertRefused(intoCycle, Refusal.PARENT_CYCLE);
        assertRefused(inCycle, Refusal.PARENT_CYCLE);
        assertRefused(ownParent, Refusal.PARENT_CYCLE);
        assertThat(partitions.has(one, two, three, "own")).isTrue();

        // when it is forced, which asks no parents: they could never be deleted otherwise
        CommandResult forced = partitions.carryOut(request("c-4", deleteForced(two)));

        // then
        assertThat(forced.state()).isEqualTo(State.DONE);
        assertThat(partitions.has(two)).isFalse();
    }

    @Test
    @Tag("O-12")
    void shouldRefuseMoreThanSixtyFourHops() {
        // given
        for (int i = 0; i < 66; i++) {
            fixture.execution(child("s/" + i, "s/" + (i + 1), "completed"));
        }

        // when
        CommandResult tooMany = fixture.carryOut(request("c-1", delete("s/0")));
        CommandResult asManyAsMayBe = fixture.carryOut(request("c-2", delete("s/2")));

        // then
        assertRefused(tooMany, Refusal.PARENT_CYCLE);
        assertThat(asManyAsMayBe.state()).isEqualTo(State.DONE);
    }

    @Test
    @DisplayName("DeleteForcedWhileUpdatesArrive")
    @Tag("O-10")
    @Tag("M-2")
    void deleteForcedWhileUpdatesArrive() {
        // given
        useBatchesOf(10);
        for (int i = 0; i < 100; i++) {
            fixture.event(event(STREAM, "e" + i).status("running"));
        }

        // when
        fixture.send(request("c-1", deleteForced(STREAM)));
        for (int i = 0; i < 100; i++) {
            fixture.status(STREAM, "e" + i, i % 2 == 0 ? "completed" : "processing");
            fixture.advance(10);
        }
        CommandResult result = fixture.finish("c-1");
        fixture.emptyOut();

        // then
        assertThat(result.outcome().deletions().eventsDeleted()).isEqualTo(100);
        assertThat(fixture.stored()).isEmpty();
        assertNoTrace();
    }

    @Test
    @DisplayName("DeletedNameStartsClean")
    @Tag("O-10")
    void deletedNameStartsClean() {
        // given
        useBatchesOf(10);
        manyEvents(100);
        fixture.execution(child(STREAM, "parent", "completed"));
        fixture.carryOut(request("c-1", delete(STREAM)));
        assertThat(fixture.hasRetired()).isTrue();

        // when
        fixture.event(event(STREAM, "e7").payloadBytes(3));

        // then
        assertThat(fixture.ids(STREAM)).containsExactly("e7");
        var usage = fixture.reader().usage(new StreamName(STREAM)).orElseThrow();
        assertThat(usage.events()).isEqualTo(1);
        fixture.emptyOut();
        assertThat(fixture.ids(STREAM)).containsExactly("e7");
        assertThat(fixture.mirror).hasSize(1);
        assertConsistent();
    }

    @Test
    @DisplayName("DeletedTwiceIsIdempotent")
    @Tag("O-11")
    void deletedTwiceIsIdempotent() {
        // given
        fixture.event(event(STREAM, "a"));

        // when
        CommandResult first = fixture.carryOut(request("c-1", delete(STREAM)));
        fixture.event(event(STREAM, "b"));
        fixture.restart();
        fixture.send(request("c-1", delete(STREAM)));
        fixture.settle();
        CommandResult again = fixture.result("c-1");

        // then
        assertThat(again).isEqualTo(first);
        assertThat(fixture.ids(STREAM)).containsExactly("b");

        // when
        CommandResult other = fixture.carryOut(request("c-2", delete("orders/2")));

        // then
        assertRefused(other, Refusal.NOT_FOUND);
    }

    @Test
    @DisplayName("LateUpdateAfterDeleteChangesNothing")
    @Tag("M-2")
    @Tag("O-10")
    void lateUpdateAfterDeleteChangesNothing() {
        // given
        fixture.event(event(STREAM, "a").status("running"));
        fixture.carryOut(request("c-1", deleteForced(STREAM)));

        // when
        fixture.status(STREAM, "a", "completed");
        fixture.event(event(STREAM, "b"));
        fixture.status(STREAM, "a", "running");
        fixture.emptyOut();

        // then
        assertThat(fixture.observer.orphaned).isEqualTo(2);
        assertThat(fixture.ids(STREAM)).containsExactly("b");
        assertConsistent();
    }

    @Test
    @DisplayName("LateEventAfterDeleteStartsCleanStream")
    @Tag("O-10")
    void lateEventAfterDeleteStartsCleanStream() {
        // given
        fixture.event(event(STREAM, "a").execution(4));
        fixture.execution(execution(STREAM, 4, "completed"));
        fixture.carryOut(request("c-1", delete(STREAM)));

        // when
        fixture.event(event(STREAM, "a"));

        // then
        assertThat(fixture.stored()).singleElement().satisfies(stored -> {
            // Behind the places of the events before (T-2).
            assertThat(stored.seq()).isPositive();
            assertThat(stored.event().execution()).isZero();
        });
        CommandResult again = fixture.carryOut(request("c-2", delete(STREAM)));
        assertThat(counts(again)).isEqualTo("1 of 1 streams, 0 executions, 1 events, 0 protected, skipped {}");
    }

    @Test
    @Tag("O-10")
    void shouldLeaveTheRowOfAnExecutionThatTheSuccessorHasDeclared() {
        // given
        useBatchesOf(10);
        manyEvents(50);
        fixture.execution(execution(STREAM, 0, "completed"));
        fixture.execution(execution(STREAM, 1, "completed"));
        fixture.execution(execution(STREAM, 2, "completed"));
        fixture.carryOut(request("c-1", delete(STREAM)));

        // when
        fixture.execution(execution(STREAM, 0, "running"));
        fixture.execution(execution(STREAM, 2, "running"));
        fixture.emptyOut();

        // then
        assertThat(fixture.executionRows.keySet()).containsExactlyInAnyOrder(executionKey(0), executionKey(2));
    }

    @Test
    @DisplayName("UpdateOfDeletedEventAnswers404")
    @Tag("M-2")
    void updateOfDeletedEventAnswers404() {
        // given
        fixture.event(event(STREAM, "a"));
        fixture.event(event("orders/2", "a"));
        fixture.event(event("orders/2", "b"));
        fixture.carryOut(request("c-1", delete(STREAM)));
        fixture.carryOut(request("c-2", CommandFixture.deleteEvent("orders/2", "a", false)));

        // when
        CommandResult ofStream = fixture.carryOut(request("c-3", setTtl(STREAM, "a", 1000)));
        CommandResult ofEvent = fixture.carryOut(request("c-4", setTtl("orders/2", "a", 1000)));

        // then
        assertRefused(ofStream, Refusal.NOT_FOUND);
        assertRefused(ofEvent, Refusal.NOT_FOUND);
        assertThat(fixture.reader().find(new StreamName(STREAM), new EventId("a")))
                .isEmpty();
        assertThat(fixture.reader().find(new StreamName("orders/2"), new EventId("a")))
                .isEmpty();
    }

    @Test
    @DisplayName("EmptyingSurvivesKillAndSparesTheSuccessor")
    @Tag("O-10")
    @Tag("I-7")
    void emptyingSurvivesKillAndSparesTheSuccessor() {
        // given
        useBatchesOf(10);
        manyEvents(100);
        for (int i = 0; i < 30; i++) {
            fixture.event(event(STREAM, "p" + i).status("running"));
            fixture.event(event(STREAM, "t" + i).ttlSeconds(100));
        }
        fixture.carryOut(request("c-1", deleteForced(STREAM)));
        fixture.event(event(STREAM, "e1"));
        fixture.event(event(STREAM, "p1").status("running"));

        // when
        int restarts = 0;
        while (fixture.hasRetired()) {
            fixture.restart();
            fixture.advance(1000);
            restarts++;
            assertThat(restarts).isLessThan(100);
        }

        // then
        assertThat(fixture.ids(STREAM)).containsExactlyInAnyOrder("e1", "p1");
        assertThat(fixture.mirror).hasSize(2);
        assertThat(fixture.audits.stream()
                        .mapToLong(audit -> audit.eventIds().size())
                        .sum())
                .isEqualTo(160);
        assertThat(fixture.audits).extracting(AuditRecord::auditId).doesNotHaveDuplicates();
        assertThat(tombstones()).isEqualTo(160);
        assertConsistent();
    }

    @Test
    @DisplayName("ForceDoesNotBeatHold")
    @Tag("M-18")
    void forceDoesNotBeatHold() {
        // given
        fixture.event(event(STREAM, "a"));
        fixture.hold("LIT-1", Scope.stream(STREAM));
        fixture.hold("LIT-2", Scope.namespace("orders"));

        // when
        CommandResult forced = fixture.carryOut(request("c-1", deleteForced(STREAM)));
        fixture.release("LIT-1");
        CommandResult stillHeld = fixture.carryOut(request("c-2", deleteForced(STREAM)));
        fixture.release("LIT-2");
        CommandResult released = fixture.carryOut(request("c-3", delete(STREAM)));

        // then
        assertRefused(forced, Refusal.HELD);
        assertThat(forced.detail()).contains("LIT-1", "LIT-2");
        assertRefused(stillHeld, Refusal.HELD);
        assertThat(released.state()).isEqualTo(State.DONE);
    }

    @Test
    @DisplayName("HoldAcknowledgedAlwaysWins")
    @Tag("M-18")
    void holdAcknowledgedAlwaysWins() {
        // given
        fixture.event(event(STREAM, "a"));
        fixture.send(request("c-1", deleteForced(STREAM)));

        // when
        fixture.hold("LIT-1", Scope.ALL);
        fixture.restart();
        CommandResult result = fixture.finish("c-1");

        // then
        assertRefused(result, Refusal.HELD);
        assertThat(fixture.ids(STREAM)).containsExactly("a");
    }

    private void useBatchesOf(int deletes) {
        fixture.close();
        fixture = TopologyFixture.inMemory(TopologyFixture.settings(OptionalLong.of(1), deletes));
    }

    private void manyEvents(int count) {
        for (int i = 0; i < count; i++) {
            fixture.event(event(STREAM, "e" + i));
        }
    }

    private Bytes executionKey(long number) {
        return Bytes.wrap(fixture.rows.executionKey(new StreamName(STREAM), number));
    }

    private long tombstones() {
        return fixture.mirrorLog.stream()
                .filter(record -> record.value() == null)
                .count();
    }

    private static void assertRefused(CommandResult result, Refusal refusal) {
        assertThat(result.state()).isEqualTo(State.REFUSED);
        assertThat(result.refusal()).isEqualTo(refusal);
        assertThat(result.outcome().deletions().eventsDeleted()).isZero();
        assertThat(result.outcome().deletions().streamsDeleted()).isZero();
        assertThat(result.outcome().deletions().streamsSkipped()).containsOnlyKeys(refusal);
    }

    private void assertNoTrace() {
        fixture.emptyOut();
        assertThat(fixture.reader().streams(null, "", null, 10)).isEmpty();
        assertThat(fixture.mirror).isEmpty();
        assertThat(StoreCheck.hasPending(fixture.rawUsage().all())).isFalse();
        assertConsistent();
    }

    private void assertConsistent() {
        assertThat(StoreCheck.problems(
                        fixture.rawEvents().all(), fixture.rawUsage().all()))
                .isEmpty();
    }
}
