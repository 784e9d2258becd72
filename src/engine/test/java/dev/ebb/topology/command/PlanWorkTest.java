package dev.ebb.topology.command;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.store.StoreFixture.T0;
import static dev.ebb.topology.work.WorkFixture.ASKED_BY;
import static dev.ebb.topology.work.WorkFixture.budget;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.Errand;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyEdition;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.topology.CommandFixture;
import dev.ebb.topology.wire.ErrandBodies.SweepNow;
import dev.ebb.topology.wire.ErrandBodies.Swept;
import dev.ebb.topology.work.Work.Progress;
import dev.ebb.topology.work.WorkFixture;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The plan of a sweep that one partition carries out on an instance which is behind. */
@Tag("T-6")
class PlanWorkTest {

    private static final long MINUTE_MS = 60_000;

    private final WorkFixture fixture = new WorkFixture();

    /** What the newest policies keep must not go by a plan that older ones made. */
    @Test
    void shouldWaitForThePoliciesOfItsLeader() {
        // given
        planToKeepOne();
        PolicySet planned = policies();
        PlanWork work = work(planned.version() + 1);

        // when
        Progress first = work.step(T0, budget());

        // then
        assertThat(first).isEqualTo(Progress.LATER);
        assertThat(fixture.state.ids("s")).hasSize(3);

        // when newer policies come, which keep all, behind a restart
        fixture.state.policies(RetentionPolicy.of(Scope.ALL).build());
        fixture.policies = fixture.state.policies().with(new PolicyEdition(planned.version() + 1, 0));
        new PlanWork(fixture.parts, (PlanWork.State) work.state()).step(T0, budget());

        // then
        assertThat(fixture.state.ids("s")).hasSize(3);
        assertThat(answer().refusal()).isNull();
    }

    @Test
    void shouldCarryOutAtTheVersionOfItsLeader() {
        // given
        planToKeepOne();

        // when
        work(policies().version()).step(T0, budget());

        // then
        assertThat(fixture.state.ids("s")).hasSize(1);
    }

    @Test
    void shouldGiveUpIfThePoliciesOfItsLeaderDoNotCome() {
        // given
        planToKeepOne();
        PlanWork work = work(policies().version() + 1);

        // when
        Progress first = work.step(T0, budget());
        Progress at = work.step(T0 + MINUTE_MS, budget());
        Progress above = work.step(T0 + MINUTE_MS + 1, budget());

        // then
        assertThat(List.of(first, at, above)).containsExactly(Progress.LATER, Progress.LATER, Progress.DONE);
        assertThat(answer().refusal()).isEqualTo(Refusal.NOT_READY);
        assertThat(fixture.state.ids("s")).hasSize(3);
    }

    private void planToKeepOne() {
        fixture.state.policies(
                RetentionPolicy.of(Scope.ALL).maxCount(Limit.of(1)).build());
        for (int i = 0; i < 3; i++) {
            fixture.state.event(event("s", "e" + i));
        }
        CommandRequest dryRun =
                new CommandRequest("p-1", "anna", "clean-up", true, null, CommandFixture.sweep(Scope.ALL));
        new SweepWork(fixture.parts, SweepWork.State.of(dryRun, T0, ASKED_BY, T0, null)).step(T0, budget());
        assertThat(answer().outcome().deletions().eventsDeleted()).isEqualTo(2);
    }

    /** Carries out once policies are in force that the instance of the leader has seen. */
    private PlanWork work(long version) {
        CommandRequest request =
                new CommandRequest("c-1", "anna", "clean-up", false, null, CommandFixture.sweep(Scope.ALL), "p-1");
        SweepNow order = new SweepNow(request, T0, new PolicyEdition(version, 0));
        return new PlanWork(fixture.parts, PlanWork.State.of(new Works.Share(order, ASKED_BY, T0)));
    }

    private PolicySet policies() {
        return fixture.context.policies().get();
    }

    /** The last answer to the partition that asked. */
    private Swept answer() {
        List<Swept> sent = fixture.sent(Errand.Step.SWEPT, Swept.class);
        return sent.get(sent.size() - 1);
    }
}
