package dev.ebb.runtime.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.CommandResult.State;
import dev.ebb.runtime.writes.LatestResultsTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("O-11")
class RefusedCommandsTest {

    private static final int MOST = 10_000;

    private final RefusedCommands refused = new RefusedCommands();

    @Test
    void shouldRememberTheLastRefusalsOfEachPartition() {
        // given
        CommandResult result = LatestResultsTest.result("c-0", State.REFUSED, 0);

        // when
        refused.commandRefused(3, result);

        // then
        assertThat(refused.find(3, "c-0")).contains(result);
        assertThat(refused.find(2, "c-0")).isEmpty();

        // when
        for (int i = 1; i <= MOST; i++) {
            refused.commandRefused(3, LatestResultsTest.result("c-" + i, State.REFUSED, 0));
        }

        // then
        assertThat(refused.find(3, "c-0")).isEmpty();
        assertThat(refused.find(3, "c-1")).isPresent();
        assertThat(refused.find(3, "c-" + MOST)).isPresent();
    }
}
