package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.topology.CommandFixture.dryRun;
import static dev.ebb.topology.CommandFixture.planned;
import static dev.ebb.topology.CommandFixture.request;
import static dev.ebb.topology.CommandFixture.sweep;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.CommandResult.State;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.plan.LeftOut;
import dev.ebb.domain.plan.PlanDigest;
import dev.ebb.domain.plan.PlanOutcome;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.PolicyMode;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.SweepWindow;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.store.StoreCheck;
import dev.ebb.store.layout.Range;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Plans of one partition: made by a dry run, carried out by the command. */
@Tag("T-6")
class PlanScenarioTest {

    private static final long HOUR_MS = 3_600_000;
    private static final SweepWindow CLOSED = SweepWindow.parse("12:00-12:01 UTC");

    private final TopologyFixture fixture = fixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    private static TopologyFixture fixture() {
        TopologyFixture fixture = TopologyFixture.inMemory(TopologyFixture.settings(OptionalLong.empty(), 3));
        fixture.policy(everything().build());
        fixture.settleFor(1);
        return fixture;
    }

    private static RetentionPolicy.Builder everything() {
        return RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(HOUR_MS)).set(PolicyField.WINDOW, CLOSED);
    }

    @Test
    @DisplayName("PlanRunsExactly")
    void shouldDeleteExactlyWhatTheDryRunListed() {
        // given
        fillOld("a/1", 10);
        fillOld("b/1", 4);
        PlanDigest due = digest(event -> true);
        fixture.event(event("a/1", "young"));

        // when
        CommandResult dry = fixture.carryOut(dryRun("p-1", sweep(Scope.ALL)));
        CommandResult real =
                fixture.carryOut(new CommandRequest("c-1", "otto", "clean-up", false, null, sweep(Scope.ALL), "p-1"));

        // then
        PlanOutcome plan = plan(dry);
        assertThat(plan.planId()).isEqualTo("p-1");
        assertThat(plan.madeBy()).isEqualTo("anna");
        assertThat(plan(real).madeBy()).isEqualTo("anna");
        assertThat(plan.sweepPoint().toEpochMilli()).isEqualTo(Outcomes.sweepPointMs(dry));
        assertThat(plan.digest()).isEqualTo(due.text());
        assertThat(plan.digestDone()).isNull();
        assertThat(plan(real).exact()).isTrue();
        assertThat(plan(real).digestDone()).isEqualTo(due.text());
        assertThat(Outcomes.sweepPointMs(real)).isEqualTo(Outcomes.sweepPointMs(dry));
        assertThat(real.outcome().deletions()).isEqualTo(dry.outcome().deletions());
        assertThat(Outcomes.swept(real).parts().biggest())
                .containsExactlyInAnyOrderElementsOf(Outcomes.swept(dry).parts().biggest());
        assertThat(fixture.ids("a/1")).containsExactly("young");
        assertThat(fixture.reports).extracting("commandId").containsExactly("c-1");
        assertThat(fixture.audits)
                .allSatisfy(audit -> assertThat(audit.commandId()).isEqualTo("c-1"));
        assertConsistent();
    }

    @Test
    @DisplayName("PlanNeverOneMore")
    void shouldLeaveWhatHasFallenDueOrComeSince() {
        // given
        fixture.event(event("a/1", "working").status("running"));
        fillOld("a/1", 5);
        fixture.carryOut(dryRun("p-1", sweep(Scope.ALL)));
        long oldMs = fixture.nowMs() - 5 * HOUR_MS;
        fixture.policy(everything()
                .maxAge(Limit.of(60_000))
                .set(PolicyField.ANCHOR, Anchor.OCCURRED)
                .maxCount(Limit.of(1))
                .build());
        fixture.event(event("a/1", "late").occurredAt(oldMs));
        fixture.event(event("a/1", "working").status("completed").occurredAt(oldMs));
        fixture.settleFor(3);

        // when
        CommandResult real = fixture.carryOut(planned("p-1", "c-1", sweep(Scope.ALL)));

        // then
        assertThat(plan(real).exact()).isTrue();
        assertThat(fixture.ids("a/1")).containsExactlyInAnyOrder("working", "late");
        CommandResult rest = fixture.carryOut(dryRun("p-2", sweep(Scope.ALL)));
        assertThat(rest.outcome().deletions().eventsDeleted())
                .as("due without a plan")
                .isEqualTo(2);
    }

    @Test
    @DisplayName("PlanLeavesOutWhatIsProtectedSince")
    void shouldLeaveOutWhatIsProtectedHeldChangedOrGone() {
        // given
        fillOld("a/1", 4);
        fillOld("a/held", 2);
        fillOld("a/gone", 3);
        fillOld("a/kept", 1);
        CommandResult dry = fixture.carryOut(dryRun("p-1", sweep(Scope.ALL)));
        fixture.event(event("a/1", "0").status("running"));
        fixture.carryOut(request("c-0", CommandFixture.deleteEvent("a/1", "1", false)));
        fixture.event(event("a/1", "1"));
        fixture.carryOut(request("c-1", CommandFixture.delete("a/gone")));
        fixture.hold("LIT-1", Scope.stream("a/held"));
        fixture.policy(RetentionPolicy.of(Scope.stream("a/kept"))
                .set(PolicyField.MODE, PolicyMode.WARN)
                .build());
        fixture.settleFor(3);

        // when
        CommandResult real = fixture.carryOut(planned("p-1", "c-2", sweep(Scope.ALL)));

        // then
        assertThat(plan(dry).events()).isEqualTo(10);
        assertThat(plan(real).exact()).isFalse();
        assertThat(plan(real).leftOut()).containsExactlyInAnyOrderEntriesOf(left(real));
        assertThat(plan(real).leftOut().values().stream()
                                .mapToLong(Long::longValue)
                                .sum()
                        + plan(real).eventsDone())
                .isEqualTo(10);
        assertThat(fixture.ids("a/1")).containsExactlyInAnyOrder("0", "1");
        assertThat(fixture.ids("a/held")).hasSize(2);
        assertThat(fixture.ids("a/kept")).hasSize(1);
        assertConsistent();
    }

    private static Map<LeftOut, Long> left(CommandResult real) {
        assertThat(real.outcome().deletions().eventsDeleted()).isEqualTo(2);
        // The upsert of an event that is due makes a new one: its stream has it, at another time of storing.
        return Map.of(LeftOut.CHANGED, 2L, LeftOut.GONE, 3L, LeftOut.HELD, 2L, LeftOut.KEPT, 1L);
    }

    @Test
    void shouldLeaveOutAnEventThatBecameProtected() {
        // given
        fixture.event(event("a/1", "e"));
        fixture.event(event("a/1", "f"));
        fixture.carryOut(dryRun("p-1", CommandFixture.prune("a/1", 0L, null)));
        fixture.event(event("a/1", "e").status("running"));

        // when
        CommandResult real = fixture.carryOut(planned("p-1", "c-1", CommandFixture.prune("a/1", 0L, null)));

        // then
        assertThat(plan(real).leftOut()).isEqualTo(Map.of(LeftOut.PROTECTED, 1L));
        assertThat(fixture.ids("a/1")).containsExactly("e");
    }

    /** The number of an execution means another one where the name of the stream was used again. */
    @Test
    void shouldLeaveOutAnExecutionOfAnotherLife() {
        // given a plan to forget an execution without events
        runs();
        fixture.carryOut(dryRun("p-1", CommandFixture.prune("a/1", 1L, null)));
        fixture.carryOut(request("c-0", CommandFixture.deleteForced("a/1")));
        fixture.emptyOut();
        runs();

        // when
        CommandResult real = fixture.carryOut(planned("p-1", "c-1", CommandFixture.prune("a/1", 1L, null)));

        // then
        assertThat(real.state()).as(real.detail()).isEqualTo(State.DONE);
        assertThat(fixture.reader().executions(new StreamName("a/1"), Long.MAX_VALUE, 10))
                .extracting(usage -> usage.execution().number())
                .containsExactlyInAnyOrder(1L, 2L);
    }

    private void runs() {
        for (long number = 1; number <= 2; number++) {
            fixture.advance(10);
            fixture.execution(CommandFixture.execution("a/1", number, "running"));
            fixture.execution(CommandFixture.execution("a/1", number, "completed"));
        }
    }

    @Test
    @DisplayName("PlanOfAnotherSetRefused")
    void shouldRefuseThePlanOfAnotherCommand() {
        // given
        fillOld("a/1", 2);
        fillOld("b/1", 2);
        fixture.carryOut(dryRun("p-1", sweep(Scope.namespace("a"))));

        // when
        CommandResult other = fixture.carryOut(planned("p-1", "c-1", sweep(Scope.namespace("b"))));
        CommandResult unknown = fixture.carryOut(planned("p-2", "c-2", sweep(Scope.ALL)));
        CommandResult bare = fixture.carryOut(planned("p-1", "c-3", sweep(Scope.ALL)));

        // then
        assertThat(other.refusal()).isEqualTo(Refusal.OTHER_PLAN);
        assertThat(unknown.refusal()).isEqualTo(Refusal.NO_PLAN);
        assertThat(bare.state()).isEqualTo(State.DONE);
        assertThat(fixture.ids("b/1")).hasSize(2);
        assertThat(fixture.ids("a/1")).isEmpty();
    }

    @Test
    @DisplayName("PlanOnce")
    void shouldCarryOutAPlanOnceAndWithinADay() {
        // given
        fillOld("a/1", 4);
        fixture.carryOut(dryRun("p-1", sweep(Scope.ALL)));
        fixture.carryOut(dryRun("p-2", sweep(Scope.ALL)));

        // when
        CommandResult first = fixture.carryOut(planned("p-1", "c-1", sweep(Scope.ALL)));
        CommandResult again = fixture.carryOut(planned("p-1", "c-2", sweep(Scope.ALL)));
        fixture.restart();
        CommandResult afterRestart = fixture.carryOut(planned("p-1", "c-3", sweep(Scope.ALL)));
        fixture.advance(24 * HOUR_MS + 60_000);
        CommandResult tooLate = fixture.carryOut(planned("p-2", "c-4", sweep(Scope.ALL)));

        // then
        assertThat(first.state()).isEqualTo(State.DONE);
        assertThat(List.of(again, afterRestart, tooLate))
                .extracting(CommandResult::refusal)
                .containsOnly(Refusal.NO_PLAN);
        assertThat(again.detail()).contains("c-1");
        assertThat(tooLate.detail()).contains("expired");
    }

    @Test
    void shouldRefuseAPlanWhosePointIsToCome() {
        // given
        fixture.event(event("a/1", "e"));
        long tomorrow = fixture.nowMs() + 20 * HOUR_MS;
        fixture.carryOut(dryRun("p-1", new Command.SweepNow(Scope.ALL, tomorrow)));

        // when
        CommandResult early = fixture.carryOut(planned("p-1", "c-1", sweep(Scope.ALL)));

        // then
        assertThat(early.refusal()).isEqualTo(Refusal.NOT_READY);
        assertThat(fixture.ids("a/1")).containsExactly("e");
    }

    @Test
    void shouldGoOnWithAPlanBehindARestart() {
        // given
        fillOld("a/1", 40);
        fixture.carryOut(dryRun("p-1", sweep(Scope.ALL)));
        fixture.send(planned("p-1", "c-1", sweep(Scope.ALL)));
        while (fixture.ids("a/1").size() == 40) {
            fixture.advance(100);
        }

        // when
        assertThat(fixture.ids("a/1")).as("a plan in its middle").isNotEmpty();
        fixture.restart();
        CommandResult real = fixture.finish("c-1");

        // then
        assertThat(plan(real).exact()).isTrue();
        assertThat(real.outcome().deletions().eventsDeleted()).isEqualTo(40);
        assertConsistent();
    }

    /** What an undo brings back was not there when the plan was made, although it has its old place in the order. */
    @Test
    @Tag("T-2")
    void shouldLeaveAStreamInWhichEventsHaveComeBack() {
        // given a plan of the eight events that a prune has left
        fillYoung("a/1", 10);
        fixture.carryOut(request("c-0", CommandFixture.prune("a/1", 8L, null)));
        CommandResult dry = fixture.carryOut(dryRun("p-1", CommandFixture.delete("a/1")));
        fixture.carryOut(request("u-1", CommandFixture.undo("c-0")));

        // when
        CommandResult real = fixture.carryOut(planned("p-1", "c-1", CommandFixture.delete("a/1")));

        // then
        assertThat(plan(dry).events()).isEqualTo(8);
        assertThat(real.refusal()).isEqualTo(Refusal.OTHER_PLAN);
        assertThat(real.detail()).contains("another event since");
        assertThat(fixture.ids("a/1")).hasSize(10);
        assertConsistent();
    }

    /** As many events as were planned, and not the same; a restart forgets nothing of that. */
    @Test
    @Tag("T-2")
    void shouldLeaveAStreamInWhichAsManyHaveComeBackAsHaveGone() {
        // given
        fillYoung("a/1", 10);
        fixture.carryOut(request("c-0", CommandFixture.deleteEvent("a/1", "7", false)));
        fixture.carryOut(dryRun("p-1", CommandFixture.purge(CommandFixture.all(10))));
        fixture.carryOut(request("c-1", CommandFixture.deleteEvent("a/1", "3", false)));
        fixture.carryOut(request("u-1", CommandFixture.undo("c-0")));
        fixture.restart();

        // when
        CommandResult real = fixture.carryOut(planned("p-1", "c-2", CommandFixture.purge(CommandFixture.all(10))));

        // then
        assertThat(real.outcome().deletions().eventsDeleted()).isZero();
        assertThat(plan(real).exact()).isFalse();
        assertThat(fixture.ids("a/1")).hasSize(9).contains("7");
    }

    private void fillYoung(String stream, int events) {
        for (int i = 0; i < events; i++) {
            fixture.event(event(stream, String.valueOf(i)));
        }
        fixture.settleFor(1);
    }

    /** A plan of many streams must not stay for hours, and must not stop the task either. */
    @Test
    void shouldForgetAnOldPlanInSlicesThatFollowEachOther() {
        // given
        for (int i = 0; i < 450; i++) {
            fixture.event(event("a/" + i, "e"));
        }
        fixture.settleFor(1);
        fixture.carryOut(dryRun("p-1", CommandFixture.purge(CommandFixture.all(1000))));
        assertThat(plannedEntries()).isGreaterThan(400);

        // when
        fixture.advance(48 * HOUR_MS + 60_000);
        fixture.settleFor(10);

        // then
        assertThat(plannedEntries()).isZero();
    }

    private long plannedEntries() {
        long entries = 0;
        try (var all = fixture.rawEvents().all()) {
            while (all.hasNext()) {
                entries += all.next().key.get()[0] == Range.PLANNED.code() ? 1 : 0;
            }
        }
        return entries;
    }

    @Test
    void shouldDeleteOneEventByPlan() {
        // given
        fixture.event(event("a/1", "e"));
        fixture.carryOut(dryRun("p-1", CommandFixture.deleteEvent("a/1", "e", false)));

        // when
        CommandResult real = fixture.carryOut(planned("p-1", "c-1", CommandFixture.deleteEvent("a/1", "e", false)));

        // then
        assertThat(plan(real).exact()).isTrue();
        assertThat(fixture.audits).extracting("cause").containsExactly(RemovalCause.DELETE.name());
        assertThat(fixture.stored()).isEmpty();
    }

    /** Makes events that are due under the policy of the test. */
    private void fillOld(String stream, int events) {
        for (int i = 0; i < events; i++) {
            fixture.event(event(stream, String.valueOf(i)));
        }
        fixture.advance(2 * HOUR_MS);
        fixture.settleFor(1);
    }

    private PlanDigest digest(Predicate<StoredEvent> isMeant) {
        return fixture.stored().stream()
                .filter(isMeant)
                .map(stored -> PlanDigest.of(
                        stored.event().stream(), stored.event().id().value(), stored.storedAt()))
                .reduce(PlanDigest.NOTHING, PlanDigest::plus);
    }

    private static PlanOutcome plan(CommandResult result) {
        assertThat(result.state()).as(result.detail()).isEqualTo(State.DONE);
        return Objects.requireNonNull(result.plan(), "no plan");
    }

    private void assertConsistent() {
        assertThat(StoreCheck.problems(
                        fixture.rawEvents().all(), fixture.rawUsage().all()))
                .isEmpty();
    }
}
