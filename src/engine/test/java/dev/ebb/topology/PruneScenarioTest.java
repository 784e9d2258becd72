package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.topology.CommandFixture.atMost;
import static dev.ebb.topology.CommandFixture.counts;
import static dev.ebb.topology.CommandFixture.dryRun;
import static dev.ebb.topology.CommandFixture.execution;
import static dev.ebb.topology.CommandFixture.named;
import static dev.ebb.topology.CommandFixture.namespace;
import static dev.ebb.topology.CommandFixture.prune;
import static dev.ebb.topology.CommandFixture.pruneBulk;
import static dev.ebb.topology.CommandFixture.request;
import static dev.ebb.topology.TopologyFixture.T0;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.CommandResult.State;
import dev.ebb.domain.command.PruneCondition;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.command.StreamFilter;
import dev.ebb.domain.policy.Scope;
import dev.ebb.store.StoreCheck;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Events that {@code prune} takes of a stream that lives on, one or many. */
class PruneScenarioTest {

    private static final String STREAM = "orders/1";
    private static final String NOTHING = "0 of 1 streams, 0 executions, 0 events, 0 protected, skipped {}";

    private TopologyFixture fixture = TopologyFixture.inMemory();

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    @Tag("O-9")
    void shouldDeleteNoMoreThanItHasCountedAlthoughEventsKeepComing() {
        // given
        fixture.close();
        fixture = TopologyFixture.inMemory(TopologyFixture.settings(OptionalLong.of(1), 10));
        for (int i = 0; i < 90; i++) {
            fixture.event(event("s", "e" + i));
        }
        fixture.send(atMost(95, "c-1", prune("s", 0L, null)));
        fixture.advance(1000);

        // when
        for (int i = 0; i < 200; i++) {
            fixture.advance(10);
            fixture.event(event("s", "new" + i));
        }

        // then
        assertThat(fixture.finish("c-1").outcome().deletions().eventsDeleted()).isEqualTo(90);
        assertThat(fixture.ids("s")).hasSize(200);
    }

    @Test
    @DisplayName("PruneKeepLast")
    void pruneKeepLast() {
        // given
        executions(STREAM, 5);

        // when
        CommandResult result = prunes(2L, null);

        // then
        assertThat(counts(result)).isEqualTo("0 of 1 streams, 3 executions, 3 events, 0 protected, skipped {}");
        assertThat(fixture.ids(STREAM)).containsExactly("e4", "e5");
        assertThat(fixture.executionRows).hasSize(2);
        assertThat(fixture.audits).isNotEmpty().allSatisfy(audit -> assertThat(audit.cause())
                .isEqualTo("PRUNE"));
        assertConsistent();
    }

    @Test
    @DisplayName("PruneCompletedBefore")
    void pruneCompletedBefore() {
        // given
        executions(STREAM, 5);

        // when
        CommandResult result = prunes(null, T0 + 3);

        // then
        assertThat(counts(result)).isEqualTo("0 of 1 streams, 2 executions, 2 events, 0 protected, skipped {}");
        assertThat(fixture.ids(STREAM)).containsExactly("e3", "e4", "e5");
    }

    @Test
    @DisplayName("PruneBothJoinsWithAnd")
    void pruneBothJoinsWithAnd() {
        // given
        executions(STREAM, 5);
        executions("orders/2", 5);

        // when
        prunes(4L, T0 + 4);
        fixture.carryOut(request("c-2", prune("orders/2", 1L, T0 + 3)));

        // then
        assertThat(fixture.ids(STREAM)).containsExactly("e2", "e3", "e4", "e5");
        assertThat(fixture.ids("orders/2")).containsExactly("e3", "e4", "e5");
    }

    @Test
    @DisplayName("PruneNeverCurrent")
    @Tag("M-5")
    void pruneNeverCurrent() {
        // given
        executions(STREAM, 1);

        // when
        CommandResult result = prunes(0L, T0 + 100);

        // then
        assertThat(counts(result)).isEqualTo(NOTHING);
        assertThat(fixture.ids(STREAM)).containsExactly("e1");
    }

    @Test
    @DisplayName("PruneNeverRunning")
    @Tag("M-5")
    void pruneNeverRunning() {
        // given
        executions(STREAM, 5);
        fixture.execution(execution(STREAM, 2, "running"));
        fixture.event(event(STREAM, "waiting").status("pending").execution(3));

        // when
        CommandResult result = prunes(1L, null);

        // then
        assertThat(counts(result)).isEqualTo("0 of 1 streams, 2 executions, 2 events, 0 protected, skipped {}");
        assertThat(fixture.ids(STREAM)).containsExactlyInAnyOrder("e2", "e3", "waiting", "e5");
        assertConsistent();
    }

