package dev.ebb.topology.command;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.store.StoreFixture.T0;
import static dev.ebb.topology.work.WorkFixture.ASKED_BY;
import static dev.ebb.topology.work.WorkFixture.budget;
import static dev.ebb.topology.work.WorkFixture.oneStep;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.Errand;
import dev.ebb.domain.command.Outcome;
import dev.ebb.domain.command.Outcome.Part;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyEdition;
import dev.ebb.domain.policy.PolicyMode;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.retention.SweepReport;
import dev.ebb.model.Policies;
import dev.ebb.topology.CommandFixture;
import dev.ebb.topology.wire.ErrandBodies.Swept;
import dev.ebb.topology.work.Work.Progress;
import dev.ebb.topology.work.WorkFixture;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A sweep by hand of one partition, slice by slice. */
@Tag("O-5")
class SweepWorkTest {

    private static final long LATER = T0 + 2000;
    private static final long MINUTE_MS = 60_000;

    private final WorkFixture fixture = new WorkFixture();

    /** Each stream is a step even if nothing is to be done about it. */
    @Test
    @Tag("O-2")
    void shouldEndASliceWithItsBudgetInStreamsOutsideOfTheScope() {
        // given
        fill("a/1", 1);
        fill("a/2", 1);
        SweepWork work = sweep(Scope.namespace("b"));

        // when
        Progress first = work.step(T0, oneStep());
        Progress second = work.step(T0, oneStep());
        Progress third = work.step(T0, oneStep());

        // then
        assertThat(List.of(first, second, third)).containsExactly(Progress.MORE, Progress.MORE, Progress.DONE);
    }

    @Test
    @Tag("I-3")
    void shouldWaitForTheRecountOfAStreamInWhoseMiddleItIs() {
        // given
        keepOne();
        fill("s", 4);
        SweepWork work = sweep(Scope.ALL);
        work.step(T0, budget(1));

        // when
        fixture.stream("s").suspect("the test says so");
        Progress waits = work.step(T0, budget());
        fixture.stream("s").trust();
        Progress goesOn = work.step(T0, budget());

        // then
        assertThat(List.of(waits, goesOn)).containsExactly(Progress.LATER, Progress.DONE);
        assertThat(answer().outcome().deletions().eventsDeleted()).isEqualTo(3);
    }

    @Test
    @Tag("I-3")
    void shouldCountAStreamThatFailsAndGoOnBehindIt() {
        // given
        keepOne();
        fill("bad", 3);
        fill("good", 3);
        fixture.damageEventsOf("bad");

        // when
        Progress progress = sweep(Scope.ALL).step(T0, budget());

        // then
        assertThat(progress).isEqualTo(Progress.DONE);
        assertThat(fixture.failed).containsExactly("bad");
        assertThat(answer().outcome().deletions().streamsSkipped()).isEqualTo(Map.of(Refusal.FAILED, 1L));
        assertThat(fixture.state.ids("good")).hasSize(1);
    }

    @Test
    void shouldCountNoFailureWhereNoneIs() {
        // given
        keepOne();
        fill("s", 3);

        // when
        sweep(Scope.ALL).step(T0, budget());

        // then
        assertThat(answer().outcome().deletions().streamsSkipped()).isEmpty();
        long bytes = 2 * fixture.stream("s").totalBytes();
        assertThat(((Outcome.Swept) answer().outcome()).parts().biggest())
                .containsExactly(new Part("s", RemovalCause.MAX_COUNT, 2, bytes));
    }

