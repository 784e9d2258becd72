package dev.ebb.wire.commands;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.ebb.domain.command.CommandProgress;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.Outcome;
import dev.ebb.domain.command.Outcome.Deleted;
import dev.ebb.domain.command.Outcome.Part;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.plan.LeftOut;
import dev.ebb.domain.plan.PlanDigest;
import dev.ebb.domain.plan.PlanOutcome;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.undo.NotReturned;
import dev.ebb.domain.undo.Notice;
import dev.ebb.serde.text.JsonState;
import dev.ebb.topology.Outcomes;
import dev.ebb.wire.WireJson;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CommandResultViewTest {

    private static final Instant POINT = Instant.ofEpochMilli(7);
    private static final Deleted COUNTS =
            Outcomes.deleted(9, 0, 3, 20, 2, 4000, Map.of(Refusal.HELD, 2L, Refusal.STREAM_OPEN, 3L));
    private static final Outcome.Parts PARTS =
            new Outcome.Parts(List.of(new Part("a", RemovalCause.MAX_AGE, 5, 50)), 0, List.of());
    private static final Outcome SWEPT = new Outcome.Swept(COUNTS, PARTS, POINT, -1).warned(5, 500);

    static Stream<Outcome> outcomes() {
        return Stream.of(
                Outcome.nothing(),
                COUNTS,
                SWEPT,
                new Outcome.Undone(
                        1,
                        2,
                        3,
                        4,
                        Map.of(NotReturned.REUSED, 5L),
                        List.of(new Outcome.Left("a", "e", NotReturned.REUSED)),
                        List.of("a"),
                        new Notice(POINT, 6, null)),
                new Outcome.Repaired(1, 2),
                new Outcome.Dropped(1, 2),
                new Outcome.Retried(1),
                new Outcome.Confirmed(1));
    }

    @Test
    void shouldHaveTheFieldsOfTheResultAndOfItsOutcome() {
        assertThat(WireJson.tree(CommandResultView.of(result(SWEPT))).toString())
                .startsWith(
                        "{\"commandId\":\"c-1\",\"verb\":\"sweep\",\"state\":\"DONE\",\"refusal\":null,"
                                + "\"detail\":\"why\",\"dryRun\":true,\"outcome\":{\"kind\":\"swept\",\"streamsProcessed\":9,"
                                + "\"executionsDeleted\":0,\"eventsDeleted\":0,\"protectedEventsDeleted\":0,"
                                + "\"bytesDeleted\":0,\"streamsSkipped\":{\"STREAM_OPEN\":3,\"HELD\":2},"
                                + "\"wouldDelete\":25,\"wouldDeleteBytes\":4500,\"wouldDeleteExecutions\":3,"
                                + "\"wouldDeleteProtected\":2,\"keptByWarn\":5,\"keptByWarnBytes\":500,\"rowsWouldGo\":0,\"parts\":{\"biggest\":[{\"stream\":\"a\","
                                + "\"cause\":\"MAX_AGE\",\"events\":5,\"bytes\":50}],\"leftOut\":0,\"rest\":[]},"
                                + "\"sweepPoint\":\"1970-01-01T00:00:00.007Z\",\"policyVersion\":-1,\"heldBack\":false},\"plan\":{\"planId\":\"p\",")
                .endsWith("\"progress\":{\"done\":1,\"total\":2},\"startedAt\":\"1970-01-01T00:00:00.007Z\","
                        + "\"updatedAt\":\"1970-01-01T00:00:00.007Z\",\"fingerprint\":\"f\"}");
    }

    @ParameterizedTest
    @MethodSource("outcomes")
    void shouldReadTheViewThatItWrote(Outcome outcome) throws JsonProcessingException {
        // given
        var prepared = new PreparedView(List.of(new PreparedView.Placed("INC-7", "*")), null, 8);
        CommandResultView view = new CommandResultView(result(outcome), prepared);

        // when / then
        assertThat(WireJson.read(WireJson.tree(view), CommandResultView.class)).isEqualTo(view);
        assertThat(view.outcome().deletions()).isEqualTo(outcome.deletions());
    }

    /** The state of a task, its messages and REST have one form. */
    @ParameterizedTest
    @MethodSource("outcomes")
    void shouldReadTheResultOfATask(Outcome outcome) throws JsonProcessingException {
        // given
        CommandResult result = result(outcome);

        // when
        String noted = JsonState.write(result);

        // then
        assertThat(JsonState.read(noted, CommandResult.class)).isEqualTo(result);
        assertThat(noted).isEqualTo(WireJson.tree(CommandResultView.of(result)).toString());
    }

    private static CommandResult result(Outcome outcome) {
        return new CommandResult(
                "c-1",
                "sweep",
                CommandResult.State.DONE,
                null,
                "why",
                true,
                outcome,
                new PlanOutcome("p", "eva", 1, 2, new PlanDigest(3, 4, 5, 6, 7), null, Map.of(LeftOut.HELD, 8L)),
                new CommandProgress(1, 2),
                POINT,
                POINT,
                "f");
    }
}
