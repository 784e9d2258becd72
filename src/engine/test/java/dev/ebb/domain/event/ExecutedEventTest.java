package dev.ebb.domain.event;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("M-5")
class ExecutedEventTest {

    private static final Execution RUNNING = new Execution(3, "running", false, 1L, null);
    private static final Execution DONE = new Execution(3, "completed", true, 1L, 900L);
    private static final Execution UNDECLARED = Execution.undeclared(3);

    @Test
    void shouldBeProtectedByItsStatusOrByItsExecution() {
        // given
        EventFacts plain = event("s", "e").stored(5);
        EventFacts pending = event("s", "e").status("pending").stored(5);

        // then
        assertThat(new ExecutedEvent(plain, DONE).isProtected()).isFalse();
        assertThat(new ExecutedEvent(plain, RUNNING).isProtected()).isTrue();
        assertThat(new ExecutedEvent(plain, UNDECLARED).isProtected()).isTrue();
        assertThat(new ExecutedEvent(pending, DONE).isProtected()).isTrue();
        assertThat(new ExecutedEvent(pending, RUNNING).isProtected()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"STORED, 300", "OCCURRED, 100", "COMPLETED, 900"})
    void shouldBeCompletedWhenItsExecutionWas(Anchor anchor, long expectedMs) {
        EventFacts event = event("s", "e").occurredAt(100L).completedAt(200L).stored(300);

        assertThat(new ExecutedEvent(event, DONE).anchorMs(anchor)).isEqualTo(expectedMs);
        assertThat(new ExecutedEvent(event, RUNNING).anchorMs(anchor)).isEqualTo(event.anchorMs(anchor));
    }

    @Test
    void shouldHaveTheTtlAndTheSizeOfTheEvent() {
        EventFacts event = event("s", "e").ttlSeconds(7).payloadBytes(99).stored(5);

        assertThat(new ExecutedEvent(event, DONE).ttl()).isEqualTo(OwnTtl.of(7L, null, false));
        assertThat(new ExecutedEvent(event, DONE).sizeBytes())
                .isEqualTo(event.sizeBytes())
                .isGreaterThan(99);
    }

    @ParameterizedTest
    @CsvSource({"0, true", "1, false", "2, false"})
    void shouldTakeTheImplicitExecutionAloneForDoneWithoutADeclaration(long number, boolean isTerminal) {
        assertThat(Execution.undeclared(number)).isEqualTo(new Execution(number, null, isTerminal, null, null));
        assertThat(Execution.undeclared(number).isDeclared()).isFalse();
        assertThat(RUNNING.isDeclared()).isTrue();
    }
}