    /** An instance that is behind deletes nothing by policies that the one of the leader knows to be replaced. */
    @ParameterizedTest
    @CsvSource({"-1, 0, false", "0, 0, false", "1, 0, true", "0, 1, true", "-1, 1, true"})
    @Tag("O-2")
    void shouldWaitForThePoliciesOfItsLeader(long ahead, long lateChanges, boolean waits) {
        // given
        keepOne();
        fill("s", 3);
        PolicyEdition awaited = new PolicyEdition(policies().version() + ahead, lateChanges);
        SweepWork work = sweepBy(awaited);

        // when
        Progress progress = work.step(T0, budget());

        // then
        assertThat(progress).isEqualTo(waits ? Progress.LATER : Progress.DONE);
        assertThat(fixture.state.ids("s")).hasSize(waits ? 3 : 1);

        // when they come, behind a restart
        fixture.policies = policies().with(new PolicyEdition(policies().version() + 1, 1));
        restarted(work).step(T0, budget());

        // then
        assertThat(fixture.state.ids("s")).hasSize(1);
    }

    @Test
    @Tag("O-2")
    void shouldGiveUpIfThePoliciesOfItsLeaderDoNotCome() {
        // given
        keepOne();
        fill("s", 3);
        long version = policies().version() + 1;
        SweepWork work = sweepBy(new PolicyEdition(version, 0));

        // when
        Progress first = work.step(T0, budget());
        Progress at = work.step(T0 + MINUTE_MS, budget());
        Progress above = work.step(T0 + MINUTE_MS + 1, budget());

        // then
        assertThat(List.of(first, at, above)).containsExactly(Progress.LATER, Progress.LATER, Progress.DONE);
        assertThat(answer().refusal()).isEqualTo(Refusal.NOT_READY);
        assertThat(answer().detail()).contains("version " + version);
        assertThat(fixture.state.ids("s")).hasSize(3);
    }

    /** Only the version of its policies is known after a restart; another one ends the sweep before it begins anew. */
    @Test
    @Tag("O-2")
    void shouldEndEarlyBehindARestartUnderOtherPolicies() {
        // given
        keepOne();
        fill("s", 3);
        SweepWork.State begun = SweepWork.State.of(request(Scope.ALL), T0, ASKED_BY, T0, null);

        // when
        SweepWork resumed = new SweepWork(
                fixture.parts,
                new SweepWork.State(
                        begun.request(), T0, ASKED_BY, T0, policies().version() - 1, 0, false, begun.findings(), null));
        resumed.step(T0, budget());

        // then
        assertThat(answer().detail()).contains("ended early");
        assertThat(fixture.state.ids("s")).hasSize(3);
    }

    @Test
    @Tag("O-2")
    void shouldGoOnBehindARestartUnderTheSamePolicies() {
        // given
        keepOne();
        fill("s", 3);
        SweepWork work = sweep(Scope.ALL);
        work.step(T0, budget(1));

        // when
        restarted(work).step(T0, budget());

        // then
        assertThat(answer().detail()).isEmpty();
        assertThat(answer().outcome().deletions().eventsDeleted()).isEqualTo(2);
    }

    /** A restart between the end of the stream and that of the sweep does not begin with the stream again. */
    @Test
    @Tag("O-11")
    void shouldNotCountTheOneStreamOfItsScopeAgainBehindARestart() {
        // given
        keepOne();
        fill("s", 3);
        hold("s");
        SweepWork work = sweep(Scope.stream("s"));
        assertThat(work.step(T0, oneStep())).isEqualTo(Progress.MORE);
        assertThat(heldEvents(work)).isEqualTo(3);

        // when
        SweepWork resumed = restarted(work);
        assertThat(resumed.step(T0, budget())).isEqualTo(Progress.DONE);

        // then
        assertThat(heldEvents(resumed)).isEqualTo(3);
    }

    /** The losses of the sweep were decided by the policies of its beginning, so the report names their version. */
    @Test
    @Tag("O-2")
    void shouldReportTheVersionUnderWhichItDeleted() {
        // given
        keepOne();
        fill("s", 4);
        SweepWork work = sweep(Scope.ALL);
        work.step(T0, budget(1));
        long version = policies().version();

        // when
        fixture.policies = Policies.setOf(
                RetentionPolicy.of(Scope.ALL).maxCount(Limit.of(2)).build(),
                RetentionPolicy.of(Scope.stream("other")).maxCount(Limit.of(2)).build());
        work.step(T0, budget());

        // then
        assertThat(fixture.reports()).singleElement().satisfies(report -> {
            assertThat(report.policyVersion()).isEqualTo(version);
            assertThat(report.isStoppedEarly()).isTrue();
        });
        assertThat(((Outcome.Swept) answer().outcome()).policyVersion()).isEqualTo(version + 1);
        assertThat(fixture.state.ids("s")).hasSize(3);
    }

