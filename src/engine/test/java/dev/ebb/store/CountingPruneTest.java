package dev.ebb.store;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.store.StoreFixture.T0;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.PruneCondition;
import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.pass.Pruning;
import dev.ebb.store.state.StreamState;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A prune that only counts what would go leaves it where it is, and counts it once. */
@Tag("O-9")
class CountingPruneTest {

    private static final int SLICES_BEFORE = 3;

    private final StoreFixture fixture = new StoreFixture();

    @BeforeEach
    void fill() {
        for (int i = 0; i < 1000; i++) {
            fixture.event(event("s", "e" + i).completedAt(T0 - 1000 + i));
        }
    }

    @Test
    void shouldCountOnceOverARestart() {
        // given
        Pruning pruning = begin();

        // when
        fixture.reopen();
        Pruning resumed = Pruning.decode(pruning.encode());

        // then
        assertThat(finish(resumed)).isEqualTo(500);
    }

    @Test
    void shouldCountOnceWhenTheStreamIsRearranged() {
        // given
        Pruning pruning = begin();

        // when
        fixture.policies(RetentionPolicy.of(Scope.ALL).anchor(Anchor.COMPLETED).build());

        // then
        assertThat(finish(pruning)).isEqualTo(500);
    }

    @Test
    void shouldTakeAnExecutionToWhichANewcomerComesAfterItIsCounted() {
        // given
        executions();
        Pruning counting = fixture.store.beginPrune(stream(), new PruneCondition(1L, null), true);
        assertThat(finish(counting)).isEqualTo(250);

        // when
        fixture.event(event("s", "late").execution(2));

        // then
        assertThat(finish(counting.confirmed())).isEqualTo(250);
        assertThat(fixture.ids("s")).hasSize(1000 + 100 + 1).contains("late");
    }

    @Test
    void shouldTakeNoPartOfAnExecutionThatHoldsMoreThanIsLeftOfTheCount() {
        // given an execution that was at work while the others were counted
        executions();
        fixture.execution("s", 1, "running");
        Pruning counting = fixture.store.beginPrune(stream(), new PruneCondition(1L, null), true);
        assertThat(finish(counting)).isEqualTo(50);

        // when
        fixture.event(event("s", "late").execution(2));
        fixture.execution("s", 1, "completed");

        // then
        assertThat(finish(counting.confirmed())).isEqualTo(50);
        assertThat(idsLike("x1-")).hasSize(200);
        assertThat(idsLike("x2-")).isEmpty();
    }

    @Test
    void shouldWeighInSlices() {
        // given a count that lies between a slice and the execution that became terminal after it
        fixture.execution("s", 0, "running");
        fill(1, 350);
        fixture.execution("s", 1, "running");
        fill(2, 250);
        fill(3, 1);
        Pruning counting = fixture.store.beginPrune(stream(), new PruneCondition(1L, null), true);
        assertThat(finish(counting)).isEqualTo(250);

        // when
        fixture.execution("s", 1, "completed");

        // then
        assertThat(finishBriefly(counting.confirmed())).isEqualTo(250);
        assertThat(idsLike("x1-")).hasSize(350);
        assertThat(idsLike("x2-")).isEmpty();
    }

    @Test
    void shouldWeighNoNewcomers() {
        // given
        executions();
        Pruning counting = fixture.store.beginPrune(stream(), new PruneCondition(1L, null), true);
        assertThat(finish(counting)).isEqualTo(250);

        // when
        for (int i = 0; i < 100; i++) {
            fixture.event(event("s", "late" + i).execution(1));
        }

        // then
        assertThat(finishBriefly(counting.confirmed())).isEqualTo(250);
        assertThat(idsLike("x1-")).isEmpty();
        assertThat(idsLike("late")).hasSize(100);
    }

    @Test
    void shouldTakeAnExecutionOfAsManyEventsAsAreLeftOfTheCount() {
        // given
        executions();
        Pruning counting = fixture.store.beginPrune(stream(), new PruneCondition(1L, null), true);
        assertThat(finish(counting)).isEqualTo(250);

        // when
        fixture.remove("s", "x1-0");
        fixture.event(event("s", "x1-0").execution(1));

        // then the one that came anew stays
        assertThat(finish(counting.confirmed())).isEqualTo(249);
        assertThat(idsLike("x1-")).containsExactly("x1-0");
    }

    @Test
    void shouldLeaveTheFirstNewcomerOfAnExecution() {
        // given
        executions();
        Pruning pruning = fixture.store.beginPrune(stream(), new PruneCondition(1L, null), false);

        // when
        fixture.event(event("s", "late").execution(2));

        // then
        assertThat(finish(pruning)).isEqualTo(250);
        assertThat(fixture.ids("s")).contains("late");
    }

