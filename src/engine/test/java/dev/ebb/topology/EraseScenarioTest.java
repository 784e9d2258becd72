package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.topology.CommandFixture.delete;
import static dev.ebb.topology.CommandFixture.dryRun;
import static dev.ebb.topology.CommandFixture.planned;
import static dev.ebb.topology.CommandFixture.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandProgress;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.CommandResult.State;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.erase.EraseCase;
import dev.ebb.domain.erase.EraseRest;
import dev.ebb.domain.erase.EventCondition;
import dev.ebb.domain.erase.RemainingPlace;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.plan.LeftOut;
import dev.ebb.domain.plan.PlanOutcome;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.model.EventBuilder;
import dev.ebb.serde.text.JsonState;
import dev.ebb.store.layout.Range;
import dev.ebb.topology.observe.Copies.Kind;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Erasure of all events that match, wherever they are. */
@Tag("T-10")
class EraseScenarioTest {

    private TopologyFixture fixture = TopologyFixture.inMemory();

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    @DisplayName("EraseFindsAll")
    void eraseFindsAll() {
        // given events in each of the four parts of the store, of several streams and executions
        fixture.policy(RetentionPolicy.of(Scope.namespace("log"))
                .set(PolicyField.ALLOW_INFINITE_TTL, true)
                .build());
        fixture.event(of42("orders/1", "plain"));
        fixture.event(of42("orders/2", "timed").ttlSeconds(1000));
        fixture.event(of42("log/1", "endless").ttl(OwnTtl.INFINITE));
        fixture.event(of42("log/1", "pinned").status("running"));
        fixture.event(of42("jobs/1", "generation").execution(3));
        fixture.event(event("orders/1", "other").metadata(Map.of("user", "421")));
        fixture.event(event("orders/1", "none"));
        fixture.event(event("orders/1", "elsewhere").metadata(Map.of("customer", "42")));

        // when
        CommandResult result = fixture.carryOut(request("c-1", erase(null, true, "metadata.user=42")));

        // then
        assertThat(result.state()).isEqualTo(State.DONE);
        assertThat(result.outcome().deletions().eventsDeleted()).isEqualTo(5);
        assertThat(result.outcome().deletions().protectedEventsDeleted()).isEqualTo(2);
        assertThat(result.outcome().deletions().streamsProcessed()).isEqualTo(4);
        assertThat(fixture.stored().stream().map(stored -> stored.event().id().value()))
                .containsExactlyInAnyOrder("other", "none", "elsewhere");
        assertThat(fixture.mirror).hasSize(3);
        assertThat(fixture.audits)
                .allSatisfy(audit -> {
                    assertThat(audit.cause()).isEqualTo("ERASE");
                    assertThat(audit.commandId()).isEqualTo("c-1");
                    assertThat(audit.reason()).isEqualTo("clean-up");
                })
                .flatExtracting(AuditRecord::eventIds)
                .containsExactlyInAnyOrder("plain", "timed", "endless", "pinned", "generation");
    }

    @Test
    void shouldTakeEventsThatMeetAllConditionsAndNoOthers() {
        // given
        fixture.event(of42("orders/1", "both").type("order").correlationId("c/9"));
        fixture.event(of42("orders/1", "oneOnly").type("order"));
        fixture.event(event("orders/1", "otherOnly").type("order").correlationId("c/9"));
        fixture.event(of42("bills/1", "elsewhere").type("order").correlationId("c/9"));

        // when
        Command erase = erase("orders", false, "metadata.user=42", "correlationId=c/9", "type=order");
        CommandResult dry = fixture.carryOut(dryRun("c-1", erase));
        List<String> afterDryRun = fixture.ids("orders/1");
        CommandResult result = fixture.carryOut(request("c-2", erase));

        // then
        assertThat(afterDryRun).contains("both");
        assertThat(dry.outcome().deletions()).isEqualTo(result.outcome().deletions());
        assertThat(result.outcome().deletions().eventsDeleted()).isEqualTo(1);
        assertThat(fixture.ids("orders/1")).containsExactly("oneOnly", "otherOnly");
        assertThat(fixture.ids("bills/1")).containsExactly("elsewhere");
    }