    @Test
    @Tag("O-4")
    void shouldTellObserversOfItsReport() {
        // given
        keepOne();
        fill("s", 3);

        // when
        sweep(Scope.ALL).step(T0, budget());

        // then
        assertThat(fixture.swept).isEqualTo(fixture.reports()).hasSize(1);
    }

    /** A look that only warns begins anew later on: half of it counts for nothing. */
    @Test
    @Tag("O-5a")
    void shouldForgetTheHalfOfALookThatOnlyWarns() {
        // given
        begin(RetentionPolicy.of(Scope.ALL).maxCount(Limit.of(1)).mode(PolicyMode.WARN));
        fill("a", 4);
        fill("b", 3);
        SweepWork work = sweep(Scope.ALL);
        work.step(T0, budget(2));

        // when
        fixture.state.retire("a");
        work.step(T0, budget());

        // then
        assertThat(((Outcome.Swept) answer().outcome()).parts().biggest()).isEmpty();
        assertThat(((Outcome.Swept) answer().outcome()).wouldDelete()).isEqualTo(2);
        assertThat(fixture.reports()).extracting(SweepReport::mode).containsExactly("warn");
    }

    @Test
    @Tag("A-1")
    void shouldLeaveNothingToTheNextSweep() {
        // given
        keepOne();
        fill("s", 3);
        assertThat(fixture.state.schedule.backlog(T0, 10)).isEqualTo(1);

        // when
        sweep(Scope.ALL).step(T0, budget());

        // then
        assertThat(fixture.state.schedule.backlog(T0, 10)).isZero();
    }

    /** An execution of which nothing is left goes with its row. */
    @Test
    @Tag("M-5")
    void shouldForgetExecutionsOfWhichNothingIsLeft() {
        // given
        withExecutions();

        // when
        work(request(Scope.ALL), LATER).step(LATER, budget());

        // then
        assertThat(answer().outcome().deletions().executionsDeleted()).isEqualTo(2);
        assertThat(fixture.stream("s").executionCount()).isEqualTo(1);
        assertThat(fixture.executionRows()).isEqualTo(2);
    }

    @Test
    @Tag("M-5")
    @Tag("O-9")
    void shouldCountExecutionsInADryRunAsASweepDoes() {
        // given
        withExecutions();
        CommandRequest dry = new CommandRequest("c-1", "anna", "", true, null, CommandFixture.sweep(Scope.ALL));

        // when
        work(dry, LATER).step(LATER, budget());

        // then
        assertThat(answer().outcome().deletions().executionsDeleted()).isEqualTo(2);
        assertThat(fixture.stream("s").executionCount()).isEqualTo(3);
        assertThat(fixture.executionRows()).isZero();
        assertThat(fixture.reports()).isEmpty();
    }

    /** A failure that would come again ends the sweep; the deletes up to then are reported and counted. */
    @Test
    @Tag("O-11")
    void shouldTellOfItsDeletesWhenItFails() {
        // given
        keepOne();
        fill("s", 4);
        SweepWork work = sweep(Scope.ALL);
        work.step(T0, budget(2));

        // when
        work.fail("bang", T0);

        // then
        assertThat(answer().refusal()).isEqualTo(Refusal.FAILED);
        assertThat(answer().detail()).isEqualTo("bang");
        assertThat(answer().outcome().deletions().eventsDeleted()).isEqualTo(2);
        assertThat(fixture.reports()).singleElement().satisfies(report -> assertThat(
                        report.deleted().get("MAX_COUNT").events())
                .isEqualTo(2));
        assertThat(fixture.errands()).extracting(Errand::step).containsExactly(Errand.Step.SWEPT);
    }

