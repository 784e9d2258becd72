package dev.ebb.store.state;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.ExecutionUpdate;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.BuiltInPolicies;
import dev.ebb.domain.retention.RetentionDecider;
import dev.ebb.store.StoreFixture;
import java.util.Objects;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The ends that wait for their events are bounded, and none counts for longer than it waits. */
@Tag("M-5")
class EndsAheadTest {

    private static final StreamName STREAM = new StreamName("s");
    private static final StreamName OTHER = new StreamName("t");
    private static final long MAX_AGE_MS = BuiltInPolicies.DEFAULT_MAX_AGE.value();

    private final StoreFixture fixture = new StoreFixture();
    private final long waitMs = fixture.graveRetention.toMillis();

    @ParameterizedTest
    @CsvSource({"-1, true", "0, true", "1, false"})
    void shouldWaitWhereTheAgeEndsSooner(long beyondMs, boolean isAwaited) {
        // when
        end(STREAM, 1, fixture.nowMs + waitMs - MAX_AGE_MS + beyondMs - 1);

        // then
        assertThat(segment(STREAM, 1).awaitsUntilMs()).isEqualTo(isAwaited ? fixture.nowMs + waitMs : 0);
    }

    @ParameterizedTest
    @CsvSource({"-1, false", "0, false", "1, true"})
    void shouldWaitBehindItsFirstEventsOnlyIfItIsDue(long beyondMs, boolean isAwaited) {
        // given
        fixture.event(event("s", "e").execution(1));

        // when
        end(STREAM, 1, fixture.nowMs - MAX_AGE_MS - beyondMs);

        // then
        assertThat(segment(STREAM, 1).awaitsUntilMs()).isEqualTo(isAwaited ? fixture.nowMs + waitMs : 0);
    }

    @Test
    void shouldHaveNoEndWhileItIsOpen() {
        // given
        end(STREAM, 1, 0);

        // when
        fixture.execution("s", 1, "running");

        // then
        assertThat(segment(STREAM, 1).awaitsUntilMs()).isZero();
        assertThat(state(STREAM).nextDueMs(segment(STREAM, 1))).isEqualTo(RetentionDecider.NEVER);
    }

    @Test
    void shouldNeverWaitInTheImplicitExecution() {
        // when
        end(STREAM, 0, 0);

        // then
        assertThat(segment(STREAM, 0).awaitsUntilMs()).isZero();
    }

    @Test
    void shouldWaitOverARestart() {
        // given
        end(STREAM, 1, 0);
        long dueMs = state(STREAM).nextDueMs(segment(STREAM, 1));

        // when
        fixture.reopen();

        // then
        assertThat(dueMs).isEqualTo(StoreFixture.T0 + waitMs);
        assertThat(state(STREAM).nextDueMs(segment(STREAM, 1))).isEqualTo(dueMs);
    }

    /** One that is there more than once counts once; each way out of the store makes room for another one. */
    @Test
    void shouldBoundThoseThatWait() {
        // given
        for (int i = 1; i <= EndsAhead.MOST; i++) {
            end(STREAM, i, 0);
        }
        end(STREAM, EndsAhead.MOST, 0);
        assertIsFull();

        // then
        assertMakesRoom(store -> store.execution("s", 1, "running"));
        fixture.reopen();
        assertIsFull();
        assertMakesRoom(store -> store.retire("t"));
        fixture.nowMs += waitMs + 1;
        fixture.sweep();
        end(STREAM, 1, 0);
        assertThat(segment(STREAM, 1).awaitsUntilMs()).isNotZero();
    }

    private void assertIsFull() {
        end(OTHER, 9, 0);
        assertThat(segment(OTHER, 9).awaitsUntilMs()).isZero();
    }

    private void assertMakesRoom(Consumer<StoreFixture> leave) {
        leave.accept(fixture);
        end(OTHER, 1, 0);
        assertThat(segment(OTHER, 1).awaitsUntilMs()).isNotZero();
        end(OTHER, 2, 0);
        assertThat(segment(OTHER, 2).awaitsUntilMs()).isZero();
    }

    private void end(StreamName stream, long number, long completedMs) {
        fixture.execution(new ExecutionUpdate(stream, number, "completed", null, null, completedMs), fixture.nowMs);
    }

    private StreamState state(StreamName stream) {
        return Objects.requireNonNull(fixture.store.stream(stream));
    }

    private Segment segment(StreamName stream, long number) {
        return Objects.requireNonNull(state(stream).segment(number));
    }
}
