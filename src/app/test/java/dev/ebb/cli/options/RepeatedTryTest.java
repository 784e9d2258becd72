package dev.ebb.cli.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.cli.CommandRun;
import dev.ebb.cli.kafka.KafkaSession;
import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.outcome.ExitCode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("O-16")
class RepeatedTryTest {

    private final AtomicLong seconds = new AtomicLong();
    private int tries;

    /** A second lies between two tries, so that the last one begins a minute after the first. */
    @ParameterizedTest
    @CsvSource({"0, 1, true", "1, 1, false", "59, 60, true", "60, 60, true", "60, 61, true", "61, 61, false"})
    void shouldTryForAMinute(int failures, int patience, boolean isDone) {
        RepeatedTry repeated = new RepeatedTry(
                Duration.ofSeconds(patience), () -> seconds.get() * 1_000_000_000L, seconds::incrementAndGet);
        Runnable work = () -> {
            if (tries++ < failures + (isDone ? 0 : 1)) {
                throw away();
            }
        };

        if (isDone) {
            repeated.run(work, KafkaSession::isPassing);
            assertThat(tries).isEqualTo(failures + 1);
        } else {
            assertThatThrownBy(() -> repeated.run(work, KafkaSession::isPassing))
                    .hasMessage("away");
            assertThat(tries).isEqualTo(patience + 1);
        }
    }

    @Test
    void shouldNotTryAgainAfterALastingFailure() {
        RepeatedTry repeated = new RepeatedTry(Duration.ofMinutes(1), () -> 0, seconds::incrementAndGet);

        assertThatThrownBy(() -> repeated.run(
                        () -> {
                            tries++;
                            throw new CommandFailure(
                                    ExitCode.REFUSED, "not allowed", new TopicAuthorizationException("t"));
                        },
                        KafkaSession::isPassing))
                .hasMessage("not allowed");
        assertThat(tries).isEqualTo(1);
        assertThat(seconds).hasValue(0);
    }

    @ParameterizedTest
    @CsvSource({"-1s, must not be negative", "soon, --wait"})
    void shouldRefuseAWaitThatMakesNoSense(String wait, String hint) {
        // when
        CommandRun run = CommandRun.of(
                Map.of(),
                "{}",
                Path.of("target", "no-home"),
                "produce",
                "-f",
                "-",
                "--wait",
                wait,
                "--set",
                "bootstrap.servers=127.0.0.1:1");

        // then
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains(hint);
    }

    private static CommandFailure away() {
        return new CommandFailure(ExitCode.NOT_READY, "away", new TimeoutException("no answer"));
    }
}
