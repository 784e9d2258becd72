package dev.ebb.serde.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandCounts;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.PruneCondition;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.command.StreamFilter;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Scope;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class JsonStateTest {

    private static final StreamName STREAM = new StreamName("a/\"b");

    static List<Command> commands() {
        StreamFilter filter = new StreamFilter(List.of(STREAM), 5L, "a", 7, true);
        return List.of(
                new Command.DeleteStream(STREAM, true),
                new Command.PurgeStreams(filter),
                new Command.PurgeStreams(new StreamFilter(null, null, null, 1, false)),
                new Command.PruneStream(STREAM, new PruneCondition(3L, null)),
                new Command.PruneStreams(filter, new PruneCondition(null, 9L), true),
                new Command.SetTtl(STREAM, new EventId("e"), OwnTtl.INFINITE, null),
                new Command.SetTtl(STREAM, new EventId("e"), OwnTtl.NONE, 99L),
                new Command.DeleteEvent(STREAM, new EventId("e"), true),
                new Command.SweepNow(Scope.namespace("a"), 12L));
    }

    @ParameterizedTest
    @MethodSource("commands")
    @Tag("O-11")
    void shouldRememberEveryCommand(Command command) {
        CommandRequest request = new CommandRequest("id", "anna", "why", true, 5L, command);

        assertThat(JsonState.read(JsonState.write(request), CommandRequest.class))
                .isEqualTo(request);
    }

    @Test
    void shouldRememberCounts() {
        CommandCounts counts = new CommandCounts(1, 2, 3, 4, 5, 6, Map.of(Refusal.HELD, 7L));

        assertThat(JsonState.read(JsonState.write(counts), CommandCounts.class)).isEqualTo(counts);
    }

    @Test
    void shouldTakeAMapThatAnotherVersionDidNotKnowForEmpty() {
        assertThat(JsonState.read("{\"streamsProcessed\":1}", CommandCounts.class))
                .isEqualTo(new CommandCounts(1, 0, 0, 0, 0, 0, Map.of()));
    }

    @Test
    void shouldPassOverWhatItDoesNotKnow() {
        assertThat(JsonState.read("{\"streamsProcessed\":1,\"later\":2}", CommandCounts.class)
                        .streamsProcessed())
                .isEqualTo(1);
    }
}
