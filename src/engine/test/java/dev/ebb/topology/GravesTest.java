package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.topology.CommandFixture.all;
import static dev.ebb.topology.CommandFixture.child;
import static dev.ebb.topology.CommandFixture.counts;
import static dev.ebb.topology.CommandFixture.delete;
import static dev.ebb.topology.CommandFixture.deleteEvent;
import static dev.ebb.topology.CommandFixture.deleteForced;
import static dev.ebb.topology.CommandFixture.dryRun;
import static dev.ebb.topology.CommandFixture.execution;
import static dev.ebb.topology.CommandFixture.purge;
import static dev.ebb.topology.CommandFixture.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.CommandResult.State;
import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.EventUpdate;
import dev.ebb.domain.event.ExecutionUpdate;
import dev.ebb.domain.event.RejectReason;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.event.Wait;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.store.StoreCheck;
import dev.ebb.topology.observe.RetentionObserver.LateRecord;
import dev.ebb.topology.parts.TopologySettings;
import dev.ebb.topology.wire.EbbHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Records produced before a command deleted their stream bring nothing back (O-10). */
@Tag("O-10")
class GravesTest {

    private static final String STREAM = "turns/1";
    private static final StreamName NAME = new StreamName(STREAM);
    private static final long HOUR_MS = Duration.ofHours(1).toMillis();

    private TopologyFixture fixture = TopologyFixture.inMemory();

