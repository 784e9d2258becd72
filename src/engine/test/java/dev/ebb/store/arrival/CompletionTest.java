package dev.ebb.store.arrival;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.store.StoreFixture.T0;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.ExecutionUpdate;
import dev.ebb.domain.event.StreamName;
import dev.ebb.store.StoreFixture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The time at which a stream was completed is that of its executions where it has any. */
@Tag("O-9")
class CompletionTest {

    private static final StreamName STREAM = new StreamName("s");

    private final StoreFixture fixture = new StoreFixture();

    @Test
    void shouldBeTheLatestOfTheExecutions() {
        // given
        complete(1, T0 + 20);
        complete(2, T0 + 30);
        complete(3, T0 + 10);
        fixture.execution("s", 4, "running");

        // then
        assertThat(completionMs()).isEqualTo(T0 + 30);
    }

    @Test
    void shouldNotBeKnownWhereNoExecutionWasCompleted() {
        // given
        fixture.event(event("s", "e0").completedAt(T0));
        fixture.execution("s", 1, "running");

        // then
        assertThat(completionMs()).isEqualTo(-1);
    }

    @Test
    void shouldNotTakeAnEventForTheEndOfADeclaredExecution0() {
        // given
        fixture.event(event("s", "e0").completedAt(T0 + 50));

        // when
        complete(0, T0 + 10);

        // then
        assertThat(completionMs()).isEqualTo(T0 + 10);
    }

    private void complete(long number, long completedAt) {
        fixture.execution(new ExecutionUpdate(STREAM, number, "completed", null, null, completedAt), fixture.nowMs);
    }

    private long completionMs() {
        return Completion.of(fixture.store.stream(STREAM));
    }
}
