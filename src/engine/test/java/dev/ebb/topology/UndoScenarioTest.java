package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.topology.CommandFixture.child;
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
import dev.ebb.domain.command.Errand;
import dev.ebb.domain.command.Outcome;
import dev.ebb.domain.command.Outcome.Left;
import dev.ebb.domain.command.Outcome.Undone;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.change.FormerPolicy;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.domain.undo.NotReturned;
import dev.ebb.domain.undo.UndoFilter;
import dev.ebb.store.StoreCheck;
import dev.ebb.topology.observe.TaskStatus;
import dev.ebb.topology.parts.TopologySettings;
import dev.ebb.topology.trash.TrashKey;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Deletes that are undone (T-1 to T-5). */
@Tag("T-2")
class UndoScenarioTest {

    private static final long HOUR_MS = Duration.ofHours(1).toMillis();
    private static final long DAY_MS = 24 * HOUR_MS;
    private static final long MINUTE_MS = Duration.ofMinutes(1).toMillis();
    private static final long NOTICE_MS = TopologySettings.UNDO_NOTICE.toMillis();
    private static final String STREAM = "orders/1";
    private static final StreamName NAME = new StreamName(STREAM);

    private final TopologyFixture fixture = TopologyFixture.inMemory();

    @AfterEach
    void close() {
        fixture.close();
    }

    /** For builds that are wrong on purpose. */
    static void play() {
        List.<Consumer<UndoScenarioTest>>of(
                        UndoScenarioTest::undoCommandBringsAllBack,
                        UndoScenarioTest::undoPolicyVersionReverts,
                        UndoScenarioTest::undoWithHold,
                        UndoScenarioTest::undoTwiceChangesNothing,
                        UndoScenarioTest::undoLeavesReusedIds,
                        UndoScenarioTest::undoRestoresExecutionsAndParents,
                        UndoScenarioTest::undoOfOwnTtlRefused,
                        UndoScenarioTest::trashFailureStopsDeletesNotIngest,
                        test -> test.undoWindowEndsExactly(0, false),
                        UndoScenarioTest::shouldBringBackTheNewestOfSeveralDeletions,
                        UndoScenarioTest::shouldUndoWhatANewMaxTtlHasTaken,
                        UndoScenarioTest::shouldSayAfterACrashThatOlderFormsAreSuperseded,
                        UndoScenarioTest::shouldSweepWhatNeedsNoTrashWhileTheTrashIsClosed,
                        UndoScenarioTest::shouldNotBringBackWhatWasErasedMeanwhile)
                .forEach(scenario -> {
                    UndoScenarioTest test = new UndoScenarioTest();
                    try {
                        scenario.accept(test);
                    } finally {
                        test.close();
                    }
                });
    }

    @Test
    @DisplayName("UndoCommandBringsAllBack")
    void undoCommandBringsAllBack() {
        // given events in each part of the store, of several streams
        fixture.policy(RetentionPolicy.of(Scope.namespace("log"))
                .set(PolicyField.ALLOW_INFINITE_TTL, true)
                .build());
        fixture.event(event(STREAM, "plain").payload(new byte[] {1, 2, 3}).metadata(Map.of("user", "42")));
        fixture.event(event(STREAM, "timed").ttlSeconds(100_000));
        fixture.event(event(STREAM, "pinned").status("running").correlationId("c-9"));
        fixture.event(event("log/1", "endless").ttl(OwnTtl.INFINITE));
        fixture.event(event("other/1", "untouched"));
        Picture before = picture();

        // when
        fixture.carryOut(request("c-1", deleteForced(STREAM)));
        fixture.carryOut(request("c-2", deleteForced("log/1")));
        fixture.emptyOut();
        fixture.advance(HOUR_MS);
        CommandResult first = fixture.carryOut(request("u-1", undo(ofCommand("c-1"))));
        CommandResult second = fixture.carryOut(request("u-2", undo(ofCommand("c-2"))));

        // then
        assertThat(first.state()).as(first.detail()).isEqualTo(State.DONE);
        assertThat(outcome(first).events()).isEqualTo(3);
        assertThat(outcome(first).bytes())
                .isEqualTo(before.events.stream()
                        .filter(stored -> stored.event().stream().equals(NAME))
                        .mapToLong(StoredEvent::sizeBytes)
                        .sum());
        assertThat(outcome(first).streams()).isEqualTo(1);
        assertThat(outcome(first).notReturned()).isEmpty();
        assertThat(outcome(second).events()).isEqualTo(1);
        assertSame(before);
        assertThat(fixture.restores).allSatisfy(audit -> {
            assertThat(audit.actor()).isEqualTo("anna");
            assertThat(audit.reason()).isEqualTo("clean-up");
        });
        assertThat(fixture.restores)
                .filteredOn(audit -> "u-1".equals(audit.commandId()))
                .flatExtracting(AuditRecord::eventIds)
                .containsExactlyInAnyOrder("plain", "timed", "pinned");
        assertThat(waiting()).isEmpty();
    }

