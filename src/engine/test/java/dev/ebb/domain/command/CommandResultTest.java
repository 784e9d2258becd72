package dev.ebb.domain.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.retention.RemovalCause;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("O-9")
class CommandResultTest {

    @ParameterizedTest
    @CsvSource({"RUNNING, false", "DONE, true", "REFUSED, true"})
    void shouldBeFinalUnlessItRuns(CommandResult.State state, boolean isFinal) {
        assertThat(result(state).isFinal()).isEqualTo(isFinal);
    }

    @Test
    void shouldChangeNothingButTheFingerprintForACommand() {
        // given
        CommandResult result = result(CommandResult.State.DONE);
        CommandRequest request =
                new CommandRequest("c", "a", "r", false, null, new Command.DeleteStream(new StreamName("s"), false));

        // when
        CommandResult named = result.of(request);

        // then
        assertThat(result.fingerprint()).isEmpty();
        assertThat(named.fingerprint()).isEqualTo(request.fingerprint());
        assertThat(named)
                .usingRecursiveComparison()
                .ignoringFields("fingerprint")
                .isEqualTo(result);
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
                5L,
                6L,
                7,
                8);
    }
}