    @Test
    @DisplayName("PruneKeepLastLargerThanStreamDeletesNothing")
    void pruneKeepLastLargerThanStreamDeletesNothing() {
        // given
        executions(STREAM, 3);

        // when
        CommandResult justAsMany = prunes(3L, null);
        CommandResult more = fixture.carryOut(request("c-2", prune(STREAM, Long.MAX_VALUE, null)));

        // then
        assertThat(counts(justAsMany)).isEqualTo(NOTHING);
        assertThat(counts(more)).isEqualTo(NOTHING);
    }

    @Test
    @DisplayName("PruneKeepLastZeroStillKeepsCurrent")
    void pruneKeepLastZeroStillKeepsCurrent() {
        // given
        executions(STREAM, 3);

        // when
        prunes(0L, null);

        // then
        assertThat(fixture.ids(STREAM)).containsExactly("e3");
    }

    @Test
    @DisplayName("PruneWithoutConditionDeletesNothing")
    void pruneWithoutConditionDeletesNothing() {
        // given
        executions(STREAM, 3);
        fixture.event(event("orders/2", "a"));

        // when
        CommandResult ofExecutions = prunes(null, null);
        CommandResult ofEvents = fixture.carryOut(request("c-2", prune("orders/2", null, null)));

        // then
        assertThat(counts(ofExecutions)).isEqualTo(NOTHING);
        assertThat(counts(ofEvents)).isEqualTo(NOTHING);
    }

    @Test
    @DisplayName("PruneStreamWithoutExecutions")
    @Tag("M-14")
    void pruneStreamWithoutExecutions() {
        // given
        for (int i = 1; i <= 6; i++) {
            fixture.event(event(STREAM, "e" + i).completedAt(T0 + 10 - i).ttlSeconds(i % 2 == 0 ? 1000 : 2000));
        }
        fixture.event(event(STREAM, "plain").completedAt(T0));
        fixture.event(event(STREAM, "waiting").status("pending"));

        // when
        CommandResult byCount = prunes(3L, null);

        // then
        assertThat(counts(byCount)).isEqualTo("0 of 1 streams, 0 executions, 4 events, 0 protected, skipped {}");
        assertThat(fixture.ids(STREAM)).containsExactlyInAnyOrder("e5", "e6", "plain", "waiting");

        // when
        CommandResult byTime = fixture.carryOut(request("c-2", prune(STREAM, 1L, T0 + 5)));

        // then
        assertThat(counts(byTime)).isEqualTo("0 of 1 streams, 0 executions, 1 events, 0 protected, skipped {}");
        assertThat(fixture.ids(STREAM)).containsExactlyInAnyOrder("e5", "plain", "waiting");
        assertConsistent();
    }

    @Test
    void shouldForgetAStreamOfWhichPruneLeavesNothing() {
        // given
        fixture.event(event(STREAM, "a"));
        fixture.event(event(STREAM, "b"));

        // when
        CommandResult result = prunes(0L, null);
        fixture.event(event(STREAM, "c"));
        fixture.settle();

        // then
        assertThat(result.outcome().deletions().eventsDeleted()).isEqualTo(2);
        assertThat(fixture.ids(STREAM)).containsExactly("c");
        assertConsistent();
    }

    @Test
    void shouldTellTheCompletionOfTheImplicitExecutionFromItsEvents() {
        // given
        fixture.event(event(STREAM, "implicit").completedAt(T0 + 1));
        executions(STREAM, 5);

        // when
        prunes(null, T0 + 3);

        // then
        assertThat(fixture.ids(STREAM)).containsExactly("e3", "e4", "e5");
    }

    @Test
    @DisplayName("PruneBulkByFilter")
    void pruneBulkByFilter() {
        // given
        executions("a/1", 3);
        executions("a/2", 3);
        executions("b/1", 3);

        // when
        CommandResult ofNamespace = fixture.carryOut(request("c-1", pruneBulk(namespace("a"), 1L, null)));
        CommandResult byName = fixture.carryOut(request("c-2", pruneBulk(named("b/1", "b/2"), 2L, null)));

        // then
        assertThat(counts(ofNamespace)).isEqualTo("0 of 2 streams, 4 executions, 4 events, 0 protected, skipped {}");
        assertThat(counts(byName)).isEqualTo("0 of 1 streams, 1 executions, 1 events, 0 protected, skipped {}");
        assertThat(fixture.ids("a/1")).containsExactly("e3");
        assertThat(fixture.ids("b/1")).containsExactly("e2", "e3");
    }

