package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.topology.CommandFixture.delete;
import static dev.ebb.topology.CommandFixture.dryRun;
import static dev.ebb.topology.CommandFixture.execution;
import static dev.ebb.topology.CommandFixture.purge;
import static dev.ebb.topology.CommandFixture.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.CommandResult.State;
import dev.ebb.domain.command.Outcome;
import dev.ebb.domain.command.Outcome.Undone;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.undo.Notice;
import dev.ebb.domain.undo.UndoFilter;
import dev.ebb.store.StoreCheck;
import dev.ebb.topology.parts.TopologySettings;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What an undo brings back stands under a notice that neither sweep nor cap nor reader breaks (T-3). */
@Tag("T-3")
class WhatCameBackStaysUnderNoticeTest {

    private static final long HOUR_MS = Duration.ofHours(1).toMillis();
    private static final long NOTICE_MS = TopologySettings.UNDO_NOTICE.toMillis();
    private static final String STREAM = "orders/1";

    private final TopologyFixture fixture = TopologyFixture.inMemory();

    @AfterEach
    void close() {
        fixture.close();
    }

    /** One event of many is due at once, another one soon: all come back, and nothing is refused. */
    @Test
    void shouldBringBackAllWhateverIsDue() {
        // given
        fixture.event(event(STREAM, "short").ttlSeconds(120));
        fixture.event(event(STREAM, "old"));
        fixture.policy(
                RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(5 * HOUR_MS)).build());
        fixture.advance(60_000);
        fixture.carryOut(request("c-1", purge(CommandFixture.all(10))));
        fixture.emptyOut();
        fixture.advance(2 * HOUR_MS);

        // when
        CommandResult dry = fixture.carryOut(dryRun("u-0", undo()));
        CommandResult result = fixture.carryOut(request("u-1", undo()));

