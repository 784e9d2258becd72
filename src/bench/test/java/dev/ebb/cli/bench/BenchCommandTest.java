package dev.ebb.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.cli.CommandRun;
import org.junit.jupiter.api.Test;

class BenchCommandTest {

    @Test
    void shouldNameWhatThereIsWhenAskedForSomethingElse() {
        // when
        CommandRun run = CommandRun.of("bench", "B-99");

        // then
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("B-99", "B-1");
    }

    @Test
    void shouldRefuseToSendNothing() {
        // when
        CommandRun run = CommandRun.of("bench", "--events", "0");

        // then
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("--events must be at least 1, was 0");
    }

    @Test
    void shouldRefuseToBeShortAndLong() {
        // when
        CommandRun run = CommandRun.of("bench", "--short", "--long");

        // then
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("--short", "--long", "mutually exclusive");
    }
}
