package dev.ebb.runtime.writes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Scope;
import dev.ebb.port.TooManyCommandsException;
import dev.ebb.topology.crowd.CrowdLimits;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("O-11")
class SentCommandsTest {

    private static final Instant NOW = Instant.parse("2026-11-28T12:00:00Z");

    private final AtomicInteger refused = new AtomicInteger();
    private Instant now = NOW;
    private final SentCommands sent =
            new SentCommands(new CrowdLimits(4, 4), SentCommandsTest::partition, clock(), refused::incrementAndGet);

    @Test
    void shouldTurnCommandsAwayUntilOneHasAResult() {
        // given
        sent.enter(sweep("c-1"), "anna");
        sent.enter(sweep("c-2"), "anna");

        // then
        assertThatThrownBy(() -> sent.enter(sweep("c-3"), "anna"))
                .isInstanceOf(TooManyCommandsException.class)
                .hasMessageContaining("'anna' already has 2 unfinished commands over many streams in this instance");
        assertThat(refused).hasValue(1);
        assertThatCode(() -> sent.enter(sweep("c-4"), "otto")).doesNotThrowAnyException();

        // when
        sent.leave("c-1");

        // then
        assertThatCode(() -> sent.enter(sweep("c-3"), "anna")).doesNotThrowAnyException();
    }

    /** A partition that is away or slow, full of commands, shuts nobody out of the others. */
    @Test
    void shouldCountCommandsOnSingleStreamsByPartition() {
        // given
        sent.enter(delete("c-1", "s-1"), "anna");
        sent.enter(delete("c-2", "s-1"), "anna");

        // then
        assertThatThrownBy(() -> sent.enter(delete("c-3", "s-1"), "anna"))
                .isInstanceOf(TooManyCommandsException.class)
                .hasMessageContaining("'anna' already has 2 unfinished commands on a single stream in partition 1");
        assertThatCode(() -> sent.enter(delete("c-3", "s-2"), "anna")).doesNotThrowAnyException();

        // when
        sent.leave("c-1");

        // then
        assertThatCode(() -> sent.enter(delete("c-4", "s-1"), "anna")).doesNotThrowAnyException();
    }

    @Test
    void shouldNotCountACommandForEverWhosePartitionIsAway() {
        // given
        sent.enter(sweep("c-1"), "anna");
        sent.enter(sweep("c-2"), "anna");

        // when
        now = NOW.plus(SentCommands.LONGEST);
        assertThatThrownBy(() -> sent.enter(sweep("c-3"), "anna")).isInstanceOf(TooManyCommandsException.class);
        now = now.plus(Duration.ofMillis(1));

        // then
        assertThatCode(() -> sent.enter(sweep("c-3"), "anna")).doesNotThrowAnyException();
    }

    private Clock clock() {
        return new Clock() {
            @Override
            public ZoneOffset getZone() {
                return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(java.time.ZoneId zone) {
                return this;
            }

            @Override
            public Instant instant() {
                return now;
            }
        };
    }

    /** As if stream {@code s-1} was on partition 1. */
    private static int partition(CommandRequest request) {
        String stream = ((Command.OfStream) request.command()).stream().value();
        return Integer.parseInt(stream.substring(2));
    }

    private static CommandRequest delete(String id, String stream) {
        return new CommandRequest(id, "anna", "", false, null, new Command.DeleteStream(new StreamName(stream), false));
    }

    private static CommandRequest sweep(String id) {
        return new CommandRequest(id, "anna", "", true, null, new Command.SweepNow(Scope.ALL, null));
    }
}