    @Test
    @DisplayName("EraseSparesHeld")
    @Tag("M-18")
    void eraseSparesHeld() {
        // given
        archiveAll();
        fixture.event(of42("orders/1", "held"));
        fixture.event(of42("orders/1", "archivedThenHeld"));
        fixture.event(of42("orders/2", "busy").status("running"));
        fixture.event(of42("orders/3", "free"));
        fixture.carryOut(request("c-0", CommandFixture.deleteEvent("orders/1", "archivedThenHeld", false)));
        fixture.hold("LIT-1", Scope.stream("orders/1"));

        // when
        CommandResult result = fixture.carryOut(request("c-1", erase(null, false, "metadata.user=42")));

        // then
        assertThat(result.state()).isEqualTo(State.DONE);
        assertThat(result.outcome().deletions().eventsDeleted()).isEqualTo(1);
        assertThat(result.outcome().deletions().streamsSkipped())
                .isEqualTo(Map.of(Refusal.HELD, 1L, Refusal.PROTECTED, 1L));
        assertThat(result.detail()).contains("3 stay: held by [LIT-1]").contains("1 stay: protected");
        assertThat(fixture.ids("orders/1")).containsExactly("held");
        assertThat(fixture.ids("orders/2")).containsExactly("busy");
        assertThat(fixture.copies.ids(Kind.ARCHIVE)).containsExactly("archivedThenHeld");
        assertThat(fixture.copies.ids(Kind.TRASH)).containsExactly("archivedThenHeld");

        // when force does not help
        CommandResult forced = fixture.carryOut(request("c-2", erase(null, true, "metadata.user=42")));

        // then
        assertThat(forced.outcome().deletions().streamsSkipped()).isEqualTo(Map.of(Refusal.HELD, 1L));
        assertThat(fixture.ids("orders/1")).containsExactly("held");
        assertThat(fixture.ids("orders/2")).isEmpty();
    }

    @Test
    @DisplayName("EraseReachesTrashAndArchive")
    void eraseReachesTrashAndArchive() {
        // given events that went before, each with a copy
        archiveAll();
        fixture.event(of42("orders/1", "deleted"));
        fixture.event(of42("orders/2", "expired").ttlSeconds(10));
        fixture.event(event("orders/1", "other").metadata(Map.of("user", "7")));
        fixture.event(of42("orders/3", "stored"));
        fixture.carryOut(request("c-0", delete("orders/1")));
        fixture.emptyOut();
        fixture.advance(20_000);
        fixture.settle();
        assertThat(fixture.copies.ids(Kind.ARCHIVE)).containsExactlyInAnyOrder("deleted", "other", "expired");
        assertThat(fixture.copies.ids(Kind.TRASH)).containsExactlyInAnyOrder("deleted", "other");

        // when
        CommandResult result = fixture.carryOut(request("c-1", erase(null, false, "metadata.user=42")));

        // then
        assertThat(fixture.copies.ids(Kind.ARCHIVE)).containsExactly("other");
        assertThat(fixture.copies.ids(Kind.TRASH)).containsExactly("other");
        assertThat(fixture.stored()).isEmpty();
        assertThat(fixture.archived).hasSize(3);
        assertThat(result.outcome().deletions().eventsDeleted()).isEqualTo(1);
        assertThat(result.detail()).isEqualTo("3 copies of events that had gone before went as well");
    }