    @Test
    @DisplayName("PruneBulkSkipsOpen")
    @Tag("M-6")
    @Tag("M-18")
    void pruneBulkSkipsOpen() {
        // given
        executions("a/1", 3);
        fixture.execution(execution("a/1", 3, "running"));
        executions("a/2", 3);
        executions("a/3", 3);
        fixture.hold("LIT-1", Scope.stream("a/3"));

        // when
        CommandResult result = fixture.carryOut(request("c-1", pruneBulk(namespace("a"), 1L, null)));

        // then
        assertThat(counts(result))
                .isEqualTo("0 of 3 streams, 2 executions, 2 events, 0 protected, skipped {STREAM_OPEN=1, HELD=1}");
        assertThat(fixture.ids("a/1")).hasSize(3);

        // when
        Command withOpen = new Command.PruneStreams(namespace("a"), new PruneCondition(1L, null), true);
        CommandResult opened = fixture.carryOut(request("c-2", withOpen));

        // then
        assertThat(counts(opened)).isEqualTo("0 of 3 streams, 2 executions, 2 events, 0 protected, skipped {HELD=1}");
        assertThat(fixture.ids("a/1")).containsExactly("e3");
        assertThat(fixture.ids("a/3")).hasSize(3);
    }

    @Test
    @DisplayName("PruneBulkRespectsLimit")
    void pruneBulkRespectsLimit() {
        // given
        for (int i = 0; i < 5; i++) {
            fixture.execution(execution("s/" + i, 1, "completed", T0 - i));
            fixture.execution(execution("s/" + i, 2, "completed", T0 - i));
        }

        // when
        StreamFilter three = new StreamFilter(null, null, "s", 3, false);
        CommandResult result = fixture.carryOut(request("c-1", pruneBulk(three, 1L, null)));

        // then
        assertThat(counts(result)).isEqualTo("0 of 3 streams, 3 executions, 0 events, 0 protected, skipped {}");
        assertThat(fixture.executionRows).hasSize(7);
    }

    @Test
    @DisplayName("PruneBulkByTime")
    void pruneBulkByTime() {
        // given
        executions("a/old", 3);
        executions("a/new", 4);

        // when
        StreamFilter old = new StreamFilter(null, T0 + 4, "a", 10, false);
        CommandResult byStream = fixture.carryOut(request("c-1", pruneBulk(old, 1L, null)));

        // then
        assertThat(counts(byStream)).isEqualTo("0 of 1 streams, 2 executions, 2 events, 0 protected, skipped {}");
        assertThat(fixture.ids("a/new")).hasSize(4);

        // when
        CommandResult byPart = fixture.carryOut(request("c-2", pruneBulk(namespace("a"), null, T0 + 3)));

        // then
        assertThat(counts(byPart)).isEqualTo("0 of 2 streams, 2 executions, 2 events, 0 protected, skipped {}");
        assertThat(fixture.ids("a/new")).containsExactly("e3", "e4");
    }

    @Test
    @DisplayName("PruneMissingStreamReturnsZero")
    void pruneMissingStreamReturnsZero() {
        // when
        CommandResult result = prunes(1L, null);

        // then
        assertThat(result.state()).isEqualTo(State.DONE);
        assertThat(counts(result)).isEqualTo("0 of 0 streams, 0 executions, 0 events, 0 protected, skipped {}");
    }

    @Test
    @Tag("M-18")
    void shouldRefuseToPruneWhatIsHeld() {
        // given
        executions(STREAM, 3);
        fixture.hold("LIT-1", Scope.ALL);

        // when
        CommandResult result = prunes(1L, null);

        // then
        assertThat(result.refusal()).isEqualTo(Refusal.HELD);
        assertThat(result.detail()).contains("LIT-1");
        assertThat(fixture.ids(STREAM)).hasSize(3);
    }

