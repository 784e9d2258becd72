package dev.ebb.store.arrival;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.store.StoreFixture.T0;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.ExecutionUpdate;
import dev.ebb.domain.event.StreamName;
import dev.ebb.store.StoreFixture;
import dev.ebb.store.state.Segment;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Effect of an update on an execution, and the time since which the execution is at work. */
@Tag("M-5")
class ExecutionUpdatesTest {

    private static final StreamName STREAM = new StreamName("s");

    private final StoreFixture fixture = new StoreFixture();

    @ParameterizedTest
    @CsvSource({"0, true", "1, false", "2, false"})
    void shouldTakeAnUnknownStatusForDoneInTheImplicitExecutionAlone(long number, boolean isTerminal) {
        // when
        ExecutionChange change = fixture.execution(new ExecutionUpdate(STREAM, number, null, null, 5L, null), T0);

        // then
        assertThat(change.execution().status()).isEmpty();
        assertThat(change.execution().isTerminal()).isEqualTo(isTerminal);
        assertThat(change.execution().startedAt()).isEqualTo(5);
    }

    @Test
    @Tag("O-6")
    void shouldBeAtWorkSinceItsFirstUpdate() {
        // given
        fixture.execution("s", 1, "running");
        fixture.nowMs += 10;

        // when
        fixture.execution("s", 1, "waiting");

        // then
        assertThat(segment(1).openSinceMs()).isEqualTo(T0);
    }

    @Test
    @Tag("O-6")
    void shouldBeAtWorkSinceItsFirstEvent() {
        // given
        fixture.event(event("s", "e0").execution(1));
        fixture.nowMs += 10;

        // when
        fixture.execution("s", 1, "running");

        // then
        assertThat(segment(1).openSinceMs()).isEqualTo(T0);
    }

    @ParameterizedTest
    @CsvSource({"0", "1"})
    @Tag("O-6")
    void shouldBeAtWorkSinceItIsAtWorkAgain(long number) {
        // given
        fixture.execution("s", number, "running");
        fixture.execution("s", number, "completed");
        assertThat(segment(number).openSinceMs()).isZero();
        fixture.nowMs += 10;

        // when
        fixture.execution("s", number, "running");

        // then
        assertThat(segment(number).openSinceMs()).isEqualTo(T0 + 10);
    }

    @Test
    void shouldBelongToTheParentThatWasNamedLast() {
        // given
        StreamName parent = new StreamName("p");
        ExecutionChange named = fixture.execution(new ExecutionUpdate(STREAM, 1, null, parent, null, null), T0);

        // when
        ExecutionChange unnamed = fixture.execution(new ExecutionUpdate(STREAM, 1, "running", null, null, null), T0);

        // then
        assertThat(named.parent()).isEqualTo(parent);
        assertThat(unnamed.parent()).isEqualTo(parent);
    }

    private Segment segment(long number) {
        return Objects.requireNonNull(fixture.store.stream(STREAM).segment(number));
    }
}