    @Test
    @DisplayName("EraseListsWhereItCouldStillBe")
    @Tag("T-11")
    void eraseListsWhereItCouldStillBe() {
        // given
        fixture.event(of42("orders/1", "a"));
        fixture.event(of42("orders/2", "held"));
        fixture.event(of42("orders/2", "also held"));
        fixture.hold("LIT-1", Scope.stream("orders/2"));

        // when
        fixture.carryOut(request("c-1", erase(null, false, "metadata.user=42")));

        // then
        assertThat(fixture.erasures).singleElement().satisfies(audit -> {
            assertThat(audit.scope()).isEqualTo("erase:GDPR-7");
            assertThat(audit.commandId()).isEqualTo("c-1");
            assertThat(audit.policy()).doesNotContain("42\"");
            EraseCase account = JsonState.read(Objects.requireNonNull(audit.policy()), EraseCase.class);
            assertThat(account.fields()).containsExactly("metadata.user");
            assertThat(account.events()).isEqualTo(1);
            assertThat(account.left()).isEqualTo(Map.of("HELD", 2L));
            assertThat(account.places().get(0).name()).isEqualTo("the state and SQL: 2 matches that stay");
            assertThat(account.places().get(0).untilMs()).isNull();
            assertThat(account.places().subList(1, account.places().size()))
                    .containsExactly(new RemainingPlace("ebb.events", "whole events", account.finishedMs() + 5, "s=5"));
        });

        // and its proof is a leaf of the tree like the deletes
        fixture.settleFor(3);
        assertThat(fixture.deletes.again()).isNull();
    }

    @Test
    @DisplayName("EraseCountsRejectedRecords")
    @Tag("T-11")
    void eraseCountsRejectedRecords() {
        // given rejected records, which no tombstone reaches
        fixture.event(of42("orders/1", "a"));
        fixture.copies.rejected = List.of(new EraseRest.Rejected("ebb.rejected", 0, 2, List.of(3L, 8L), 1));
        String told = "2 rejected records match and stay until their topic lets them go; 1 rejected records cannot be"
                + " read and may match";

        // when
        CommandResult dry = fixture.carryOut(dryRun("p-1", erase(null, false, "metadata.user=42")));
        CommandResult done = fixture.carryOut(request("c-1", erase(null, false, "metadata.user=42")));

        // then the dry run, the answer and the account of the case tell of them
        assertThat(dry.detail()).isEqualTo(told);
        assertThat(done.state()).isEqualTo(State.DONE);
        assertThat(done.detail()).isEqualTo(told);
        assertThat(fixture.copies.rest.rejected()).isEqualTo(fixture.copies.rejected);
        assertThat(fixture.erasures).singleElement().satisfies(audit -> assertThat(audit.policy())
                .contains(told));
    }

    /** For builds that are wrong on purpose. */
    static void play() {
        List.<Consumer<EraseScenarioTest>>of(
                        EraseScenarioTest::eraseFindsAll,
                        EraseScenarioTest::eraseSparesHeld,
                        EraseScenarioTest::eraseReachesTrashAndArchive,
                        EraseScenarioTest::shouldEraseWhatArrivesWhileItRuns,
                        EraseScenarioTest::shouldForgetNoEventThatIsWrittenBeforeAKill,
                        EraseScenarioTest::shouldErasePlannedEventsAndNoOthers,
                        EraseScenarioTest::shouldLeaveOutOfAPlannedErasureWhatIsNotAsItWas)
                .forEach(scenario -> {
                    EraseScenarioTest test = new EraseScenarioTest();
                    scenario.accept(test);
                    test.close();
                });
    }

    @Test
    void shouldSayThatCopiesCannotBeRead() {
        // given
        fixture.event(of42("orders/1", "a"));
        fixture.copies.problem = "the archive cannot be read: no rights";

        // when
        CommandResult result = fixture.carryOut(request("c-1", erase(null, false, "metadata.user=42")));

        // then
        assertThat(result.state()).isEqualTo(State.REFUSED);
        assertThat(result.refusal()).isEqualTo(Refusal.NOT_READY);
        assertThat(result.detail()).contains("no rights");
        assertThat(result.outcome().deletions().eventsDeleted()).isEqualTo(1);
    }

