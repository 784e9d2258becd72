package dev.ebb.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The help of the commands that other modules add, and of all of them together. */
class FurtherCommandsHelpTest extends CommandHelpTest {

    private static final Set<String> FURTHER = Set.of("", "demo", "dev", "bench");

    @Test
    void shouldHaveThemAll() {
        assertThat(commands()).containsExactlyInAnyOrderElementsOf(FURTHER);
    }

    @Test
    void shouldShowTheDemonstrationFirst() {
        assertThat(CommandRun.of("--help").out()).containsPattern("Examples:\\R  ebb demo");
    }

    static Stream<String> commands() {
        return CommandHelpTest.commands().filter(FURTHER::contains);
    }
}
