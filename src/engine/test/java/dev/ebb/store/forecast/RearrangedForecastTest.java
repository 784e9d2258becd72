package dev.ebb.store.forecast;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.store.StoreFixture.T0;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.event.Execution;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.model.Policies;
import dev.ebb.store.StoreFixture;
import dev.ebb.store.events.RemovalListener;
import dev.ebb.store.events.Removed;
import dev.ebb.store.state.StreamState;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A forecast in another order reads no more than it must, and ends with its budget. */
@Tag("O-5")
class RearrangedForecastTest {

    private final StoreFixture fixture = new StoreFixture();
    private final Told told = new Told();

    @Test
    @Tag("O-2")
    void shouldEndASliceWithItsTimeAlthoughNothingGoes() {
        // given
        fill(300);
        StreamForecast forecast = forecast(byOccurred().maxAge(Limit.of(1000)));

        // when
        int slices = 1;
        while (!forecast.step(new SweepBudget(1000, 0, System::nanoTime), told)) {
            slices++;
        }

        // then
        assertThat(slices).isGreaterThan(3);
        assertThat(told.events).isEmpty();
    }

    @Test
    @Tag("O-2")
    void shouldEndASliceWithItsDeletes() {
        // given
        fill(200);
        fixture.nowMs += 1001;
        StreamForecast forecast = forecast(byOccurred().maxAge(Limit.of(1000)));

        // then
        assertThat(forecast.step(budget(10), told)).isFalse();
        assertThat(told.events).hasSizeLessThan(100);
        assertThat(forecast.step(budget(1000), told)).isTrue();
        assertThat(told.events).hasSize(200).doesNotHaveDuplicates();
    }

    @Test
    @Tag("M-5")
    void shouldTellOfAnExecutionOfWhichNothingIsLeft() {
        // given
        fixture.execution("s", 1, "completed");
        fill(1);
        fixture.nowMs += 1001;

        // when
        run(byOccurred().maxAge(Limit.of(1000)));

        // then
        assertThat(told.executions).containsExactly(1L);
        assertThat(told.events).containsExactly("e0");
    }

    /** They came in one millisecond. */
    @ParameterizedTest
    @CsvSource({"1, 4", "3, 2", "4, 1", "5, 0", "6, 0"})
    @Tag("M-12")
    void shouldTakeNoMoreThanACapTakes(int kept, int taken) {
        // given
        fill(5);

        // when
        run(byOccurred().maxCount(Limit.of(kept)));

        // then
        assertThat(told.events).hasSize(taken);
        assertThat(told.events).isSubsetOf("e0", "e1", "e2", "e3");
    }

    @Test
    @Tag("A-2")
    void shouldReadTheEventsOnceWhereNoCapTakesAnything() {
        // given
        executions(10, 1);
        fixture.resetCounts();

        // when
        run(byOccurred().maxCount(Limit.of(10)));

        // then
        assertThat(told.events).isEmpty();
        assertThat(fixture.events.walked).isEqualTo(10);
    }

    @Test
    @Tag("A-2")
    void shouldReadTheEventsOnceWithoutExecutionsWhereNoCapTakesAnything() {
        // given
        fill(5);
        fixture.resetCounts();

        // when
        run(byOccurred().maxCount(Limit.of(5)));

        // then
        assertThat(told.events).isEmpty();
        assertThat(fixture.events.walked).isEqualTo(5);
    }

    @Test
    @Tag("A-2")
    void shouldReadTheEventsOnceWhereAGuardKeepsAllThatIsOverACap() {
        // given
        executions(10, 1);
        fixture.resetCounts();

        // when
        run(byOccurred().maxCount(Limit.of(2)).set(PolicyField.KEEP_LAST, Limit.of(10)));

        // then
        assertThat(told.events).isEmpty();
        assertThat(fixture.events.walked).isEqualTo(10);
    }

    @Test
    @Tag("A-2")
    void shouldReadNoExecutionAgainBehindTheLastThatACapTakes() {
        // given
        executions(10, 1);
        fixture.resetCounts();

        // when
        run(byOccurred().maxCount(Limit.of(9)));

        // then
        assertThat(told.events).containsExactly("1-0");
        assertThat(fixture.events.walked).isEqualTo(10 + 1);
    }

    /** The execution goes as a whole by its bytes, so neither cap has to look for an end in it. */
    @Test
    @Tag("A-2")
    void shouldSearchNothingForACapThatIsExactlyReached() {
        // given
        executions(10, 2);
        long bytes = fixture.usage("s").bytes();
        fixture.resetCounts();

        // when
        run(byOccurred().maxCount(Limit.of(20)).set(PolicyField.MAX_BYTES, Limit.of(bytes - bytes / 10)));

        // then
        assertThat(told.events).containsExactlyInAnyOrder("1-0", "1-1");
        assertThat(fixture.events.walked).isEqualTo(20 + 2);
    }

    /** The search reads that execution, and so does the last pass. */
    @Test
    @Tag("A-2")
    void shouldReadNoExecutionAgainBehindTheOneInWhichACapEnds() {
        // given
        executions(4, 5);
        fixture.resetCounts();

        // when
        run(byOccurred().maxCount(Limit.of(18)));

        // then
        assertThat(told.events).containsExactlyInAnyOrder("1-0", "1-1");
        assertThat(fixture.events.walked).isEqualTo(20 + 5 + 5);
    }

    private void fill(int events) {
        for (int i = 0; i < events; i++) {
            fixture.event(event("s", "e" + i).occurredAt(T0));
        }
    }

    private void executions(int count, int eventsOfEach) {
        for (int number = 1; number <= count; number++) {
            for (int i = 0; i < eventsOfEach; i++) {
                fixture.event(event("s", number + "-" + i).execution(number).occurredAt(T0));
            }
            fixture.execution("s", number, "completed");
        }
    }

    private static RetentionPolicy.Builder byOccurred() {
        return RetentionPolicy.of(Scope.ALL).anchor(Anchor.OCCURRED);
    }

    private StreamForecast forecast(RetentionPolicy.Builder policy) {
        StreamState stream = Objects.requireNonNull(fixture.store.stream(new StreamName("s")));
        var effective = Policies.setOf(policy.build()).effective(stream.stream());
        StreamForecast forecast = fixture.store.forecast(stream, effective, false, fixture.nowMs);
        assertThat(forecast).isInstanceOf(RearrangedForecast.class);
        return forecast;
    }

    private void run(RetentionPolicy.Builder policy) {
        assertThat(forecast(policy).step(budget(100_000), told)).isTrue();
    }

    private static SweepBudget budget(int deletes) {
        return new SweepBudget(deletes, Long.MAX_VALUE / 2, System::nanoTime);
    }

    private static final class Told implements RemovalListener {

        private final List<String> events = new ArrayList<>();
        private final List<Long> executions = new ArrayList<>();

        @Override
        public void removed(StreamState stream, Removed removed) {
            events.add(removed.event().id());
        }

        @Override
        public void executionRemoved(StreamState stream, Execution execution) {
            executions.add(execution.number());
        }
    }
}