    @Test
    void shouldEraseWhatArrivesWhileItRuns() {
        // given more than fits into one slice
        restartWithBatchesOf(2);
        fixture.event(of42("orders/0", "first"));
        fixture.event(event("orders/0", "other"));
        for (int i = 0; i < 10; i++) {
            fixture.event(of42("orders/1", "e" + i));
        }
        fixture.send(request("c-1", erase(null, true, "metadata.user=42")));
        for (int i = 0; i < 100 && fixture.stored().size() == 12; i++) {
            fixture.advance(100);
        }
        assertThat(fixture.ids("orders/0")).containsExactly("other");
        assertThat(isRunning("c-1")).isTrue();

        // when one arrives in a part that has been read, and one moves to another part of the store
        fixture.event(of42("orders/0", "late"));
        fixture.status("orders/1", "e9", "running");
        CommandResult result = fixture.finish("c-1");

        // then
        assertThat(fixture.stored()).hasSize(1);
        assertThat(result.outcome().deletions().eventsDeleted()).isEqualTo(12);
    }

    @Test
    void shouldLeaveAnEventThatDoesNotMatchAnyMoreWhenItsTurnComes() {
        // given
        restartWithBatchesOf(1);
        fixture.event(of42("orders/1", "a"));
        fixture.event(of42("orders/1", "b"));
        fixture.send(request("c-1", erase(null, false, "metadata.user=42")));
        fixture.advance(100);
        List<String> left = fixture.ids("orders/1");

        // when the other one is anonymized meanwhile
        left.forEach(id -> fixture.event(event("orders/1", id).metadata(Map.of())));
        CommandResult result = fixture.finish("c-1");

        // then
        assertThat(fixture.ids("orders/1")).isEqualTo(left);
        assertThat(result.outcome().deletions().eventsDeleted()).isEqualTo(2 - left.size());
    }

    @Test
    @DisplayName("EraseSurvivesKill")
    @Tag("O-11")
    void eraseSurvivesKill() {
        // given a run without a kill
        fillForKills();
        CommandResult unbroken = fixture.carryOut(request("c-1", erase(null, false, "metadata.user=42")));
        List<String> left = ids();
        List<String> copiesLeft = fixture.copies.ids(Kind.ARCHIVE);

        // when another one is killed again and again, in its search, its copies and its count
        fixture.close();
        fixture = TopologyFixture.inMemory();
        fillForKills();
        fixture.send(request("c-1", erase(null, false, "metadata.user=42")));
        int kills = 0;
        while (isRunning("c-1") && kills < 1000) {
            workOnce();
            fixture.restart();
            kills++;
        }
        CommandResult result = fixture.finish("c-1");

        // then
        assertThat(kills).isBetween(10, 999);
        assertThat(result.state()).isEqualTo(State.DONE);
        assertThat(result.outcome().deletions()).isEqualTo(unbroken.outcome().deletions());
        assertThat(result.outcome().deletions().eventsDeleted()).isEqualTo(27);
        assertThat(result.outcome().deletions().streamsProcessed()).isEqualTo(5);
        assertThat(result.detail()).isEqualTo(unbroken.detail());
        assertThat(ids()).isEqualTo(left).hasSize(35);
        assertThat(fixture.copies.ids(Kind.ARCHIVE)).isEqualTo(copiesLeft).isEmpty();
        assertThat(fixture.audits)
                .filteredOn(audit -> "c-1".equals(audit.commandId()))
                .flatExtracting(AuditRecord::eventIds)
                .hasSize(27)
                .doesNotHaveDuplicates();
        assertThat(notesOfErasures()).isZero();

        // when it is sent again
        CommandResult again = fixture.carryOut(request("c-1", erase(null, false, "metadata.user=42")));

        // then
        assertThat(again.outcome().deletions()).isEqualTo(result.outcome().deletions());
    }

    /** Events in several parts of the store, some that stay, and some with copies alone. */
    private void fillForKills() {
        archiveAll();
        restartWithBatchesOf(3);
        for (int i = 0; i < 30; i++) {
            EventBuilder meant = of42("orders/" + i % 3, "e" + i);
            fixture.event(i % 10 == 0 ? meant.status("running") : i % 4 == 0 ? meant.ttlSeconds(10_000) : meant);
            fixture.event(event("orders/" + i % 3, "other" + i));
        }
        fixture.event(of42("log/1", "copied"));
        fixture.carryOut(request("c-0", CommandFixture.deleteEvent("log/1", "copied", false)));
        fixture.event(of42("jobs/1", "busy").status("running"));
        fixture.event(of42("held/1", "held"));
        fixture.hold("LIT-1", Scope.stream("held/1"));
        fixture.settle();
    }

