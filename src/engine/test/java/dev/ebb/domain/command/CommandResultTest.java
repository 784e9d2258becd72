package dev.ebb.domain.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.retention.RemovalCause;
import java.util.List;
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
                "c",
                "delete",
                state,
                Refusal.NOT_FOUND,
                "detail",
                true,
                CommandCounts.repaired(1, 2),
                List.of(new CommandResult.Part("s", RemovalCause.DELETE, 3, 4)),
                0,
                5L,
                6L,
                7,
                8,
                "");
    }
}