        // then it says what is due again, and when
        assertThat(result.state()).as(result.detail()).isEqualTo(State.DONE);
        assertThat(outcome(result).events()).isEqualTo(2);
        assertThat(outcome(result).extent()).isEqualTo(Outcome.Extent.ALL);
        Notice notice = Objects.requireNonNull(outcome(result).notice());
        assertThat(notice.dueThen()).isEqualTo(1);
        assertThat(notice.until().toEpochMilli())
                .isBetween(fixture.nowMs() + NOTICE_MS - 5000, fixture.nowMs() + NOTICE_MS);
        assertThat(notice.firstDueAt()).isEqualTo(notice.until());
        assertThat(Objects.requireNonNull(outcome(dry).notice()).dueThen()).isEqualTo(1);
        assertStays("short", "old");
    }

    @Test
    void shouldKeepFromCapsToo() {
        // given
        for (int i = 0; i < 5; i++) {
            fixture.event(event(STREAM, "e" + i));
        }
        fixture.carryOut(request("c-1", delete(STREAM)));
        fixture.emptyOut();
        fixture.policy(RetentionPolicy.of(Scope.ALL).maxCount(Limit.of(2)).build());

        // when
        Undone outcome = outcome(fixture.carryOut(request("u-1", undo())));

        // then
        assertThat(outcome.events()).isEqualTo(5);
        assertThat(Objects.requireNonNull(outcome.notice()).dueThen()).isEqualTo(3);
        assertStays("e0", "e1", "e2", "e3", "e4");
    }

    /** A sweep by hand is a sweep; what is planned for one is left out of it. */
    @Test
    void shouldKeepFromASweepByHand() {
        // given
        deleteAndUndo(true);

        // when
        CommandResult sweep = fixture.carryOut(request("s-1", new Command.SweepNow(Scope.ALL, null)));

        // then
        assertThat(sweep.outcome().deletions().eventsDeleted()).isZero();
        assertStays("a", "b");
    }

    /** The notice lies with the stream in the changelog, from which the next owner of the partition restores. */
    @Test
    void shouldKeepTheNoticeOverARestart() {
        // given
        deleteAndUndo(true);

        // when
        fixture.restart();
        fixture.settleFor(5);

        // then
        assertStays("a", "b");
        fixture.restart();
        fixture.advance(NOTICE_MS);
        fixture.settle();
        assertThat(fixture.stored()).isEmpty();
    }

    /** A policy that comes under the notice waits for its end as well. */
    @Test
    void shouldKeepFromAPolicyThatComesLater() {
        // given
        deleteAndUndo(false);

        // when
        fixture.policy(RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(1)).build());
        fixture.settleFor(5);

        // then
        assertStays("a", "b");
    }

    /** An execution that comes back without events would be forgotten for its age. */
    @Test
    void shouldKeepAnExecutionWithoutEvents() {
        // given
        fixture.execution(execution(STREAM, 1, "completed"));
        fixture.event(event(STREAM, "a").execution(2));
        fixture.execution(execution(STREAM, 2, "completed"));
        fixture.carryOut(request("c-1", delete(STREAM)));
        fixture.emptyOut();
        fixture.policy(RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(1)).build());
        fixture.settle();

        // when
        Undone outcome = outcome(fixture.carryOut(request("u-1", undo())));
        fixture.settleFor(5);

        // then
        assertThat(outcome.executions()).isEqualTo(2);
        assertThat(fixture.executionRows).hasSize(2);
    }

    @Test
    void shouldLeaveItToExplicitCommands() {
        // given
        deleteAndUndo(true);

        // when
        CommandResult deleted = fixture.carryOut(request("c-2", delete(STREAM)));

        // then
        assertThat(deleted.outcome().deletions().eventsDeleted()).isEqualTo(2);
        assertThat(fixture.stored()).isEmpty();

        // when the name is used again, the notice is not
        fixture.event(event(STREAM, "a"));
        fixture.settle();

        // then
        assertThat(fixture.stored()).isEmpty();
    }

    /** The notice covers the streams to which something came back, and no others. */
    @Test
    void shouldCoverNoOtherStream() {
        // given
        fixture.event(event("orders/2", "other"));
        fixture.event(event(STREAM, "a"));
        fixture.carryOut(request("c-1", delete(STREAM)));
        fixture.emptyOut();

        // when
        Undone outcome = outcome(fixture.carryOut(request("u-1", undo())));
        fixture.policy(RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(1)).build());
        fixture.settle();

        // then
        assertThat(outcome.streamNames()).containsExactly(STREAM);
        assertThat(fixture.ids("orders/2")).isEmpty();
        assertThat(fixture.ids(STREAM)).containsExactly("a");
        assertThat(Objects.requireNonNull(fixture.reader()
                        .usage(new StreamName(STREAM))
                        .orElseThrow()
                        .noticeUntilMs()))
                .isEqualTo(Objects.requireNonNull(outcome.notice()).until().toEpochMilli());
    }

    /** Two events, gone by a command and back, of which a policy would take both. */
    private void deleteAndUndo(boolean isDue) {
        fixture.event(event(STREAM, "a"));
        fixture.event(event(STREAM, "b"));
        fixture.carryOut(request("c-1", delete(STREAM)));
        fixture.emptyOut();
        if (isDue) {
            fixture.policy(RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(1)).build());
        }
        assertThat(outcome(fixture.carryOut(request("u-1", undo()))).events()).isEqualTo(2);
    }

    private void assertStays(String... ids) {
        fixture.settleFor(5);
        assertThat(fixture.ids(STREAM)).containsExactly(ids);
        assertThat(fixture.visibleIds(STREAM)).containsExactly(ids);
        assertThat(StoreCheck.problems(
                        fixture.rawEvents().all(), fixture.rawUsage().all()))
                .isEmpty();
    }

    private static Command undo() {
        return new Command.UndoDeletes(new UndoFilter("c-1", null, null, null, null, null, null, null), null);
    }

    private static Undone outcome(CommandResult result) {
        return Objects.requireNonNull(Outcomes.undone(result), result::detail);
    }
}