    @AfterEach
    void close() {
        fixture.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"completed", "running"})
    @DisplayName("LateExecutionUpdateAfterDeleteChangesNothing")
    @Tag("M-5")
    void lateExecutionUpdateAfterDeleteChangesNothing(String status) {
        // given
        fixture.execution(execution(STREAM, 3, "running"));
        fixture.event(event(STREAM, "a").execution(3));
        long deletedMs = deleted(deleteForced(STREAM));

        // when
        fixture.execution(execution(STREAM, 3, status), deletedMs - 1);
        fixture.execution(execution(STREAM, 0, status), deletedMs - 1);
        fixture.execution(child(STREAM, "parent", status), deletedMs - 1);
        fixture.settle();

        // then
        assertNothingIsLeft();
        assertThat(fixture.observer.late).containsOnly(LateRecord.EXECUTION).hasSize(3);
        assertThat(fixture.rejected).isEmpty();
    }

    /** The worker goes on, and tells of its turn as it happens: what it produced before the delete may come at any time. */
    @ParameterizedTest
    @ValueSource(longs = {0, 1000, 3_600_000, 24 * 3_600_000 - 1000})
    @DisplayName("ZombieTurnAfterForcedDelete")
    @Tag("M-4")
    void zombieTurnAfterForcedDelete(long waitMs) {
        // given
        fixture.execution(execution(STREAM, 1, "running"));
        fixture.event(event(STREAM, "a").execution(1).status("processing"));
        fixture.event(event(STREAM, "b").execution(1).status("processing"));
        long deletedMs = deleted(deleteForced(STREAM));
        fixture.advance(waitMs);

        // when
        fixture.event(event(STREAM, "c").execution(1).status("processing").build(), deletedMs - 30);
        fixture.update(update("a", "completed"), deletedMs - 20);
        fixture.update(update("b", "failed"), deletedMs - 10);
        fixture.execution(execution(STREAM, 1, "completed"), deletedMs - 1);
        fixture.settle();

        // then
        assertNothingIsLeft();
        assertThat(fixture.observer.late)
                .containsExactly(LateRecord.EVENT, LateRecord.UPDATE, LateRecord.UPDATE, LateRecord.EXECUTION);
        assertThat(fixture.observer.orphaned).isEqualTo(2);
    }

    /**
     * A worker that was at its turn when the stream was deleted ends it later, and knows nothing of the delete: the end
     * waits for events, and goes with the grave.
     */
    @ParameterizedTest
    @CsvSource({"0, , true", "1, , true", "1, -1, true", "1, 0, false", "1, 1, false"})
    @DisplayName("ZombieTurnEndsAfterForcedDelete")
    void zombieTurnEndsAfterForcedDelete(long execution, Long startedAfterMs, boolean isZombie) {
        // given
        fixture.execution(execution(STREAM, 1, "running"));
        long deletedMs = deleted(deleteForced(STREAM));
        fixture.advance(1000);

        // when
        Long startedAt = startedAfterMs == null ? null : (Long) (deletedMs + startedAfterMs);
        fixture.execution(new ExecutionUpdate(NAME, execution, "completed", null, startedAt, null), fixture.nowMs());
        fixture.settle();

        // then
        assertThat(fixture.reader().usage(NAME).isEmpty()).isEqualTo(isZombie);
        assertThat(fixture.observer.late).isEmpty();

        // when
        fixture.advance(Duration.ofHours(24).toMillis());
        fixture.settle();

        // then
        assertThat(fixture.observer.late).hasSize(isZombie ? 1 : 0);
        assertThat(StoreCheck.waitingEnds(fixture.rawUsage().all())).isEmpty();
    }

    /** A turn of the new stream that its events have made known is ended, and one that it knows nothing of is not. */
    @Test
    void shouldEndATurnThatTheNewStreamKnows() {
        // given
        fixture.execution(execution(STREAM, 1, "running"));
        fixture.execution(execution(STREAM, 2, "running"));
        deleted(deleteForced(STREAM));
        fixture.advance(1000);
        fixture.event(event(STREAM, "a").execution(2));

        // when
        fixture.execution(execution(STREAM, 1, "completed"));
        fixture.execution(execution(STREAM, 2, "completed"));
        fixture.settle();

        // then
        assertThat(fixture.reader().context(NAME).orElseThrow().executions())
                .filteredOn(known -> known.isDeclared())
                .extracting(known -> known.number())
                .containsExactly(2L);
        assertThat(StoreCheck.waitingEnds(fixture.rawUsage().all())).containsExactly(Map.entry(STREAM, Set.of(1L)));
    }

    /** In any order and at any millisecond, only records produced from the delete on are there afterwards. */
    @ParameterizedTest
    @CsvSource({
        "completed, true, -1",
        "completed, true, 0",
        "completed, true, 1",
        "completed, false, -1",
        "completed, false, 0",
        "completed, false, 1",
        "running, true, -1",
        "running, true, 0",
        "running, true, 1",
        "running, false, -1",
        "running, false, 0",
        "running, false, 1"
    })
    @DisplayName("ForcedDeleteRacesTurnCompletion")
    void forcedDeleteRacesTurnCompletion(String status, boolean isDeletedFirst, long millis) {
        // given
        fixture.execution(execution(STREAM, 1, "running"));
        fixture.event(event(STREAM, "a").execution(1));
        fixture.advance(100);
        long turnMs = fixture.nowMs() + 1000;

        // when
        fixture.send(request("c-1", deleteForced(STREAM)));
        if (!isDeletedFirst) {
            fixture.execution(execution(STREAM, 1, status), turnMs + millis);
        }
        CommandResult result = fixture.finish("c-1");
        assertThat(result.updatedAt().toEpochMilli()).isEqualTo(turnMs);
        if (isDeletedFirst) {
            fixture.execution(execution(STREAM, 1, status), turnMs + millis);
        }
        fixture.emptyOut();

        // then
        assertThat(result.state()).isEqualTo(State.DONE);
        boolean isZombie = status.equals("completed");
        if (isDeletedFirst && millis >= 0 && !isZombie) {
            assertThat(fixture.executionRows).hasSize(1);
            assertThat(fixture.reader().usage(NAME).orElseThrow().events()).isZero();
        } else {
            assertNothingIsLeft();
        }
        assertThat(fixture.observer.late).hasSize(isDeletedFirst && millis < 0 ? 1 : 0);
    }

    @Test
    @DisplayName("RecordProducedAfterDeleteStartsCleanStream")
    @Tag("I-3")
    @Tag("I-4")
    void recordProducedAfterDeleteStartsCleanStream() {
        // given
        fixture.execution(child(STREAM, "parent", "running"));
        fixture.execution(execution(STREAM, 7, "completed"));
        fixture.event(event(STREAM, "a").execution(7));
        fixture.event(event(STREAM, "b").status("pending"));
        fixture.event(event(STREAM, "c").ttlSeconds(100));
        long deletedMs = deleted(deleteForced(STREAM));

        // when
        fixture.event(event(STREAM, "a").payloadBytes(3).build(), deletedMs);
        fixture.execution(new ExecutionUpdate(NAME, 2, "completed", null, deletedMs, null), deletedMs + 1);
        fixture.event(event(STREAM, "late").build(), deletedMs - 1);
        fixture.update(update("a", "running"), deletedMs - 1);
        fixture.execution(execution(STREAM, 2, "running"), deletedMs - 1);
        fixture.emptyOut();

        // then
        assertThat(fixture.stored()).singleElement().satisfies(stored -> {
            assertThat(stored.event().id().value()).isEqualTo("a");
            assertThat(stored.event().status()).isNull();
            // Behind the places of the three events of the stream before.
            assertThat(stored.seq()).isEqualTo(3);
        });
        assertThat(fixture.reader().usage(NAME).orElseThrow()).satisfies(usage -> {
            assertThat(usage.events()).isEqualTo(1);
            assertThat(usage.protectedEvents()).isZero();
        });
        assertThat(fixture.mirror).hasSize(1);
        assertThat(fixture.executionRows).hasSize(1);
        var context = fixture.reader().context(NAME).orElseThrow();
        assertThat(context.parent()).isNull();
        assertThat(context.isOpen()).isFalse();
        assertThat(context.executions())
                .extracting(execution -> execution.number())
                .containsExactly(0L, 2L);
        assertConsistent();

        // when it is deleted as well, the later delete counts
        fixture.advance(5000);
        CommandResult again = fixture.carryOut(request("c-2", delete(STREAM)));
        fixture.event(event(STREAM, "d").build(), again.updatedAt().toEpochMilli() - 1);
        fixture.emptyOut();

        // then
        assertThat(counts(again)).isEqualTo("1 of 1 streams, 1 executions, 1 events, 0 protected, skipped {}");
        assertNothingIsLeft();
        assertThat(fixture.status().graves()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"-1, true", "0, true", "1, false"})
    @DisplayName("GraveEndsExactly")
    @Tag("M-13")
    void graveEndsExactly(long millis, boolean stands) {
        // given
        use(Duration.ofHours(1));
        fixture.event(event(STREAM, "a").status("running"));
        fixture.event(event("turns/other", "a"));
        long deletedMs = deleted(deleteForced(STREAM));
        fixture.advance(deletedMs + HOUR_MS + millis - fixture.nowMs());

        // when
        fixture.execution(execution(STREAM, 1, "completed"), deletedMs - 1);
        fixture.event(event("turns/other", "b").build(), deletedMs - 1);

        // then
        assertThat(fixture.reader().usage(NAME).isEmpty()).isEqualTo(stands);
        assertThat(fixture.observer.late).hasSize(stands ? 1 : 0);
        assertThat(fixture.ids("turns/other")).containsExactly("a", "b");

        // when the task looks again
        fixture.advance(1000);
        fixture.advance(1000);

        // then
        assertThat(fixture.status().graves()).isZero();
        assertThat(StoreCheck.graves(fixture.rawUsage().all())).isEmpty();
    }

    /** The task has no other work, and no record asks about the grave. */
    @Test
    void shouldForgetAGraveThatNobodyAsksAbout() {
        // given
        use(Duration.ofHours(1));
        fixture.event(event(STREAM, "a"));
        long deletedMs = deleted(delete(STREAM));
        fixture.settle();
        assertThat(fixture.status().graves()).isEqualTo(1);

        // when
        fixture.advance(deletedMs + HOUR_MS - fixture.nowMs());
        assertThat(fixture.status().graves()).isEqualTo(1);
        fixture.advance(1000);

        // then
        assertThat(fixture.status().graves()).isZero();
        assertThat(StoreCheck.graves(fixture.rawUsage().all())).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Tag("I-7")
    void shouldRememberGravesWhenTheTaskStartsAnew(boolean isUsedAgain) {
        // given
        fixture.event(event(STREAM, "a"));
        long deletedMs = deleted(delete(STREAM));
        if (isUsedAgain) {
            fixture.event(event(STREAM, "b"));
        }

        // when
        fixture.restart();
        fixture.settle();
        fixture.event(event(STREAM, "c").build(), deletedMs - 1);
        fixture.execution(execution(STREAM, 1, "running"), deletedMs - 1);

        // then
        assertThat(fixture.ids(STREAM)).isEqualTo(isUsedAgain ? List.of("b") : List.of());
        assertThat(fixture.executionRows).isEmpty();
        assertThat(fixture.observer.late).containsExactly(LateRecord.EVENT, LateRecord.EXECUTION);
    }

    @Test
    void shouldDigAGraveForEachStreamOfAPurge() {
        // given
        List<String> names = List.of("turns/1", "turns/2", "turns/3");
        names.forEach(name -> fixture.event(event(name, "a")));
        deleted(purge(all(1000)));
        Map<String, Long> graves = StoreCheck.graves(fixture.rawUsage().all());
        assertThat(graves).containsOnlyKeys(names);

        // when
        names.forEach(name -> fixture.execution(execution(name, 1, "running"), graves.get(name) - 1));
        fixture.settle();

        // then
        assertNothingIsLeft();
        assertThat(fixture.status().graves()).isEqualTo(3);
    }

    /** Only a command on whole streams says that nothing of them shall come back. */
    @Test
    @Tag("M-1")
    void shouldDigNoneForAStreamThatGoesWithItsLastEventNorForADryRun() {
        // given
        fixture.event(event("turns/dry", "a"));
        fixture.event(event("turns/event", "a"));
        fixture.event(event("turns/pruned", "a"));
        fixture.event(event("turns/swept", "a"));
        fixture.policy(RetentionPolicy.of(Scope.stream("turns/swept"))
                .maxAge(Limit.of(1))
                .build());
        fixture.carryOut(dryRun("c-1", delete("turns/dry")));
        fixture.carryOut(request("c-2", deleteEvent("turns/event", "a", false)));
        fixture.carryOut(request("c-3", CommandFixture.prune("turns/pruned", 0L, null)));
        fixture.settle();
        assertThat(fixture.stored()).hasSize(1);

        // when
        for (String name : List.of("turns/dry", "turns/event", "turns/pruned")) {
            fixture.event(event(name, "b").build(), TopologyFixture.T0);
        }
        fixture.event(event("turns/swept", "b").build(), TopologyFixture.T0);

        // then
        assertThat(fixture.stored()).hasSize(5);
        assertThat(fixture.status().graves()).isZero();
        assertThat(fixture.observer.late).isEmpty();
    }

    /** A late record may be missed: a producer whose clock is behind looks like a late one. */
    @Test
    @Tag("O-20")
    void shouldSetLateEventsAsideUnchanged() {
        // given
        fixture.event(event(STREAM, "a"));
        long deletedMs = deleted(delete(STREAM));
        var late = event(STREAM, "b").payloadBytes(7).build();

        // when
        fixture.event(late, deletedMs - 1);

        // then
        assertThat(fixture.observer.rejected).containsExactly(RejectReason.STREAM_DELETED);
        assertThat(fixture.rejected).singleElement().satisfies(record -> {
            assertThat(record.key()).isEqualTo(STREAM.getBytes(StandardCharsets.UTF_8));
            assertThat(fixture.records.object(record.value())).isEqualTo(late);
            assertThat(record.timestamp()).isEqualTo(deletedMs - 1);
            assertThat(EbbHeaders.text(record.headers(), EbbHeaders.REJECTED_REASON))
                    .isEqualTo("STREAM_DELETED");
        });
    }

    /** A waiting record is as old as it was when it came. */
    @Test
    void shouldTakeWhatWasParkedForLateWhenItsTurnComes() {
        // given records that wait, one of them under another key, so that the delete passes by it
        fixture.event(event(STREAM, "a"));
        byte[] other = "other".getBytes(StandardCharsets.UTF_8);
        byte[] running = fixture.records.execution(execution(STREAM, 2, "running"));
        fixture.records.awaited(Wait.of("schema 7"));
        Event first = event(STREAM, "first").build();
        fixture.send(other, fixture.records.bytes("schema 7", first), fixture.nowMs());
        fixture.send(other, running, fixture.nowMs());
        long deletedMs = deleted(delete(STREAM));
        byte[] key = STREAM.getBytes(StandardCharsets.UTF_8);
        fixture.send(key, fixture.records.bytes("schema 7", event(STREAM, "b").build()), deletedMs - 1);
        fixture.execution(execution(STREAM, 1, "running"), deletedMs - 1);
        fixture.event(event(STREAM, "c").build(), deletedMs);
        assertThat(fixture.ids(STREAM)).isEmpty();

        // when
        fixture.records.arrived("schema 7");
        fixture.settleFor(30);

        // then
        assertThat(fixture.status().parkedRecords()).isZero();
        assertThat(fixture.ids(STREAM)).containsExactly("c");
        assertThat(fixture.observer.late)
                .containsExactlyInAnyOrder(
                        LateRecord.EVENT, LateRecord.EXECUTION, LateRecord.EVENT, LateRecord.EXECUTION);
        assertThat(fixture.reader().context(NAME).orElseThrow().isOpen()).isFalse();
    }

    /** It keeps its timestamp on its way. */
    @Test
    @Tag("O-21")
    void shouldTakeWhatIsReKeyedForLate() {
        // given
        fixture.event(event(STREAM, "a"));
        long deletedMs = deleted(delete(STREAM));

        // when
        byte[] other = "other".getBytes(StandardCharsets.UTF_8);
        fixture.send(other, fixture.records.execution(execution(STREAM, 1, "running")), deletedMs - 1);
        fixture.settle();

        // then
        assertThat(fixture.rekeyed).hasSize(1);
        assertNothingIsLeft();
        assertThat(fixture.observer.late).containsExactly(LateRecord.EXECUTION);
    }

    @Test
    void shouldDigNoGravesAndForgetThoseThereAreWhenTheSettingSaysSo() {
        // given
        fixture.event(event(STREAM, "a"));
        long deletedMs = deleted(delete(STREAM));

        // when
        use(Duration.ZERO);
        fixture.settle();
        fixture.event(event(STREAM, "b").build(), deletedMs - 1);

        // then
        assertThat(fixture.ids(STREAM)).containsExactly("b");

        // when
        CommandResult again = fixture.carryOut(request("c-2", delete(STREAM)));
        fixture.event(event(STREAM, "c").build(), again.updatedAt().toEpochMilli() - 1);

        // then
        assertThat(fixture.ids(STREAM)).containsExactly("c");
        assertThat(fixture.status().graves()).isZero();
        assertThat(StoreCheck.graves(fixture.rawUsage().all())).isEmpty();
    }

    private void use(Duration graveRetention) {
        TopologySettings settings = new SettingsLike(TopologyFixture.settings(OptionalLong.of(1), 10_000))
                .graveRetention(graveRetention)
                .make();
        fixture.restart(settings);
    }

    /** Carries the command out, and returns when that was. */
    private long deleted(Command command) {
        fixture.advance(1000);
        CommandResult result = fixture.carryOut(request("c-1", command));
        assertThat(result.state()).isEqualTo(State.DONE);
        return result.updatedAt().toEpochMilli();
    }

    private static EventUpdate update(String id, String status) {
        return new EventUpdate(NAME, new EventId(id), status, null, null, null);
    }

    private void assertNothingIsLeft() {
        fixture.emptyOut();
        assertThat(fixture.reader().streams(null, "", null, 1000)).isEmpty();
        assertThat(fixture.mirror).isEmpty();
        assertThat(fixture.executionRows).isEmpty();
        assertConsistent();
    }

    private void assertConsistent() {
        assertThat(StoreCheck.problems(
                        fixture.rawEvents().all(), fixture.rawUsage().all()))
                .isEmpty();
    }
}
