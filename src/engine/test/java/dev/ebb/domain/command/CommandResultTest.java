package dev.ebb.domain.command;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("O-9")
class CommandResultTest {

    @ParameterizedTest
    @CsvSource({"RUNNING, false", "DONE, true", "REFUSED, true"})
    void shouldBeFinalUnlessItRuns(CommandResult.State state, boolean isFinal) {
        assertThat(result(state).isFinal()).isEqualTo(isFinal);
    }

    private static CommandResult result(CommandResult.State state) {
        return new CommandResult(
                "c", "delete", state, Refusal.NOT_FOUND, "detail", true, new Outcome.Repaired(1, 2), 7, "");
    }
}