    @Test
    @DisplayName("UndoPolicyVersionReverts")
    @Tag("T-3")
    void undoPolicyVersionReverts() {
        // given a policy that has proved itself, and one by mistake
        fixture.policy(RetentionPolicy.of(Scope.namespace("orders"))
                .maxCount(Limit.of(100))
                .build());
        for (int i = 0; i < 6; i++) {
            fixture.event(event(STREAM, "e" + i));
            fixture.event(event("orders/2", "e" + i));
            fixture.advance(10);
        }
        fixture.advance(2 * DAY_MS);
        Picture before = picture();
        fixture.policy(RetentionPolicy.of(Scope.namespace("orders"))
                .maxCount(Limit.of(2))
                .build());
        fixture.settle();
        assertThat(fixture.stored()).hasSize(4);
        long version = fixture.policies().version();

        // when what was before is put back in force, and it is undone
        Command undo = undo(ofPolicy("namespace:orders", version));
        FormerPolicy former =
                Objects.requireNonNull(fixture.formerPolicy(PolicyKey.of(Scope.namespace("orders")), version));
        fixture.policy(Objects.requireNonNull(former.before().policy()));
        CommandResult result = fixture.carryOut(request("u-2", undo));

        // then
        assertThat(outcome(result).events()).isEqualTo(8);
        fixture.advance(2 * NOTICE_MS);
        fixture.settle();
        assertSame(before);
    }

    /** A change is new by the time that is in force: a clock that is behind must not make its deletes final (T-1). */
    @Test
    @Tag("T-1")
    void shouldUndoAChangeThatCameWhileTheClockWasBehind() {
        // given
        for (int i = 0; i < 6; i++) {
            fixture.event(event(STREAM, "e" + i));
            fixture.advance(10);
        }
        Picture before = picture();
        fixture.clockIsAhead(-3 * DAY_MS);
        fixture.policy(RetentionPolicy.of(Scope.namespace("orders"))
                .maxCount(Limit.of(2))
                .build());
        long version = fixture.policies().version();
        fixture.clockProblem(null);
        fixture.advance(3 * DAY_MS);
        fixture.settle();
        assertThat(fixture.stored()).hasSize(2);

        // when
        fixture.policy(RetentionPolicy.of(Scope.namespace("orders"))
                .maxCount(Limit.of(100))
                .build());
        CommandResult result = fixture.carryOut(request("u-1", undo(ofPolicy("namespace:orders", version))));

        // then
        assertThat(outcome(result).events()).isEqualTo(4);
        assertSame(before);
    }

    @Test
    @Tag("T-3")
    void shouldKnowThePolicyBeforeEachOfSeveralChanges() {
        // given
        PolicyKey key = PolicyKey.of(Scope.namespace("orders"));
        List<Long> versions = new ArrayList<>();
        for (long count : List.of(7L, 5L, 5L, 3L)) {
            fixture.policy(RetentionPolicy.of(Scope.namespace("orders"))
                    .maxCount(Limit.of(count))
                    .build());
            versions.add(fixture.policies().version());
        }
        fixture.restart();

        // then
        assertThat(before(key, versions.get(0))).isNull();
        assertThat(before(key, versions.get(1))).isEqualTo(7);
        assertThat(fixture.formerPolicy(key, versions.get(2)))
                .as("sent again as it was")
                .isNull();
        assertThat(before(key, versions.get(3))).isEqualTo(5);
        assertThat(before(key, null)).isEqualTo(5);

        // when nothing of it can be undone any more
        fixture.advance(8 * DAY_MS);
        fixture.policy(RetentionPolicy.of(Scope.namespace("orders"))
                .maxCount(Limit.of(9))
                .build());

        // then
        assertThat(fixture.formerPolicy(key, versions.get(3))).isNull();
        assertThat(before(key, null)).isEqualTo(3);
    }

    private @Nullable Long before(PolicyKey key, @Nullable Long version) {
        RetentionPolicy policy = Objects.requireNonNull(fixture.formerPolicy(key, version))
                .before()
                .policy();
        return policy == null ? null : policy.get(PolicyField.MAX_COUNT).value();
    }

    /** In a steady stream some events are always just due: they come back with the others, and go after the notice. */
    @Test
    @Tag("T-3")
    void shouldRevertInASteadyStream() {
        // given
        for (int i = 0; i < 6; i++) {
            fixture.event(event(STREAM, "e" + i));
            fixture.advance(4 * MINUTE_MS);
        }
        RetentionPolicy former = RetentionPolicy.of(Scope.namespace("orders"))
                .maxAge(Limit.of(26 * MINUTE_MS))
                .build();
        fixture.policy(former);
        fixture.policy(RetentionPolicy.of(Scope.namespace("orders"))
                .maxAge(Limit.of(MINUTE_MS))
                .build());
        fixture.settle();
        long version = fixture.policies().version();
        assertThat(fixture.stored()).isEmpty();

        // when
        fixture.policy(former);
        CommandResult result = fixture.carryOut(request(
                "u-1",
                new Command.UndoDeletes(
                        ofPolicy("namespace:orders", version),
                        fixture.policies().version())));

        // then
        assertThat(result.refusal()).isNull();
        assertThat(outcome(result).extent()).isEqualTo(Outcome.Extent.ALL);
        assertThat(outcome(result).events()).isEqualTo(6);
        assertThat(Objects.requireNonNull(outcome(result).notice()).dueThen()).isEqualTo(6);
    }