    /** Lets time pass until the erasure has gone on by one slice. */
    private void workOnce() {
        List<String> before = notes();
        for (int i = 0; i < 200 && notes().equals(before); i++) {
            fixture.advance(100);
        }
    }

    /** The state of the erasure as it is written down. */
    private List<String> notes() {
        List<String> notes = new ArrayList<>();
        try (var entries = fixture.rawUsage().all()) {
            entries.forEachRemaining(entry -> {
                String text = new String(entry.value, StandardCharsets.UTF_8);
                if (text.contains("\"askedBy\"")) {
                    notes.add(text);
                }
            });
        }
        return notes;
    }

    private boolean isRunning(String commandId) {
        CommandResult result = fixture.result(commandId);
        return result == null || !result.isFinal();
    }

    private List<String> ids() {
        return fixture.stored().stream()
                .map(stored -> stored.event().id().value())
                .sorted()
                .toList();
    }

    /** Number of entries that erasures have left in the store. */
    private long notesOfErasures() {
        long notes = 0;
        try (var entries = fixture.rawEvents().all()) {
            while (entries.hasNext()) {
                notes += entries.next().key.get()[0] == Range.PLANNED.code() ? 1 : 0;
            }
        }
        return notes;
    }

    @Test
    void shouldForgetNoEventThatIsWrittenBeforeAKill() {
        // given a search that has read the first stream
        restartWithBatchesOf(2);
        fixture.event(of42("orders/0", "first"));
        for (int i = 0; i < 10; i++) {
            fixture.event(of42("orders/1", "e" + i));
        }
        fixture.send(request("c-1", erase(null, true, "metadata.user=42")));
        for (int i = 0; i < 100 && fixture.stored().size() == 11; i++) {
            fixture.advance(100);
        }

        // when an event comes to that stream, and the task is killed before its turn
        fixture.event(of42("orders/0", "late"));
        fixture.restart();
        CommandResult result = fixture.finish("c-1");

        // then
        assertThat(fixture.stored()).isEmpty();
        assertThat(result.outcome().deletions().eventsDeleted()).isEqualTo(12);
        assertThat(result.outcome().deletions().streamsProcessed()).isEqualTo(2);
    }

    /** A reader that goes on behind the end of its task would never be told to stop (T-10). */
    @Test
    @Tag("O-11")
    void shouldCloseItsSearchWhenItsTaskEnds() {
        // given an erasure that looks for copies
        archiveAll();
        fixture.event(of42("orders/1", "deleted"));
        fixture.carryOut(request("c-0", delete("orders/1")));
        fixture.emptyOut();
        fixture.copies.isEndless = true;
        fixture.send(request("c-1", erase(null, false, "metadata.user=42")));
        for (int i = 0; i < 100 && fixture.copies.open.isEmpty(); i++) {
            fixture.advance(100);
        }
        assertThat(fixture.copies.open).hasSize(1);

        // when
        fixture.restart();

        // then
        assertThat(fixture.copies.open).isEmpty();
        fixture.copies.isEndless = false;
        assertThat(fixture.finish("c-1").state()).isEqualTo(State.DONE);
        assertThat(fixture.copies.open).isEmpty();
    }

    @Test
    void shouldTellHowFarItIs() {
        // given
        restartWithBatchesOf(1);
        for (int i = 0; i < 50; i++) {
            fixture.event(i % 5 == 0 ? of42("orders/1", "e" + i) : event("orders/1", "e" + i));
        }

        // when
        fixture.send(request("c-1", erase(null, false, "metadata.user=42")));
        CommandResult result = fixture.finish("c-1");

        // then
        List<CommandProgress> told = fixture.results.stream()
                .map(CommandResult::progress)
                .filter(Objects::nonNull)
                .toList();
        assertThat(told).isNotEmpty().allSatisfy(progress -> assertThat(progress.total())
                .isBetween(40L, 50L));
        assertThat(told).extracting(CommandProgress::done).isSorted();
        assertThat(result.progress()).isNull();
    }

