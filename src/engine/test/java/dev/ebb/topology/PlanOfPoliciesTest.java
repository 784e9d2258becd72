package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.topology.CommandFixture.dryRun;
import static dev.ebb.topology.CommandFixture.request;
import static dev.ebb.topology.CommandFixture.sweep;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.CommandResult.State;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.plan.LeftOut;
import dev.ebb.domain.plan.PlanOutcome;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.SweepWindow;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A second dry run of a file of policies, held against the plan of the first before the file is applied. */
@Tag("T-7")
class PlanOfPoliciesTest {

    private static final long HOUR_MS = 3_600_000;
    private static final String FILE = "policies: [{scope: 'namespace:a', maxCount: 2}]";

    private final TopologyFixture fixture =
            TopologyFixture.inMemory(TopologyFixture.settings(OptionalLong.of(1000), 3));

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void shouldFindNothingMoreWhereNothingHasHappened() {
        // given
        fill("a/1", 9);
        fill("a/2", 3);
        PlanOutcome plan = plan(fixture.carryOut(dryRun("p-1", file(FILE))));

        // when
        CommandResult held = fixture.carryOut(against("p-1", "h-1", FILE));
        CommandResult again = fixture.carryOut(against("p-1", "h-2", FILE));

        // then
        assertThat(plan.events()).isEqualTo(8);
        assertThat(held.outcome().deletions().eventsDeleted()).isZero();
        assertThat(plan(held).exact()).isTrue();
        assertThat(again.refusal()).as("a plan is used once").isEqualTo(Refusal.NO_PLAN);
        assertThat(fixture.stored()).hasSize(12);
    }

    @Test
    void shouldRefuseWhatWouldTakeMore() {
        // given
        fill("a/1", 4);
        fixture.carryOut(dryRun("p-1", file(FILE)));
        fill("a/2", 5);

        // when
        CommandResult held = fixture.carryOut(against("p-1", "h-1", FILE));

        // then
        assertThat(held.refusal()).isEqualTo(Refusal.OTHER_PLAN);
        assertThat(held.detail()).contains("3 events more").contains("a/2 (3)").doesNotContain("a/1");
    }

    /** A stream that is over its cap all the time has other events to lose each second, with the file or without it. */
    @Test
    void shouldPassWhatGoesWithoutTheFile() {
        // given a cap to which no sweep comes by itself
        int hour = Instant.ofEpochMilli(fixture.nowMs())
                .atZone(ZoneOffset.UTC)
                .plusHours(12)
                .getHour();
        fixture.policy(RetentionPolicy.of(Scope.namespace("b"))
                .maxCount(Limit.of(2))
                .set(PolicyField.WINDOW, SweepWindow.parse("%02d:00-%02d:01 UTC".formatted(hour, hour)))
                .build());
        fill("b/1", 4);
        fill("a/1", 4);
        PlanOutcome plan = plan(fixture.carryOut(dryRun("p-1", file(FILE))));
        for (int i = 4; i < 9; i++) {
            fixture.event(event("b/1", String.valueOf(i)));
        }
        fixture.settleFor(1);

        // when
        CommandResult held = fixture.carryOut(against("p-1", "h-1", FILE));

        // then
        assertThat(plan.events()).isEqualTo(4);
        assertThat(held.refusal()).as(held.detail()).isNull();
        assertThat(held.outcome().deletions().eventsDeleted()).isZero();
    }

    @Test
    void shouldPassWhatWouldTakeLess() {
        // given
        fill("a/1", 6);
        fixture.carryOut(dryRun("p-1", file(FILE)));
        fixture.carryOut(request("c-1", CommandFixture.deleteEvent("a/1", "0", false)));

        // when
        CommandResult held = fixture.carryOut(against("p-1", "h-1", FILE));

        // then
        assertThat(plan(held).exact()).isFalse();
        assertThat(plan(held).eventsDone()).isEqualTo(3);
        assertThat(plan(held).leftOut()).isEqualTo(Map.of(LeftOut.GONE, 1L));
    }

    /** A hold keeps more than was planned, which is no reason to refuse the file (T-6). */
    @Test
    @DisplayName("PlanLeavesOutWhatIsProtectedSince, of policies")
    @Tag("T-6")
    void shouldLeaveOutByReasonWhatIsKeptSince() {
        // given
        String file = "policies: [{scope: 'namespace:a', maxAge: 1h}]";
        for (String stream : List.of("a/before", "a/held", "a/mixed", "a/other", "a/last")) {
            fill(stream, 4);
        }
        fixture.advance(2 * HOUR_MS);
        PlanOutcome plan = plan(fixture.carryOut(dryRun("p-1", file(file))));

        // when
        fixture.hold("LIT-1", Scope.stream("a/held"));
        fixture.hold("LIT-2", Scope.stream("a/last"));
        fixture.event(event("a/mixed", "0").status("running"));
        fixture.carryOut(request("c-1", CommandFixture.deleteEvent("a/mixed", "1", false)));
        fixture.carryOut(request("c-2", CommandFixture.deleteEvent("a/mixed", "2", false)));
        fixture.event(event("a/mixed", "2"));
        fixture.settleFor(1);
        CommandResult held = fixture.carryOut(against("p-1", "h-1", file));

        // then
        assertThat(plan.events()).isEqualTo(20);
        assertThat(held.refusal()).as(held.detail()).isNull();
        assertThat(held.outcome().deletions().eventsDeleted()).isZero();
        assertThat(plan(held).exact()).isFalse();
        assertThat(plan(held).eventsDone()).isEqualTo(9);
        assertThat(plan(held).leftOut())
                .isEqualTo(Map.of(
                        LeftOut.HELD, 8L,
                        LeftOut.PROTECTED, 1L,
                        LeftOut.GONE, 1L,
                        LeftOut.CHANGED, 1L));
    }