    /** A reader that goes on behind the end of its task would never be told to stop. */
    @Test
    @Tag("T-4")
    void shouldCloseItsReadingWhenItsTaskEnds() {
        // given an undo that takes one event at a time
        fixture.restart(TopologyFixture.settings(OptionalLong.of(1), 1));
        for (int i = 0; i < 20; i++) {
            fixture.event(event(STREAM, "e" + i));
        }
        fixture.carryOut(request("c-1", delete(STREAM)));
        fixture.emptyOut();
        fixture.send(request("u-1", undo(ofCommand("c-1"))));
        for (int i = 0; i < 200 && fixture.stored().isEmpty(); i++) {
            fixture.advance(100);
        }
        assertThat(fixture.trashed.open).hasSize(1);

        // when
        fixture.restart();

        // then
        assertThat(fixture.trashed.open).isEmpty();
        assertThat(outcome(fixture.finish("u-1")).events()).isEqualTo(20);
        assertThat(fixture.trashed.open).isEmpty();
    }

    @Test
    @DisplayName("UndoWithHold")
    @Tag("T-3")
    void undoWithHold() {
        // given
        fixture.event(event(STREAM, "old"));
        fixture.policy(RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(HOUR_MS)).build());
        fixture.carryOut(request("c-1", delete(STREAM)));
        fixture.emptyOut();
        fixture.advance(2 * HOUR_MS);

        // when
        fixture.hold("INC-1", Scope.stream(STREAM));
        long version = fixture.policies().version();
        Command undo = new Command.UndoDeletes(ofCommand("c-1"), version);
        CommandResult result = fixture.carryOut(request("u-1", undo));
        fixture.settle();

        // then
        assertThat(outcome(result).events()).isEqualTo(1);
        assertThat(fixture.ids(STREAM)).containsExactly("old");

        // when
        fixture.release("INC-1");
        fixture.settle();

        // then the notice still stands
        assertThat(fixture.ids(STREAM)).containsExactly("old");

        // when
        fixture.advance(NOTICE_MS);
        fixture.settle();