    @Test
    @Tag("T-11")
    void shouldGoOnBehindCopiesThatCannotBeRead() {
        // given
        archiveAll();
        fixture.event(of42("orders/1", "deleted"));
        fixture.carryOut(request("c-0", delete("orders/1")));
        fixture.emptyOut();
        fixture.copies.unread = List.of(new EraseRest.Unread("ebb.trash", 0, 2, List.of(7L, 9L)));

        // when
        CommandResult result = fixture.carryOut(request("c-1", erase(null, false, "metadata.user=42")));

        // then
        assertThat(result.state()).isEqualTo(State.DONE);
        assertThat(result.detail()).contains("2 copies are damaged");
        assertThat(fixture.copies.ids(Kind.TRASH)).isEmpty();
        assertThat(fixture.copies.rest.unread()).isEqualTo(fixture.copies.unread);
    }

    @Test
    @DisplayName("A plan of an erasure takes what it has listed, and nothing else")
    @Tag("T-6")
    void shouldErasePlannedEventsAndNoOthers() {
        // given a stored event, one of which only copies are left, and one of both
        archiveAll();
        fixture.event(of42("orders/1", "deleted"));
        fixture.event(of42("orders/1", "stored"));
        fixture.event(of42("orders/2", "both"));
        fixture.carryOut(request("c-0", CommandFixture.deleteEvent("orders/1", "deleted", false)));
        CommandResult dry = fixture.carryOut(dryRun("p-1", erase(null, false, "metadata.user=42")));

        // when more come, stored and as copies
        fixture.event(of42("orders/1", "late"));
        fixture.event(of42("orders/1", "lateDeleted"));
        fixture.carryOut(request("c-2", CommandFixture.deleteEvent("orders/1", "lateDeleted", false)));
        fixture.carryOut(request("c-3", CommandFixture.deleteEvent("orders/2", "both", false)));
        CommandResult real =
                fixture.carryOut(planned("p-1", "c-4", new Command.EraseEvents(List.of(), null, "", false)));

        // then
        PlanOutcome plan = Objects.requireNonNull(dry.plan());
        assertThat(plan.events()).isEqualTo(3);
        assertThat(dry.outcome().deletions().eventsDeleted()).isEqualTo(2);
        assertThat(real.state()).as(real.detail()).isEqualTo(State.DONE);
        assertThat(Objects.requireNonNull(real.plan()).exact()).isTrue();
        assertThat(real.outcome().deletions().eventsDeleted()).isEqualTo(1);
        assertThat(ids()).containsExactly("late");
        assertThat(fixture.copies.ids(Kind.ARCHIVE)).containsExactly("lateDeleted");
        assertThat(fixture.copies.ids(Kind.TRASH)).containsExactly("lateDeleted");
        assertThat(fixture.erasures).singleElement().satisfies(audit -> assertThat(audit.scope())
                .isEqualTo("erase:GDPR-7"));
        assertThat(notesOfErasures()).isZero();
    }