    @Test
    @DisplayName("PruneLongChain")
    @Tag("O-11")
    void pruneLongChain() {
        // given
        useBatchesOf(100);
        executions(STREAM, 3000);

        // when
        fixture.send(request("c-1", prune(STREAM, 10L, null)));
        while (fixture.result("c-1") == null) {
            int before = fixture.mirrorLog.size();
            fixture.advance(10);
            assertThat(fixture.mirrorLog.size() - before).isLessThanOrEqualTo(200);
        }

        // then
        assertThat(counts(fixture.result("c-1")))
                .isEqualTo("0 of 1 streams, 2990 executions, 2990 events, 0 protected, skipped {}");
        assertThat(fixture.stored()).hasSize(10);
        assertThat(fixture.executionRows).hasSize(10);
        assertConsistent();
    }

    @Test
    @Tag("O-11")
    @Tag("I-7")
    void shouldFinishOnceOverKills() {
        // given
        useBatchesOf(10);
        executions(STREAM, 100);
        for (int i = 0; i < 100; i++) {
            fixture.event(event("plain", "e" + i).completedAt(T0 + i).ttlSeconds(i % 2 == 0 ? 1000 : 2000));
        }

        // when
        fixture.send(request("c-1", prune(STREAM, 10L, null)));
        fixture.send(atMost(60, "c-2", prune("plain", 40L, null)));
        for (int i = 0; i < 100; i++) {
            fixture.restart();
            fixture.advance(1000);
        }

        // then
        assertThat(counts(fixture.finish("c-1")))
                .isEqualTo("0 of 1 streams, 90 executions, 90 events, 0 protected, skipped {}");
        assertThat(counts(fixture.finish("c-2")))
                .isEqualTo("0 of 1 streams, 0 executions, 60 events, 0 protected, skipped {}");
        assertThat(fixture.ids("plain")).hasSize(40).contains("e60", "e99");
        assertThat(fixture.results.stream().filter(CommandResult::isFinal)).hasSize(2);
        assertThat(fixture.audits.stream()
                        .mapToLong(audit -> audit.eventIds().size())
                        .sum())
                .isEqualTo(150);
        assertConsistent();
    }

    @Test
    @Tag("M-18")
    void shouldCountWhatHadGoneBeforeAHoldCame() {
        // given
        useBatchesOf(10);
        executions("a/1", 50);
        executions("a/2", 50);

        // when
        fixture.send(request("c-1", pruneBulk(named("a/1", "a/2"), 1L, null)));
        for (int i = 0; i < 1000 && fixture.ids("a/1").size() == 50; i++) {
            fixture.advance(10);
        }
        fixture.hold("LIT-1", Scope.stream("a/1"));
        CommandResult result = fixture.finish("c-1");

        // then
        int left = fixture.ids("a/1").size();
        assertThat(left).isGreaterThan(1).isLessThan(50);
        assertThat(fixture.ids("a/2")).hasSize(1);
        assertThat(result.state()).isEqualTo(State.DONE);
        assertThat(result.outcome().deletions().eventsDeleted()).isEqualTo(50 - left + 49);
        assertConsistent();
    }

    @Test
    @DisplayName("CompletedBeforeExactToTheMillisecond")
    @Tag("M-13")
    void completedBeforeExactToTheMillisecond() {
        // given
        fixture.execution(execution(STREAM, 1, "completed", T0 - 1));
        fixture.execution(execution(STREAM, 2, "completed", T0));
        fixture.execution(execution(STREAM, 3, "completed", T0 + 1));
        fixture.execution(execution(STREAM, 4, "completed", T0 - 5));
        for (int i = -1; i <= 1; i++) {
            fixture.event(event("plain", "e" + i).completedAt(T0 + i));
        }

        // when
        CommandResult ofExecutions = prunes(null, T0);
        CommandResult ofEvents = fixture.carryOut(request("c-2", prune("plain", null, T0)));

        // then
        assertThat(ofExecutions.outcome().deletions().executionsDeleted()).isEqualTo(1);
        assertThat(ofEvents.outcome().deletions().eventsDeleted()).isEqualTo(1);
        assertThat(fixture.ids("plain")).containsExactly("e0", "e1");
    }

    @Test
    @DisplayName("PruneWhileExecutionStarts")
    @Tag("M-5")
    void pruneWhileExecutionStarts() {
        // given
        useBatchesOf(10);
        executions(STREAM, 50);
        fixture.send(request("c-1", prune(STREAM, 5L, null)));
        fixture.advance(1000);
        assertThat(fixture.result("c-1")).isNull();

        // when
        fixture.execution(execution(STREAM, 51, "running"));
        fixture.event(event(STREAM, "e51").execution(51));
        fixture.execution(execution(STREAM, 40, "running"));
        CommandResult result = fixture.finish("c-1");

        // then
        assertThat(result.outcome().deletions().executionsDeleted()).isEqualTo(44);
        assertThat(fixture.ids(STREAM)).containsExactly("e40", "e46", "e47", "e48", "e49", "e50", "e51");
        assertConsistent();
    }

