package dev.ebb.domain.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Small answers about streams and their work. */
class StandingsTest {

    @ParameterizedTest
    @Tag("M-6")
    @CsvSource({"0, 0, false", "1, 0, true", "0, 1, true", "2, 3, true"})
    void shouldBeOpenWithOpenExecutionsOrEvents(long executions, long events, boolean isOpen) {
        StreamStanding standing = new StreamStanding(null, executions, executions, List.of(), events, List.of());

        assertThat(standing.isOpen()).isEqualTo(isOpen);
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "none",
            value = {
                "false, 5, none, none, 5",
                "false, 5, none, 9, 9",
                "false, none, none, none, none",
                "true, 5, 7, none, 7",
                "true, 5, none, none, none"
            })
    void shouldSaySinceWhenAnExecutionIsOpenOrDone(
            boolean isDone,
            @Nullable Long startedAt,
            @Nullable Long completedAt,
            @Nullable Long openSinceMs,
            @Nullable Long sinceMs) {
        Execution execution = new Execution(1, "any", isDone, startedAt, completedAt);

        assertThat(new ExecutionUsage(execution, 0, 0, 0, openSinceMs).sinceMs())
                .isEqualTo(sinceMs);
    }

    @Test
    @Tag("O-20")
    void shouldNameTheReasonOfAWaitWithoutLength() {
        // given
        Wait wait = Wait.ofStream("the move of s");

        // then
        assertThat(wait.text()).isEqualTo("the move of s");
        assertThat(wait.kind()).isEqualTo(Wait.Kind.STREAM);
        assertThat(wait.because(Wait.Kind.REGISTRY_AWAY, "no answer").text()).isEqualTo("the move of s: no answer");
        assertThat(wait.because(Wait.Kind.STREAM, "x".repeat(500)).problem()).hasSize(500);
        assertThat(wait.because(Wait.Kind.STREAM, "x".repeat(501)).problem()).isEqualTo("x".repeat(500) + "…");
    }
}