    @Test
    void shouldTakeNoMoreThanWereThereWhenItBegan() {
        // given
        fixture.event(event("s", "first").status("running"));
        for (int i = 0; i < 10; i++) {
            fixture.event(event("s", "job" + i).status("running"));
        }
        Pruning pruning = fixture.store.beginPrune(stream(), new PruneCondition(998L, null), false);

        // when
        for (int i = 0; i < 10; i++) {
            fixture.status("s", "job" + i, "completed", T0);
        }

        // then
        assertThat(finish(pruning)).isEqualTo(2);
    }

    @Test
    void shouldCountNewcomersInSlicesAfterARestart() {
        // given
        Pruning pruning = fixture.store.beginPrune(stream(), new PruneCondition(900L, null), false);
        for (int i = 0; i < 300; i++) {
            fixture.event(event("s", "new" + i));
        }

        // when
        fixture.reopen();
        Pruning resumed = Pruning.decode(pruning.encode());

        // then
        assertThat(finishBriefly(resumed)).isEqualTo(100);
        assertThat(idsLike("new")).hasSize(300);
    }

    @Test
    void shouldLeaveTheExecutionThatBecameOneOfTheLastSinceItBegan() {
        // given
        executions();
        fixture.event(event("s", "x4").execution(4));
        Pruning pruning = fixture.store.beginPrune(stream(), new PruneCondition(3L, null), false);

        // when execution 4, which nothing has declared, goes with its last event
        fixture.remove("s", "x4");

        // then
        assertThat(finish(pruning)).isZero();
        assertThat(idsLike("x1-")).hasSize(200);
    }

    @Test
    @Tag("O-2")
    void shouldTakeASliceForSoManyExecutionsWithoutEvents() {
        // given
        for (int i = 1; i <= 351; i++) {
            fixture.execution("s", i, "completed");
        }
        Pruning pruning = fixture.store.beginPrune(stream(), new PruneCondition(1L, null), false);
        fixture.execution("s", 0, "running");

        // when
        int slices = 1;
        while (!slice(pruning)) {
            slices++;
        }

        // then
        assertThat(slices).isEqualTo(4);
        assertThat(pruning.counts().executionsDeleted()).isEqualTo(350);
    }

    @Test
    void shouldLeaveTheStreamWhenItIsDone() {
        // given
        Pruning pruning = begin();
        assertThat(stream().isPassedThrough()).isTrue();

        // when
        finish(pruning);

        // then
        assertThat(stream().isPassedThrough()).isFalse();
    }

    private List<String> idsLike(String prefix) {
        return fixture.ids("s").stream().filter(id -> id.startsWith(prefix)).toList();
    }

    @Test
    void shouldTakeNoMoreThanWasCountedWhenOlderEventsComeToAnExecution() {
        // given
        executions();
        Pruning counting = fixture.store.beginPrune(stream(), new PruneCondition(1L, null), true);
        finish(counting);
        Pruning pruning = counting.confirmed();
        assertThat(slice(pruning)).isFalse();

        // when
        for (int i = 0; i < 100; i++) {
            fixture.event(event("s", "x3-" + i).execution(1));
        }

        // then
        assertThat(finish(pruning)).isEqualTo(250);
        assertThat(Pruning.decode(pruning.encode()).left()).isZero();
    }

    /** The implicit execution stays. */
    private void executions() {
        fixture.execution("s", 0, "running");
        fill(1, 200);
        fill(2, 50);
        fill(3, 100);
    }

    private void fill(int execution, int events) {
        for (int i = 0; i < events; i++) {
            fixture.event(event("s", "x" + execution + "-" + i).execution(execution));
        }
        fixture.execution("s", execution, "completed");
    }

    private Pruning begin() {
        Pruning pruning = fixture.store.beginPrune(stream(), new PruneCondition(null, T0 - 500), true);
        for (int i = 0; i < SLICES_BEFORE; i++) {
            assertThat(slice(pruning)).isFalse();
        }
        assertThat(pruning.counts().eventsDeleted()).isPositive();
        return pruning;
    }

    private long finish(Pruning pruning) {
        int slices = 0;
        while (!slice(pruning)) {
            assertThat(slices++).isLessThan(100);
        }
        return pruning.counts().eventsDeleted();
    }

    /** In slices whose time is up with the first step. */
    private long finishBriefly(Pruning pruning) {
        int slices = 0;
        while (!slice(pruning, new SweepBudget(100, 0, System::nanoTime))) {
            assertThat(slices++).isLessThan(10_000);
        }
        return pruning.counts().eventsDeleted();
    }

    private boolean slice(Pruning pruning) {
        return slice(pruning, new SweepBudget(100, Long.MAX_VALUE / 2, System::nanoTime));
    }

    private boolean slice(Pruning pruning, SweepBudget budget) {
        return fixture.store.prune(stream(), pruning, budget, (stream, gone) -> {});
    }

    private StreamState stream() {
        return fixture.store.stream(new StreamName("s"));
    }
}
