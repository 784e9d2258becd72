package dev.ebb.wire.commands;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.ebb.domain.command.CommandCounts;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.CommandResult.Part;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.wire.WireJson;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CommandResultViewTest {

    private static final CommandCounts COUNTS =
            new CommandCounts(9, 4, 3, 20, 2, 4000, Map.of(Refusal.HELD, 2L, Refusal.STREAM_OPEN, 3L));

    @Test
    void shouldHaveTheFieldsOfTheFormerVersion() {
        // given
        CommandResult result = new CommandResult(
                "c-1",
                "sweep",
                CommandResult.State.DONE,
                null,
                "why",
                true,
                COUNTS.plus(CommandCounts.warned(5, 500)),
                List.of(new Part("a", RemovalCause.MAX_AGE, 5, 50)),
                0,
                7L,
                -1L,
                100,
                250,
                "");

        // when / then
        assertThat(WireJson.tree(CommandResultView.of(result)).toString())
                .isEqualTo("{\"commandId\":\"c-1\",\"verb\":\"sweep\",\"state\":\"DONE\",\"refusal\":null,"
                        + "\"detail\":\"why\",\"dryRun\":true,\"streamsProcessed\":9,\"streamsDeleted\":4,"
                        + "\"executionsDeleted\":3,\"eventsDeleted\":20,\"protectedEventsDeleted\":2,"
                        + "\"bytesDeleted\":4000,\"streamsSkipped\":{\"STREAM_OPEN\":3,\"HELD\":2},\"rowsSent\":0,"
                        + "\"rowsRemoved\":0,\"recordsDropped\":0,\"wouldDelete\":25,\"wouldDeleteBytes\":4500,"
                        + "\"parts\":[{\"stream\":\"a\",\"cause\":\"MAX_AGE\",\"events\":5,\"bytes\":50}],"
                        + "\"partsLeftOut\":0,\"sweepPoint\":\"1970-01-01T00:00:00.007Z\",\"policyVersion\":-1,"
                        + "\"startedAt\":\"1970-01-01T00:00:00.100Z\",\"updatedAt\":\"1970-01-01T00:00:00.250Z\","
                        + "\"completedAt\":\"1970-01-01T00:00:00.250Z\",\"durationMs\":150}");
    }

    @Test
    void shouldReadTheViewThatItWrote() throws JsonProcessingException {
        // given
        CommandResultView running = CommandResultView.of(new CommandResult(
                "c-1",
                "purge",
                CommandResult.State.RUNNING,
                null,
                "",
                false,
                COUNTS,
                List.of(),
                0,
                null,
                null,
                100,
                99,
                ""));

        // when / then
        assertThat(WireJson.read(WireJson.tree(running), CommandResultView.class))
                .isEqualTo(running);
        assertThat(running.completedAt()).isNull();
        assertThat(running.durationMs()).isZero();
    }
}