    @Test
    @Tag("T-6")
    void shouldLeaveOutOfAPlannedErasureWhatIsNotAsItWas() {
        // given
        for (String id : List.of("goes", "gone", "changed", "kept", "busy")) {
            fixture.event(of42("orders/1", id));
        }
        fixture.event(of42("held/1", "held"));
        fixture.carryOut(dryRun("p-1", erase(null, false, "metadata.user=42")));

        // when
        fixture.policy(
                RetentionPolicy.of(Scope.ALL).set(PolicyField.UNDO, Limit.NONE).build());
        fixture.settle();
        fixture.carryOut(request("c-0", CommandFixture.deleteEvent("orders/1", "gone", false)));
        fixture.carryOut(request("c-1", CommandFixture.deleteEvent("orders/1", "changed", false)));
        fixture.event(of42("orders/1", "changed"));
        fixture.event(event("orders/1", "kept"));
        fixture.event(of42("orders/1", "busy").status("running"));
        fixture.hold("LIT-1", Scope.stream("held/1"));
        CommandResult real = fixture.carryOut(planned("p-1", "c-2", erase(null, false, "metadata.user=42")));

        // then
        PlanOutcome plan = Objects.requireNonNull(real.plan(), real.detail());
        assertThat(plan.events()).isEqualTo(6);
        assertThat(plan.exact()).isFalse();
        assertThat(plan.eventsDone()).isEqualTo(1);
        assertThat(plan.leftOut())
                .isEqualTo(Map.of(
                        LeftOut.GONE, 1L,
                        LeftOut.CHANGED, 1L,
                        LeftOut.KEPT, 1L,
                        LeftOut.PROTECTED, 1L,
                        LeftOut.HELD, 1L));
        assertThat(ids()).containsExactly("busy", "changed", "held", "kept");
        assertThat(real.outcome().deletions().streamsSkipped())
                .isEqualTo(Map.of(Refusal.PROTECTED, 1L, Refusal.HELD, 1L));
    }

    @Test
    @Tag("T-6")
    void shouldRefuseAPlanOfAnotherErasure() {
        // given
        fixture.event(of42("orders/1", "a"));
        fixture.carryOut(dryRun("p-1", erase("orders", false, "metadata.user=42")));

        // when
        List<CommandResult> results = List.of(
                fixture.carryOut(planned("p-1", "c-1", erase(null, false, "metadata.user=43"))),
                fixture.carryOut(planned("p-1", "c-2", erase("bills", false, "metadata.user=42"))),
                fixture.carryOut(planned("p-1", "c-3", erase("orders", true, "metadata.user=42"))),
                fixture.carryOut(planned("p-1", "c-4", new Command.EraseEvents(List.of(), null, "OTHER", false))));

        // then
        assertThat(results).extracting(CommandResult::refusal).containsOnly(Refusal.OTHER_PLAN);
        assertThat(ids()).containsExactly("a");
    }

    @Test
    @Tag("T-6")
    void shouldCarryOutAPlannedErasureOverKills() {
        // given
        fillForKills();
        CommandResult dry = fixture.carryOut(dryRun("p-1", erase(null, false, "metadata.user=42")));
        fixture.send(planned("p-1", "c-1", erase(null, false, "metadata.user=42")));

        // when
        for (int kills = 0; isRunning("c-1") && kills < 1000; kills++) {
            workOnce();
            fixture.restart();
        }
        CommandResult real = fixture.finish("c-1");

        // then the event of which only copies are left is in the plan
        assertThat(Objects.requireNonNull(dry.plan()).events()).isEqualTo(28);
        assertThat(Objects.requireNonNull(real.plan()).exact()).isTrue();
        assertThat(real.outcome().deletions().eventsDeleted()).isEqualTo(27);
        assertThat(ids()).hasSize(35);
        assertThat(fixture.copies.ids(Kind.ARCHIVE)).isEmpty();
    }

    private void restartWithBatchesOf(int deletes) {
        fixture.restart(TopologyFixture.settings(OptionalLong.of(1), deletes));
    }

    private void archiveAll() {
        fixture.policy(
                RetentionPolicy.of(Scope.ALL).set(PolicyField.ARCHIVE, true).build());
    }

    private static EventBuilder of42(String stream, String id) {
        byte[] payload = "secret of 42".getBytes(StandardCharsets.UTF_8);
        return event(stream, id).metadata(Map.of("user", "42", "agent", "web")).payload(payload);
    }

    static Command erase(@Nullable String namespace, boolean isForced, String... where) {
        List<EventCondition> conditions =
                Arrays.stream(where).map(EventCondition::parse).toList();
        return new Command.EraseEvents(conditions, namespace, "GDPR-7", isForced);
    }
}