    /** The saved state between two streams names the next one, so that nothing counts twice. */
    @Test
    @Tag("O-11")
    void shouldNotCountAStreamTwiceBehindARestartBetweenTwoStreams() {
        // given
        hold("held");
        fill("first", 3);
        fill("held", 5);
        fill("last", 3);
        SweepWork work = sweep(Scope.ALL);
        while (!hasPassedHeldEvents(work)) {
            assertThat(work.step(T0, oneStep())).isEqualTo(Progress.MORE);
        }

        // when
        restarted(work).step(T0, budget());

        // then
        assertThat(fixture.reports()).singleElement().satisfies(report -> {
            assertThat(report.heldEvents()).isEqualTo(5);
            assertThat(report.streamsProcessed()).isEqualTo(2);
        });
    }

    /** A stream that it was waiting for comes first behind a restart. */
    @Test
    @Tag("A-7")
    @Tag("O-11")
    void shouldNotPassByTheStreamThatItWaitsForBehindARestart() {
        // given
        keepOne();
        fill("s", 3);
        fixture.stream("s").suspect("the test says so");
        SweepWork work = sweep(Scope.ALL);
        assertThat(work.step(T0, budget())).isEqualTo(Progress.LATER);

        // when
        SweepWork resumed = restarted(work);
        fixture.stream("s").trust();
        resumed.step(T0, budget());

        // then
        assertThat(answer().outcome().deletions().eventsDeleted()).isEqualTo(2);
    }

    private static boolean hasPassedHeldEvents(SweepWork work) {
        return heldEvents(work) > 0;
    }

    private static long heldEvents(SweepWork work) {
        return ((SweepWork.State) work.state()).findings().heldEvents();
    }

    private SweepWork restarted(SweepWork work) {
        return new SweepWork(fixture.parts, (SweepWork.State) work.state());
    }

    private void withExecutions() {
        begin(RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(LATER - T0 - 1)));
        for (int number = 1; number <= 3; number++) {
            fixture.state.event(event("s", "e" + number).execution(number));
            fixture.state.execution("s", number, number == 3 ? "running" : "completed");
        }
    }

    private void keepOne() {
        begin(RetentionPolicy.of(Scope.ALL).maxCount(Limit.of(1)));
    }

    private void hold(String stream) {
        RetentionPolicy keepOne =
                RetentionPolicy.of(Scope.ALL).maxCount(Limit.of(1)).build();
        Hold hold = new Hold("case", Scope.stream(stream), "", "", 0);
        fixture.state.policies(Policies.setOf(List.of(keepOne), List.of(hold)));
    }

    private void begin(RetentionPolicy.Builder policy) {
        fixture.state.policies(policy.build());
    }

    private PolicySet policies() {
        return fixture.context.policies().get();
    }

    private void fill(String stream, int events) {
        for (int i = 0; i < events; i++) {
            fixture.state.event(event(stream, "e" + i));
        }
    }

    private SweepWork sweep(Scope scope) {
        return work(request(scope), T0);
    }

    private SweepWork work(CommandRequest request, long nowMs) {
        return new SweepWork(fixture.parts, SweepWork.State.of(request, nowMs, ASKED_BY, nowMs, null));
    }

    private static CommandRequest request(Scope scope) {
        return CommandFixture.request("c-1", CommandFixture.sweep(scope));
    }

    /** Sweeps once policies are in force that the instance of the leader has seen. */
    private SweepWork sweepBy(PolicyEdition awaited) {
        return new SweepWork(fixture.parts, SweepWork.State.of(request(Scope.ALL), T0, ASKED_BY, T0, awaited));
    }

    /** The answer to the partition that asked. */
    private Swept answer() {
        List<Swept> answers = fixture.sent(Errand.Step.SWEPT, Swept.class);
        assertThat(answers).hasSize(1);
        return answers.get(0);
    }
}
