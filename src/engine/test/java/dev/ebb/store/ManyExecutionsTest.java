package dev.ebb.store;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.store.StoreFixture.T0;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.event.ExecutionUpdate;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.model.Policies;
import dev.ebb.store.arrival.ExecutionChange;
import dev.ebb.store.arrival.MoveListener;
import dev.ebb.store.state.Looks;
import dev.ebb.store.state.StreamState;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The executions of a stream cost a slice nothing that it has nothing to do with, in the stores and in memory. */
@Tag("I-6")
class ManyExecutionsTest {

    private static final int FEW = 100;
    private static final int MANY = 10_000;
    private static final String STREAM = "s";

    /** Cost of an operation: single steps of the stores, and looks at executions in memory. */
    private record Cost(long storeSteps, long looks) {}

    @Test
    void shouldSweepADueEventAtTheSameCost() {
        assertSameCost(
                fixture -> {
                    fixture.policies(all().maxAge(Limit.of(1_000_000)).build());
                    fixture.event(event(STREAM, "due").execution(50).ttlSeconds(5));
                    fixture.nowMs += 5001;
                },
                fixture -> assertThat(fixture.sweep()).hasSize(1));
    }

    @Test
    void shouldForgetAnEmptyExecutionAtTheSameCost() {
        assertSameCost(
                fixture -> {
                    fixture.graveRetention = Duration.ZERO;
                    fixture.reopen();
                    fixture.policies(all().maxAge(Limit.of(1_000_000)).build());
                    complete(fixture, 1_000_000, T0 - 900_000);
                    fixture.nowMs += 100_001;
                },
                fixture -> {
                    fixture.sweep();
                    assertThat(stream(fixture).segment(1_000_000)).isNull();
                });
    }

    @Test
    void shouldSweepWhatAKeptExecutionHadToWaitForAtTheSameCost() {
        assertSameCost(
                fixture -> {
                    fixture.policies(all().maxAge(Limit.of(1000))
                            .set(PolicyField.KEEP_LAST, Limit.of(200_000))
                            .build());
                    fixture.nowMs += 1001;
                    assertThat(fixture.sweep()).isEmpty();
                    fixture.schedule.touch(stream(fixture));
                },
                fixture -> {
                    fixture.execution(STREAM, 2_000_000, "running");
                    assertThat(fixture.sweep()).isEmpty();
                });
    }

    @Test
    void shouldTakeWhatIsOverACapAtTheSameCost() {
        assertSameCost(
                fixture -> {
                    long total = stream(fixture).totalEvents();
                    fixture.policies(all().maxCount(Limit.of(total - 1)).build());
                },
                fixture -> assertThat(fixture.sweep()).hasSize(1));
    }

    @Test
    void shouldTakeWhatIsOverACapBehindOpenExecutionsAtTheSameCost() {
        assertSameCost(
                fixture -> {
                    long last = lastExecution(fixture);
                    for (long number = 1; number < last - 1; number++) {
                        fixture.execution(STREAM, number, "running");
                    }
                    long total = stream(fixture).totalEvents();
                    fixture.policies(all().maxCount(Limit.of(total - 1)).build());
                },
                fixture -> assertThat(fixture.sweep()).hasSize(1));
    }

    @Test
    void shouldBeginAnExecutionAtTheSameCost() {
        assertSameCost(
                fixture -> fixture.policies(
                        all().set(PolicyField.KEEP_LAST, Limit.of(10)).build()),
                fixture -> fixture.event(event(STREAM, "new").execution(3_000_000)));
    }

    @Test
    void shouldStoreAnEventOfAHeldStreamAtTheSameCost() {
        assertSameCost(
                fixture -> fixture.policies(
                        Policies.setOf(List.of(all().build()), List.of(new Hold("case", Scope.ALL, "", "", T0)))),
                fixture -> fixture.event(event(STREAM, "new").execution(3)));
    }

    @Test
    @Tag("A-7")
    void shouldMoveAnEventAtTheSameCost() {
        assertSameCost(
                fixture -> {
                    fixture.begin(all().anchor(Anchor.OCCURRED).build());
                    fixture.moveSlice();
                },
                StoreFixture::moveSlice);
    }

    @Test
    @Tag("A-7")
    void shouldStoreAnEventOfAMovingStreamAtTheSameCost() {
        assertSameCost(
                fixture -> {
                    fixture.begin(all().anchor(Anchor.OCCURRED).build());
                    fixture.moveSlice();
                },
                fixture -> fixture.event(event(STREAM, "new").execution(3)));
    }

    @Test
    @Tag("O-6")
    void shouldCountTheStaleEventsOfOpenExecutionsAtTheSameCost() {
        assertSameCost(fixture -> fixture.execution(STREAM, 50, "running"), fixture -> {
            StaleCount count = fixture.store.staleEvents(fixture.nowMs + 1, 5);
            assertThat(count.run(unlimited())).isTrue();
            assertThat(count.events()).isEqualTo(1);
        });
    }

    @Test
    @Tag("O-6")
    void shouldCountTheStaleEventsOfOpenExecutionsInSlices() {
        // given
        StoreFixture fixture = filled(FEW);
        for (int number = 1; number <= FEW; number++) {
            fixture.execution(STREAM, number, "running");
        }
        StaleCount count = fixture.store.staleEvents(fixture.nowMs + 1, 5);

        // when
        int slices = 1;
        while (!count.run(new SweepBudget(1, 0, System::nanoTime))) {
            slices++;
        }

        // then
        assertThat(count.events()).isEqualTo(FEW);
        assertThat(slices).isGreaterThan(FEW / 2);
    }

    private static void assertSameCost(Consumer<StoreFixture> preparation, Consumer<StoreFixture> work) {
        assertThat(cost(MANY, preparation, work)).isEqualTo(cost(FEW, preparation, work));
    }

    private static Cost cost(int executions, Consumer<StoreFixture> preparation, Consumer<StoreFixture> work) {
        StoreFixture fixture = filled(executions);
        preparation.accept(fixture);
        StreamState stream = stream(fixture);
        fixture.schedule.touch(stream);
        fixture.commit();
        fixture.resetCounts();
        Looks looks = Looks.at(stream);
        work.accept(fixture);
        Cost cost = new Cost(fixture.operations(), looks.count());
        fixture.store.move(stream, fixture.nowMs, unlimited(), new NoListener());
        fixture.check();
        return cost;
    }

    private static SweepBudget unlimited() {
        return new SweepBudget(1_000_000, Long.MAX_VALUE / 2, System::nanoTime);
    }

    private static final class NoListener implements MoveListener {

        @Override
        public void changed(StreamState stream, StoredEvent event) {}

        @Override
        public void changed(ExecutionChange change) {}

        @Override
        public void rowsGo(StreamState stream, long events) {}
    }

    private static StoreFixture filled(int executions) {
        StoreFixture fixture = new StoreFixture();
        fixture.policies(all().build());
        for (int number = 1; number <= executions; number++) {
            fixture.event(event(STREAM, "e" + number).execution(number));
            complete(fixture, number, T0);
        }
        return fixture;
    }

    private static void complete(StoreFixture fixture, long number, long completedAt) {
        fixture.execution(
                new ExecutionUpdate(new StreamName(STREAM), number, "completed", null, null, completedAt),
                fixture.nowMs);
    }

    private static long lastExecution(StoreFixture fixture) {
        return stream(fixture).executionCount();
    }

    private static RetentionPolicy.Builder all() {
        return RetentionPolicy.of(Scope.ALL);
    }

    private static StreamState stream(StoreFixture fixture) {
        return fixture.store.stream(new StreamName(STREAM));
    }
}
