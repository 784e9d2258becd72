package dev.ebb.domain.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Scope;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("O-9")
class CommandTest {

    private static final StreamName STREAM = new StreamName("s");
    private static final EventId EVENT = new EventId("e");
    private static final PruneCondition ANY = new PruneCondition(null, null);
    private static final StreamFilter FILTER = new StreamFilter(null, null, null, 1, true);

    static Stream<Arguments> verbs() {
        return Stream.of(
                Arguments.of("delete", new Command.DeleteStream(STREAM, false)),
                Arguments.of("purge", new Command.PurgeStreams(FILTER)),
                Arguments.of("prune", new Command.PruneStream(STREAM, ANY)),
                Arguments.of("prune-bulk", new Command.PruneStreams(FILTER, ANY, false)),
                Arguments.of("set-ttl", new Command.SetTtl(STREAM, EVENT, OwnTtl.NONE, null)),
                Arguments.of("delete-event", new Command.DeleteEvent(STREAM, EVENT, false)),
                Arguments.of("repair", new Command.RepairMirror(STREAM, List.of(), List.of())),
                Arguments.of("repair-stream", new Command.RepairStream(STREAM)),
                Arguments.of("sweep", new Command.SweepNow(Scope.ALL, null)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("verbs")
    void shouldHaveAVerb(String verb, Command command) {
        assertThat(command.verb()).isEqualTo(verb);
    }

    @Test
    void shouldHaveOneFingerprintHoweverItIsAskedFor() {
        // given
        Command delete = new Command.DeleteStream(STREAM, false);
        String fingerprint = new CommandRequest("c", "a", "r", false, 5L, delete).fingerprint();

        // then
        assertThat(new CommandRequest("d", "b", "s", false, 5L, delete).fingerprint())
                .isEqualTo(fingerprint)
                .hasSize(36);
        assertThat(new CommandRequest("c", "a", "r", true, 5L, delete).fingerprint())
                .isNotEqualTo(fingerprint);
        assertThat(new CommandRequest("c", "a", "r", false, 6L, delete).fingerprint())
                .isNotEqualTo(fingerprint);
        assertThat(new CommandRequest("c", "a", "r", false, 5L, new Command.DeleteStream(STREAM, true)).fingerprint())
                .isNotEqualTo(fingerprint);
    }
}