    @Test
    @DisplayName("PruneCountsEventsOfPrunedExecutions")
    @Tag("O-9")
    void pruneCountsEventsOfPrunedExecutions() {
        // given
        executions(STREAM, 3);
        fixture.event(event(STREAM, "f1").execution(1).payloadBytes(10));
        fixture.event(event(STREAM, "f2").execution(2).ttlSeconds(500));
        fixture.event(event("orders/2", "a"));
        long before = bytes();

        // when
        CommandResult dry = fixture.carryOut(dryRun("c-1", prune(STREAM, 1L, null)));
        assertThat(bytes()).isEqualTo(before);
        CommandResult real = fixture.carryOut(request("c-2", prune(STREAM, 1L, null)));

        // then
        assertThat(counts(real)).isEqualTo("0 of 1 streams, 2 executions, 4 events, 0 protected, skipped {}");
        assertThat(real.outcome().deletions().bytesDeleted()).isEqualTo(before - bytes());
        assertThat(dry.outcome().deletions()).isEqualTo(real.outcome().deletions());
    }

    @Test
    void shouldDeleteNothingIfItWouldBeMoreThanItMay() {
        // given
        executions(STREAM, 4);

        // when
        CommandResult refused = fixture.carryOut(atMost(2, "c-1", prune(STREAM, 1L, null)));
        CommandResult dry = fixture.carryOut(dryRunOfAtMost(2, "d-1"));
        CommandResult allowedDry = fixture.carryOut(dryRunOfAtMost(3, "d-2"));

        // then
        assertThat(refused.refusal()).isEqualTo(Refusal.TOO_MANY);
        assertThat(dry.refusal()).isEqualTo(Refusal.TOO_MANY);
        assertThat(allowedDry.refusal()).isNull();
        assertThat(allowedDry.outcome().deletions().eventsDeleted()).isEqualTo(3);
        assertThat(fixture.ids(STREAM)).hasSize(4);

        // when
        CommandResult allowed = fixture.carryOut(atMost(3, "c-2", prune(STREAM, 1L, null)));

        // then
        assertThat(allowed.outcome().deletions().eventsDeleted()).isEqualTo(3);
    }

    @Test
    @Tag("O-9")
    void shouldSayInADryRunOfManyWhatTheRunDoes() {
        // given
        executions("a/1", 4);
        for (int i = 0; i < 5; i++) {
            fixture.event(event("a/2", "e" + i).completedAt(T0 + i));
        }
        fixture.event(event("a/3", "x").status("pending"));

        // when
        Command bulk = pruneBulk(namespace("a"), 2L, null);
        CommandResult dry = fixture.carryOut(dryRun("c-1", bulk));
        CommandResult real = fixture.carryOut(request("c-2", bulk));

        // then
        assertThat(counts(real))
                .isEqualTo("0 of 3 streams, 2 executions, 5 events, 0 protected, skipped {STREAM_OPEN=1}");
        assertThat(dry.outcome().deletions()).isEqualTo(real.outcome().deletions());
    }

    private CommandResult prunes(@Nullable Long keepLast, @Nullable Long completedBeforeMs) {
        return fixture.carryOut(request("c-1", prune(STREAM, keepLast, completedBeforeMs)));
    }

    /** Each with one event, completed one millisecond after the other. */
    private void executions(String stream, int count) {
        for (long number = 1; number <= count; number++) {
            fixture.event(event(stream, "e" + number).execution(number));
            fixture.execution(execution(stream, number, "completed", T0 + number));
        }
    }

    private void useBatchesOf(int deletes) {
        fixture.close();
        fixture = TopologyFixture.inMemory(TopologyFixture.settings(OptionalLong.of(1), deletes));
    }

    private long bytes() {
        return fixture.reader().streams(null, "", null, 10).stream()
                .mapToLong(usage -> usage.bytes())
                .sum();
    }

    private void assertConsistent() {
        assertThat(StoreCheck.problems(
                        fixture.rawEvents().all(), fixture.rawUsage().all()))
                .isEmpty();
    }

    private static CommandRequest dryRunOfAtMost(long maxDeletes, String commandId) {
        return new CommandRequest(commandId, "anna", "ticket", true, maxDeletes, prune(STREAM, 1L, null));
    }
}