    /** What a released hold lets go goes without the file, or is more than was planned. */
    @Test
    @Tag("T-6")
    void shouldRefuseWhatAReleasedHoldAddsToTheFile() {
        // given
        fixture.hold("LIT-1", Scope.stream("a/held"));
        fill("a/1", 4);
        fill("a/held", 5);
        fixture.carryOut(dryRun("p-1", file(FILE)));

        // when
        fixture.release("LIT-1");
        fixture.settleFor(1);
        CommandResult held = fixture.carryOut(against("p-1", "h-1", FILE));

        // then
        assertThat(held.refusal()).isEqualTo(Refusal.OTHER_PLAN);
        assertThat(held.detail()).contains("3 events more").contains("a/held (3)");
    }

    /** The time goes on between a review and its file: what that makes due is no reason to refuse, and is counted. */
    @Test
    @Tag("O-8")
    void shouldCountWhatHasFallenDueSince() {
        // given
        String file = "policies: [{scope: 'namespace:a', maxAge: 1h}]";
        fill("a/1", 4);
        fixture.advance(2 * HOUR_MS);
        fill("a/2", 5);
        PlanOutcome plan = plan(fixture.carryOut(dryRun("p-1", file(file))));
        fixture.advance(2 * HOUR_MS);
        fill("a/3", 3);

        // when
        CommandResult held = fixture.carryOut(against("p-1", "h-1", file));

        // then
        assertThat(plan.events()).isEqualTo(4);
        assertThat(plan(held).exact()).isTrue();
        assertThat(held.outcome().deletions().eventsDeleted()).isEqualTo(5);
        assertThat(fixture.stored()).hasSize(12);
    }

    /** Due by then and not in the plan: it came later with an older time. */
    @Test
    void shouldRefuseWhatWasDueThenAndIsNotInThePlan() {
        // given
        String file = "policies: [{scope: 'namespace:a', maxAge: 1h, anchor: occurred}]";
        fill("a/1", 4);
        fixture.advance(2 * HOUR_MS);
        long pointMs =
                plan(fixture.carryOut(dryRun("p-1", file(file)))).sweepPoint().toEpochMilli();
        fixture.advance(2 * HOUR_MS);
        fixture.event(event("a/2", "then").occurredAt(pointMs - HOUR_MS - 1));
        fixture.event(event("a/2", "since").occurredAt(pointMs - HOUR_MS));
        fixture.settleFor(1);

        // when
        CommandResult held = fixture.carryOut(against("p-1", "h-1", file));

        // then
        assertThat(held.refusal()).isEqualTo(Refusal.OTHER_PLAN);
        assertThat(held.detail()).contains("1 event more").contains("a/2 (1)");
    }

    /** A stream that was emptied and made anew comes last in the order of streams, and its name came first in the list. */
    @Test
    void shouldHoldTheOthersAgainstThePlanIfAStreamWasMadeAnew() {
        // given
        fill("a/1", 4);
        fill("a/2", 5);
        fill("a/3", 6);
        fixture.carryOut(dryRun("p-1", file(FILE)));
        fixture.carryOut(request("c-1", CommandFixture.delete("a/1")));
        fixture.emptyOut();
        fill("a/1", 1);

        // when
        CommandResult held = fixture.carryOut(against("p-1", "h-1", FILE));

        // then
        assertThat(held.refusal()).as(held.detail()).isNull();
        assertThat(plan(held).eventsDone()).isEqualTo(7);
        assertThat(plan(held).leftOut()).isEqualTo(Map.of(LeftOut.GONE, 1L, LeftOut.CHANGED, 1L));
    }

    @Test
    void shouldRefuseAnotherFileAndOtherPoliciesInForce() {
        // given
        fill("a/1", 4);
        fixture.carryOut(dryRun("p-1", file(FILE)));

        // when
        CommandResult other = fixture.carryOut(against("p-1", "h-1", FILE.replace("2", "1")));
        CommandResult swept = fixture.carryOut(CommandFixture.planned("p-1", "c-1", sweep(Scope.ALL)));
        fixture.policy(
                RetentionPolicy.of(Scope.namespace("b")).maxAge(Limit.NONE).build());
        fixture.settleFor(3);
        CommandResult later = fixture.carryOut(against("p-1", "h-2", FILE));

        // then
        assertThat(other.refusal()).isEqualTo(Refusal.OTHER_PLAN);
        assertThat(swept.refusal())
                .as("a sweep by policies that are not in force")
                .isEqualTo(Refusal.OTHER_PLAN);
        assertThat(later.refusal()).isEqualTo(Refusal.OTHER_PLAN);
        assertThat(later.detail()).contains("have changed");
    }

    private void fill(String stream, int events) {
        for (int i = 0; i < events; i++) {
            fixture.event(event(stream, String.valueOf(i)));
        }
        fixture.settleFor(1);
    }

    private static Command file(String policies) {
        return new Command.SweepNow(Scope.ALL, null, policies, false);
    }

    private static CommandRequest against(String planId, String commandId, String policies) {
        return new CommandRequest(commandId, "anna", "", true, null, file(policies), planId);
    }

    private static PlanOutcome plan(CommandResult result) {
        assertThat(result.state()).as(result.detail()).isEqualTo(State.DONE);
        return Objects.requireNonNull(result.plan(), "no plan");
    }
}