        // then
        assertThat(fixture.ids(STREAM)).isEmpty();
    }

    @Test
    @Tag("T-3")
    void shouldWaitForThePoliciesThatItNames() {
        // given
        fixture.event(event(STREAM, "a"));
        fixture.carryOut(request("c-1", delete(STREAM)));
        long version = fixture.policies().version() + 1;
        fixture.send(request("u-1", new Command.UndoDeletes(ofCommand("c-1"), version)));
        fixture.settleFor(5);
        assertThat(fixture.result("u-1")).isNull();

        // when
        while (fixture.policies().version() < version) {
            fixture.policy(RetentionPolicy.of(Scope.namespace("other"))
                    .maxCount(Limit.of(fixture.nowMs()))
                    .build());
        }
        CommandResult result = fixture.finish("u-1");

        // then
        assertThat(outcome(result).events()).isEqualTo(1);
    }

    @Test
    @Tag("T-3")
    void shouldGiveUpIfThePoliciesDoNotCome() {
        // given
        fixture.event(event(STREAM, "a"));
        fixture.carryOut(request("c-1", delete(STREAM)));

        // when
        CommandResult result = fixture.carryOut(request("u-1", new Command.UndoDeletes(ofCommand("c-1"), 1_000_000L)));

        // then
        assertThat(result.refusal()).isEqualTo(Refusal.NOT_READY);
        assertThat(result.detail()).contains("1000000");
        assertThat(fixture.stored()).isEmpty();
    }

    @Test
    @DisplayName("UndoTwiceChangesNothing")
    @Tag("T-4")
    void undoTwiceChangesNothing() {
        // given
        fixture.event(event(STREAM, "a"));
        fixture.event(event(STREAM, "b"));
        Picture before = picture();
        fixture.carryOut(request("c-1", delete(STREAM)));
        fixture.emptyOut();
        Command undo = undo(ofCommand("c-1"));
        CommandResult first = fixture.carryOut(request("u-1", undo));
        int restores = fixture.restores.size();
        int rows = fixture.mirrorLog.size();

        // when
        CommandResult sameAgain = fixture.carryOut(request("u-1", undo));
        CommandResult again = fixture.carryOut(request("u-2", undo));

        // then
        assertThat(outcome(first).events()).isEqualTo(2);
        assertThat(Outcomes.undone(sameAgain)).isEqualTo(Outcomes.undone(first));
        assertThat(again.state()).isEqualTo(State.DONE);
        assertThat(outcome(again)).isEqualTo(Undone.NOTHING);
        assertThat(fixture.restores).hasSize(restores);
        assertThat(fixture.mirrorLog).hasSize(rows);
        assertSame(before);
    }

    @Test
    @DisplayName("UndoSurvivesKill")
    @Tag("T-4")
    void undoSurvivesKill() {
        // given
        fixture.restart(TopologyFixture.settings(OptionalLong.of(1), 3));
        for (int i = 0; i < 30; i++) {
            fixture.event(event("orders/" + i % 3, "e" + i).execution(i % 2));
        }
        for (int i = 0; i < 3; i++) {
            fixture.execution(execution("orders/" + i, 1, "completed"));
        }
        Picture before = picture();
        fixture.carryOut(request("c-1", purge(CommandFixture.all(10))));
        fixture.emptyOut();
        assertThat(fixture.stored()).isEmpty();
        fixture.send(request("u-1", undo(ofCommand("c-1"))));

        // when it is killed again and again
        List<Integer> sizes = new ArrayList<>();
        for (int kill = 0; kill < 4; kill++) {
            int there = fixture.stored().size();
            for (int i = 0; i < 200 && fixture.stored().size() == there; i++) {
                fixture.advance(100);
            }
            sizes.add(fixture.stored().size());
            assertConsistent();
            fixture.restart();
        }
        CommandResult result = fixture.finish("u-1");

        // then
        assertThat(sizes).doesNotHaveDuplicates().allMatch(size -> size > 0 && size < 30);
        assertThat(outcome(result).events()).isEqualTo(30);
        assertThat(outcome(result).streams()).isEqualTo(3);
        assertThat(outcome(result).executions()).isEqualTo(3);
        assertThat(fixture.restores)
                .flatExtracting(AuditRecord::eventIds)
                .hasSize(30)
                .doesNotHaveDuplicates();
        assertSame(before);
    }

    @Test
    @DisplayName("UndoLeavesReusedIds")
    void undoLeavesReusedIds() {
        // given
        fixture.event(event(STREAM, "a").payload(new byte[] {1}));
        fixture.event(event(STREAM, "b").payload(new byte[] {1}));
        fixture.carryOut(request("c-1", deleteEvent(STREAM, "a", false)));
        fixture.carryOut(request("c-1b", deleteEvent(STREAM, "b", false)));
        fixture.event(event(STREAM, "a").payload(new byte[] {2}));

        // when
        CommandResult dry = fixture.carryOut(dryRun("u-0", undo(since(31_536_000_000L))));
        CommandResult result = fixture.carryOut(request("u-1", undo(since(31_536_000_000L))));

        // then
        assertThat(said(dry)).isEqualTo(said(result));
        assertThat(outcome(result).events()).isEqualTo(1);
        assertThat(outcome(result).notReturned()).isEqualTo(Map.of(NotReturned.REUSED, 1L));
        assertThat(outcome(result).named()).containsExactly(new Left(STREAM, "a", NotReturned.REUSED));
        assertThat(payloads()).isEqualTo(Map.of("a", 2, "b", 1));
        assertConsistent();
    }

    @Test
    void shouldBringBackTheNewestOfSeveralDeletions() {
        // given an id that was deleted three times
        for (byte form = 1; form <= 3; form++) {
            fixture.event(event(STREAM, "a").payload(new byte[] {form}));
            fixture.carryOut(request("c-" + form, deleteEvent(STREAM, "a", false)));
            fixture.advance(1000);
        }

        // when
        CommandResult dry = fixture.carryOut(dryRun("u-0", undo(since(31_536_000_000L))));
        CommandResult result = fixture.carryOut(request("u-1", undo(since(31_536_000_000L))));

        // then
        assertThat(payloads()).isEqualTo(Map.of("a", 3));
        assertThat(outcome(result).events()).isEqualTo(1);
        assertThat(outcome(result).notReturned()).isEqualTo(Map.of(NotReturned.SUPERSEDED, 2L));
        assertThat(said(dry)).isEqualTo(said(result));

        // when an older deletion is named
        fixture.carryOut(request("c-4", deleteEvent(STREAM, "a", false)));
        fixture.carryOut(request("u-2", undo(ofCommand("c-2"))));

        // then
        assertThat(payloads()).isEqualTo(Map.of("a", 2));
    }

    /** One millisecond before, at, and after the end of the window. */
    @ParameterizedTest
    @CsvSource({"-1, true", "0, false", "1, false"})
    @DisplayName("UndoWindowEndsExactly")
    void undoWindowEndsExactly(long ms, boolean isOpen) {
        // given
        fixture.policy(RetentionPolicy.of(Scope.ALL)
                .set(PolicyField.UNDO, Limit.of(HOUR_MS))
                .build());
        fixture.event(event(STREAM, "a"));
        fixture.carryOut(request("c-1", deleteEvent(STREAM, "a", false)));
        long deletedMs = fixture.audits.get(0).atMs();
        fixture.advance(deletedMs + HOUR_MS + ms - fixture.nowMs());

        // when
        CommandResult result = fixture.carryOutAtOnce(request("u-1", undo(ofCommand("c-1"))));

        // then
        assertThat(fixture.ids(STREAM)).hasSize(isOpen ? 1 : 0);
        assertThat(outcome(result).notReturned()).isEqualTo(isOpen ? Map.of() : Map.of(NotReturned.EXPIRED, 1L));
    }

    @Test
    @DisplayName("UndoOfOwnTtlRefused")
    @Tag("T-1")
    void undoOfOwnTtlRefused() {
        // given
        fixture.policy(RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(DAY_MS)).build());
        fixture.event(event(STREAM, "a").ttl(OwnTtl.of(1L, null, false)));
        fixture.advance(5000);
        assertThat(fixture.ids(STREAM)).isEmpty();

        // when
        CommandResult result = fixture.carryOut(request("u-1", undo(since(31_536_000_000L))));

        // then
        assertThat(outcome(result)).isEqualTo(Undone.NOTHING);
        assertThat(fixture.stored()).isEmpty();
    }

    @Test
    @DisplayName("UndoRestoresExecutionsAndParents")
    void undoRestoresExecutionsAndParents() {
        // given a stream with a parent, an open execution, one without events, and one that is done
        fixture.execution(child(STREAM, "parent", "completed"));
        fixture.execution(execution(STREAM, 2, "completed"));
        fixture.execution(execution(STREAM, 3, "running"));
        fixture.event(event(STREAM, "a").execution(1));
        fixture.event(event(STREAM, "b").execution(3));
        fixture.event(event(STREAM, "c").execution(4));
        Picture before = picture();
        var usage = fixture.reader().streams(null, "", null, 10);
        fixture.carryOut(request("c-1", deleteForced(STREAM)));
        fixture.emptyOut();
        assertThat(fixture.executionRows).isEmpty();

        // when
        CommandResult result = fixture.carryOut(request("u-1", undo(ofCommand("c-1"))));

        // then
        assertThat(outcome(result).executions()).isEqualTo(3);
        assertThat(outcome(result).events()).isEqualTo(3);
        assertSame(before);
        assertThat(fixture.reader().streams(null, "", null, 10))
                .usingRecursiveFieldByFieldElementComparatorIgnoringFields("noticeUntilMs")
                .isEqualTo(usage);
    }

    @Test
    @DisplayName("UndoOfDeletedStreamWithSuccessor")
    void undoOfDeletedStreamWithSuccessor() {
        // given a stream that was deleted, and another one of its name
        fixture.event(event(STREAM, "a").payload(new byte[] {1}));
        fixture.event(event(STREAM, "b").payload(new byte[] {1}));
        List<StoredEvent> former = fixture.stored(NAME);
        fixture.carryOut(request("c-1", delete(STREAM)));
        fixture.advance(1000);
        fixture.event(event(STREAM, "b").payload(new byte[] {2}));
        fixture.event(event(STREAM, "c").payload(new byte[] {2}));

        // when
        CommandResult result = fixture.carryOut(request("u-1", undo(ofCommand("c-1"))));

        // then
        assertThat(payloads()).isEqualTo(Map.of("a", 1, "b", 2, "c", 2));
        assertThat(fixture.stored(NAME)).contains(former.get(0));
        assertThat(outcome(result).named()).containsExactly(new Left(STREAM, "b", NotReturned.REUSED));
        assertConsistent();
    }

    /** The undo lifts the grave: updates that were on their way at the delete find their event again. */
    @Test
    @Tag("T-16")
    void shouldTakeUpdatesOfWhatIsBackAsIfItHadNeverGone() {
        // given
        fixture.event(event(STREAM, "a").status("running"));
        long beforeMs = fixture.nowMs();
        fixture.advance(1000);
        fixture.carryOut(request("c-1", deleteForced(STREAM)));
        fixture.emptyOut();
        fixture.carryOut(request("u-1", undo(ofCommand("c-1"))));

        // when
        fixture.update(CommandFixture.update(STREAM, "a", "failed"), beforeMs);

        // then
        assertThat(fixture.stored(NAME).get(0).event().status()).isEqualTo("failed");

        // when
        fixture.status(STREAM, "a", "completed");

        // then
        assertThat(fixture.stored(NAME).get(0).event().status()).isEqualTo("completed");
        assertConsistent();
    }

    @Test
    @DisplayName("UndoneEventKeepsItsPlace")
    void undoneEventKeepsItsPlace() {
        // given
        for (String id : List.of("a", "b", "c", "d")) {
            fixture.event(event(STREAM, id));
        }
        List<StoredEvent> before = fixture.stored(NAME);
        fixture.carryOut(request("c-1", deleteEvent(STREAM, "b", false)));
        fixture.carryOut(request("c-2", deleteEvent(STREAM, "a", false)));
        fixture.event(event(STREAM, "e"));

        // when
        fixture.carryOut(request("u-1", undo(since(31_536_000_000L))));

        // then they are first again, for readers and for retention
        assertThat(fixture.stored(NAME).subList(0, 4)).isEqualTo(before);
        assertThat(fixture.ids(STREAM)).containsExactly("a", "b", "c", "d", "e");
        fixture.policy(RetentionPolicy.of(Scope.ALL).maxCount(Limit.of(3)).build());
        fixture.advance(NOTICE_MS);
        fixture.settle();
        assertThat(fixture.ids(STREAM)).containsExactly("c", "d", "e");
        assertConsistent();
    }

    @Test
    void shouldUndoASweepAndLeaveTheOthers() {
        // given two sweeps
        fixture.policy(RetentionPolicy.of(Scope.ALL).maxCount(Limit.of(1)).build());
        fixture.event(event(STREAM, "a"));
        fixture.event(event(STREAM, "b"));
        fixture.settle();
        fixture.event(event("orders/2", "a"));
        fixture.event(event("orders/2", "b"));
        fixture.settle();
        assertThat(fixture.stored()).hasSize(2);
        String sweep = Objects.requireNonNull(fixture.audits.get(0).sweepId());
        fixture.removePolicy(Scope.ALL);

        // when
        CommandResult result =
                fixture.carryOut(request("u-1", undo(new UndoFilter(null, sweep, null, null, null, null, null, null))));

        // then
        assertThat(outcome(result).events()).isEqualTo(1);
        assertThat(fixture.ids(STREAM)).containsExactly("a", "b");
        assertThat(fixture.ids("orders/2")).containsExactly("b");
    }

    @Test
    void shouldUndoWithinNamespaceStreamAndTime() {
        // given
        for (String stream : List.of("orders/1", "orders/2", "bills/1")) {
            fixture.event(event(stream, "a"));
        }
        long fromMs = fixture.nowMs();
        fixture.carryOut(request("c-1", purge(CommandFixture.all(10))));
        fixture.emptyOut();
        fixture.advance(1);
        long toMs = fixture.nowMs();

        // then
        assertThat(wouldReturn(new UndoFilter(null, null, null, null, fromMs, toMs, "orders", null)))
                .isEqualTo(2);
        assertThat(wouldReturn(new UndoFilter(null, null, null, null, fromMs, toMs, null, new StreamName("orders/2"))))
                .isEqualTo(1);
        assertThat(wouldReturn(new UndoFilter("c-1", null, null, null, null, null, "bills", null)))
                .isEqualTo(1);
        assertThat(wouldReturn(since(toMs))).isZero();
        assertThat(wouldReturn(new UndoFilter(null, null, null, null, 31_536_000_000L, fromMs, null, null)))
                .isZero();
        assertThat(fixture.stored()).isEmpty();
    }

    private long wouldReturn(UndoFilter filter) {
        return outcome(fixture.carryOut(dryRun("d-" + filter.hashCode(), undo(filter))))
                .events();
    }

    @Test
    void shouldNotBringBackWhatWasErasedMeanwhile() {
        // given an undo that has read the trash and not begun
        fixture.restart(TopologyFixture.settings(OptionalLong.of(1), 1));
        for (int i = 0; i < 6; i++) {
            fixture.event(event(STREAM, "e" + i).metadata(Map.of("user", i < 3 ? "41" : "42")));
        }
        fixture.carryOut(request("c-1", delete(STREAM)));
        fixture.emptyOut();
        fixture.trashed.most = 1;
        fixture.send(request("u-1", undo(ofCommand("c-1"))));
        for (int i = 0; i < 1000 && fixture.stored().isEmpty(); i++) {
            fixture.advance(100);
        }

        // when it reads no further until the erasure is done
        fixture.trashed.most = 0;
        CommandResult erased =
                fixture.carryOut(request("e-1", EraseScenarioTest.erase(null, false, "metadata.user=42")));
        fixture.trashed.most = 1;
        CommandResult result = fixture.finish("u-1");

        // then
        assertThat(erased.state()).isEqualTo(State.DONE);
        assertThat(result.state()).isEqualTo(State.DONE);
        assertThat(fixture.ids(STREAM)).containsExactly("e0", "e1", "e2");
        assertConsistent();
    }

    @Test
    void shouldSayThatTheTrashCannotBeRead() {
        // given
        fixture.event(event(STREAM, "a"));
        fixture.carryOut(request("c-1", delete(STREAM)));
        fixture.trashed.problem = "the trash cannot be read: no rights";

        // when
        CommandResult result = fixture.carryOut(request("u-1", undo(ofCommand("c-1"))));

        // then
        assertThat(result.refusal()).isEqualTo(Refusal.NOT_READY);
        assertThat(result.detail()).contains("no rights");
        assertThat(fixture.stored()).isEmpty();
    }

    /** A fence may arrive before what was sent with it can be read: a transaction ends on each topic by itself. */
    @Test
    void shouldFindWhatWasDeletedInTheTransactionOfItsFence() {
        // given
        fixture.trashed.isLate = true;
        fixture.event(event(STREAM, "a"));
        fixture.event(event(STREAM, "b"));
        fixture.settle();

        // when it is asked for, led, and begun together with a delete
        fixture.send(dryRun("d-1", undo(since(fixture.nowMs()))));
        fixture.advance(100);
        fixture.advance(100);
        fixture.send(request("c-1", deleteEvent(STREAM, "a", false)));
        CommandResult dry = fixture.finish("d-1");

        // then
        assertThat(fixture.ids(STREAM)).containsExactly("b");
        assertThat(outcome(dry).events()).isEqualTo(1);
    }

    /** Two people change policies within minutes: the change that is named brings back all that it has made due (T-2). */
    @Test
    void shouldNotHideAChangeBehindALaterOne() {
        // given a mistake, some deletes by it, and another change
        for (String id : List.of("a", "b", "c")) {
            fixture.event(event(STREAM, id));
        }
        fixture.policy(RetentionPolicy.of(Scope.namespace("orders"))
                .maxCount(Limit.of(2))
                .build());
        long version = fixture.policies().version();
        fixture.settle();
        fixture.policy(
                RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(20 * DAY_MS)).build());
        fixture.event(event(STREAM, "d"));
        fixture.settle();

        // when
        fixture.hold("keep", Scope.ALL);
        CommandResult result = fixture.carryOut(request("u-1", undo(ofPolicy("namespace:orders", version))));

        // then
        assertThat(outcome(result).events()).isEqualTo(2);
        assertThat(fixture.ids(STREAM)).containsExactlyInAnyOrder("a", "b", "c", "d");
    }

    /** A hold that was released by mistake shares its scope with the policy that took the events. */
    @Test
    void shouldNotHideAReleaseBehindALaterChange() {
        // given an old policy, a release, and a change in the same scope
        RetentionPolicy policy = RetentionPolicy.of(Scope.namespace("orders"))
                .maxCount(Limit.of(1))
                .build();
        fixture.policy(policy);
        fixture.hold("case-1", Scope.namespace("orders"));
        fixture.event(event(STREAM, "a"));
        fixture.event(event(STREAM, "b"));
        fixture.advance(2 * DAY_MS);
        fixture.release("case-1");
        long version = fixture.policies().version();
        fixture.policy(policy.toBuilder().maxAge(Limit.of(20 * DAY_MS)).build());
        fixture.settle();

        // when
        fixture.hold("keep", Scope.ALL);
        CommandResult result = fixture.carryOut(request("u-1", undo(ofPolicy("hold:case-1", version))));

        // then
        assertThat(outcome(result).events()).isEqualTo(1);
        assertThat(fixture.ids(STREAM)).containsExactlyInAnyOrder("a", "b");
    }

    @Test
    @DisplayName("TrashFailureStopsDeletesNotIngest")
    @Tag("T-5")
    void trashFailureStopsDeletesNotIngest() {
        // given something that is due, a deleted stream that is not empty, and a trash that has refused a record
        fixture.restart(TopologyFixture.settings(OptionalLong.of(1), 1));
        fixture.event(event("orders/9", "a"));
        fixture.event(event("orders/9", "b"));
        fixture.send(request("c-1", delete("orders/9")));
        fixture.failed.trashRefused();
        fixture.policy(
                RetentionPolicy.of(Scope.namespace("log")).maxCount(Limit.of(1)).build());
        fixture.event(event("log/1", "a"));
        fixture.event(event("log/1", "b"));

        // when
        fixture.send(request("c-2", deleteForced(STREAM)));
        fixture.event(event(STREAM, "c"));
        fixture.settleFor(10);

        // then records come in, and nothing goes
        assertThat(fixture.ids("log/1")).containsExactly("a", "b");
        assertThat(fixture.ids(STREAM)).containsExactly("c");
        assertThat(fixture.audits).isEmpty();
        assertThat(fixture.trash).isEmpty();
        assertThat(fixture.status().sweepState()).isEqualTo(TaskStatus.SweepState.TRASH_CLOSED);
        assertConsistent();

        // when the trash is given another chance
        fixture.advance(Duration.ofMinutes(5).toMillis());
        fixture.settle();
        fixture.emptyOut();
        fixture.settle();

        // then
        assertThat(fixture.ids("log/1")).containsExactly("b");
        assertThat(fixture.stored()).hasSize(1);
        assertThat(waiting()).hasSize(4);
        assertConsistent();
    }

    /** Only what would need the trash waits for it: streams of settled policies are swept, and so are others' own TTLs. */
    @Test
    @Tag("T-5")
    void shouldSweepWhatNeedsNoTrashWhileTheTrashIsClosed() {
        // given a policy that has proved itself, one that has not, and one without undo
        fixture.policy(RetentionPolicy.of(Scope.namespace("settled"))
                .maxAge(Limit.of(50 * HOUR_MS))
                .build());
        fixture.event(event("settled/1", "a"));
        fixture.event(event("settled/1", "b").ttlSeconds(49 * 3600));
        fixture.event(event("new/1", "a"));
        fixture.event(event("final/1", "a"));
        fixture.advance(49 * HOUR_MS);
        fixture.settle();
        fixture.failed.trashRefused();
        fixture.policy(RetentionPolicy.of(Scope.namespace("new"))
                .maxAge(Limit.of(HOUR_MS))
                .build());
        fixture.policy(RetentionPolicy.of(Scope.namespace("final"))
                .maxAge(Limit.of(HOUR_MS))
                .set(PolicyField.UNDO, Limit.NONE)
                .build());

        // when
        fixture.settleFor(10);

        // then
        assertThat(fixture.ids("final/1")).isEmpty();
        assertThat(fixture.ids("new/1")).containsExactly("a");
        assertThat(fixture.ids("settled/1")).containsExactly("a");
        assertThat(fixture.status().sweepState()).isEqualTo(TaskStatus.SweepState.TRASH_CLOSED);
        assertThat(waiting()).isEmpty();

        // when
        fixture.advance(Duration.ofMinutes(5).toMillis());
        fixture.settle();

        // then
        assertThat(fixture.ids("new/1")).isEmpty();
        assertThat(waiting()).hasSize(1);
        assertThat(fixture.status().sweepState()).isEqualTo(TaskStatus.SweepState.IDLE);
        assertConsistent();
    }

    /** An own TTL is the word of the producer until {@code maxTtl} cuts it short: then the policy deletes (T-1). */
    @Test
    @Tag("T-1")
    void shouldUndoWhatANewMaxTtlHasTaken() {
        // given events of which the own TTL ends around the moment of the delete
        fixture.restart(TopologyFixture.settings(OptionalLong.of(1), 10_000));
        for (int i = 0; i < 100; i++) {
            fixture.event(event(STREAM, "e" + i).expiresAt(fixture.nowMs() + 2 * HOUR_MS + i - 50));
        }
        fixture.advance(2 * HOUR_MS - 60);
        List<StoredEvent> before = fixture.stored();
        fixture.policy(RetentionPolicy.of(Scope.namespace("orders"))
                .set(PolicyField.MAX_TTL, Limit.of(HOUR_MS))
                .build());
        long version = fixture.policies().version();
        for (int i = 0; i < 10 && !fixture.stored().isEmpty(); i++) {
            fixture.advance(60);
        }
        assertThat(fixture.stored()).isEmpty();
        long deletedMs = fixture.audits.get(0).atMs();
        assertThat(fixture.audits).extracting(AuditRecord::atMs).containsOnly(deletedMs);
        List<StoredEvent> cut = before.stream()
                .filter(stored -> Objects.requireNonNull(stored.event().ttl().expiresAt()) >= deletedMs)
                .toList();
        assertThat(cut).as("events on both sides").hasSizeBetween(1, 99);

        // when it is undone without the bound
        Command undo = undo(ofPolicy("namespace:orders", version));
        fixture.policy(RetentionPolicy.of(Scope.namespace("orders"))
                .set(PolicyField.MAX_TTL, Limit.NONE)
                .build());
        fixture.hold("INC-1", Scope.ALL);
        CommandResult result = fixture.carryOut(request("u-2", undo));

        // then the own TTL alone is final, from the millisecond after its end
        assertThat(outcome(result).events()).isEqualTo(cut.size());
        assertThat(fixture.stored()).containsExactlyInAnyOrderElementsOf(cut);
        assertConsistent();
    }

    /** What came back before a crash still stands in the place of older forms of its id (T-2). */
    @Test
    @Tag("T-4")
    void shouldSayAfterACrashThatOlderFormsAreSuperseded() {
        // given
        fixture.restart(TopologyFixture.settings(OptionalLong.of(1), 1));
        for (int form = 0; form < 2; form++) {
            for (int i = 0; i < 5; i++) {
                fixture.event(event(STREAM, "e" + i).payload(new byte[] {(byte) form}));
            }
            fixture.carryOut(request("c-" + form, delete(STREAM)));
            fixture.emptyOut();
            fixture.advance(10);
        }
        fixture.send(request("u-1", undo(since(31_536_000_000L))));

        // when it is killed in its middle
        while (fixture.stored().size() < 2) {
            fixture.advance(100);
        }
        fixture.restart();
        CommandResult result = fixture.finish("u-1");

        // then
        assertThat(outcome(result).events()).isEqualTo(5);
        assertThat(outcome(result).notReturned()).isEqualTo(Map.of(NotReturned.SUPERSEDED, 5L));
        assertThat(payloads().values()).containsOnly(1);
    }

    /** The fence comes once more if its arrival was lost in a crash; by then it is of a former life (T-4). */
    @Test
    @Tag("T-4")
    void shouldNotTakeTheFenceOfBeforeACrashForItsOwn() {
        // given
        fixture.restart(TopologyFixture.settings(OptionalLong.of(1), 1));
        for (int i = 0; i < 5; i++) {
            fixture.event(event(STREAM, "e" + i));
        }
        fixture.carryOut(request("c-1", delete(STREAM)));
        fixture.emptyOut();
        fixture.send(request("u-1", undo(ofCommand("c-1"))));
        while (fixture.stored().isEmpty()) {
            fixture.advance(100);
        }
        fixture.restart();

        // when
        byte[] fence = fixture.records.bytes(new Errand("u-1", Errand.Step.COMMITTED, 0, "{\"round\":1}"));
        fixture.pipe(
                TopologyFixture.TOPICS.commands(),
                "u-1".getBytes(StandardCharsets.UTF_8),
                fence,
                new RecordHeaders(),
                fixture.nowMs());
        CommandResult result = fixture.finish("u-1");

        // then
        assertThat(outcome(result).events()).isEqualTo(5);
        assertThat(fixture.stored()).hasSize(5);
        assertThat(waiting()).isEmpty();
    }

    private static Command undo(UndoFilter filter) {
        return new Command.UndoDeletes(filter, null);
    }

    private static UndoFilter ofCommand(String commandId) {
        return new UndoFilter(commandId, null, null, null, null, null, null, null);
    }

    private static UndoFilter ofPolicy(String policy, long version) {
        return new UndoFilter(null, null, policy, version, null, null, null, null);
    }

    private static UndoFilter since(long ms) {
        return new UndoFilter(null, null, null, null, ms, null, null, null);
    }

    /** The outcome without the end of the notice, which comes later if the undo does. */
    private static Undone said(CommandResult result) {
        Undone all = outcome(result);
        return new Undone(
                all.events(),
                all.bytes(),
                all.streams(),
                all.executions(),
                all.notReturned(),
                all.named(),
                all.streamNames(),
                null);
    }

    private static Undone outcome(CommandResult result) {
        return Objects.requireNonNull(Outcomes.undone(result), result::detail);
    }

    /** The first byte of the payload of each event of the stream. */
    private Map<String, Integer> payloads() {
        Map<String, Integer> payloads = new HashMap<>();
        fixture.stored(NAME)
                .forEach(stored -> payloads.put(stored.event().id().value(), (int)
                        Objects.requireNonNull(stored.event().payload())[0]));
        return payloads;
    }

    /** Keys of the records that are in the trash. */
    private Set<TrashKey> waiting() {
        Set<TrashKey> keys = new HashSet<>();
        fixture.trash.forEach(record -> {
            TrashKey key = TrashKey.decode(record.key());
            if (record.value() == null) {
                keys.remove(key);
            } else {
                keys.add(key);
            }
        });
        return keys;
    }

    /** All that is stored and mirrored. */
    private record Picture(List<StoredEvent> events, Map<Bytes, String> rows, Map<Bytes, String> executions) {}

    private Picture picture() {
        return new Picture(fixture.stored(), texts(fixture.mirror), texts(fixture.executionRows));
    }

    private static Map<Bytes, String> texts(Map<Bytes, byte[]> rows) {
        Map<Bytes, String> texts = new HashMap<>();
        rows.forEach((key, row) -> texts.put(key, Arrays.toString(row)));
        return texts;
    }

    private void assertSame(Picture before) {
        Picture now = picture();
        assertThat(now.events()).isEqualTo(before.events());
        assertThat(now.rows()).isEqualTo(before.rows());
        assertThat(now.executions()).isEqualTo(before.executions());
        assertConsistent();
    }

    /** Usage equals a recount (I-3). */
    private void assertConsistent() {
        assertThat(StoreCheck.problems(
                        fixture.rawEvents().all(), fixture.rawUsage().all()))
                .isEmpty();
    }
}
