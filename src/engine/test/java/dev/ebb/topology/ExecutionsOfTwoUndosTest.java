package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.topology.CommandFixture.deleteEvent;
import static dev.ebb.topology.CommandFixture.execution;
import static dev.ebb.topology.CommandFixture.prune;
import static dev.ebb.topology.CommandFixture.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.CommandResult.State;
import dev.ebb.domain.event.Execution;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.undo.UndoFilter;
import dev.ebb.store.StoreCheck;
import dev.ebb.topology.parts.TopologySettings;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * An undo reads the record of an execution, and another undo takes that record out of the trash before the first one
 * brings the event of that execution back.
 */
@Tag("T-2")
class ExecutionsOfTwoUndosTest {

    private static final String STREAM = "orders/1";
    private static final StreamName NAME = new StreamName(STREAM);
    private static final long NOTICE_MS = TopologySettings.UNDO_NOTICE.toMillis();

    private final TopologyFixture fixture = TopologyFixture.inMemory();

    @AfterEach
    void close() {
        fixture.close();
    }

    static Stream<Arguments> undos() {
        return Stream.of(
                Arguments.argumentSet("whose own record is not meant", CommandFixture.undo("c-1")),
                Arguments.argumentSet(
                        "whose own record is meant",
                        new Command.UndoDeletes(
                                new UndoFilter(null, null, null, null, TopologyFixture.T0, null, null, null), null)));
    }

    /** It ended before it went: open again, it would protect its event for ever. */
    @ParameterizedTest
    @MethodSource("undos")
    void shouldBringAnExecutionBackAsItWasLastSeenIfItWentForGood(Command undo) {
        // given
        beginToUndo(undo);
        fixture.carryOut(request("u-2", CommandFixture.undo("c-2")));
        fixture.policy(RetentionPolicy.of(Scope.ALL)
                .maxAge(Limit.of(1))
                .set(PolicyField.UNDO, Limit.NONE)
                .build());
        fixture.advance(NOTICE_MS + 1000);
        fixture.settle();
        assertThat(execution1()).isNull();

        // when
        CommandResult result = goOn();

        // then
        assertThat(Objects.requireNonNull(Outcomes.undone(result)).events()).isEqualTo(1);
        assertThat(execution1()).extracting(Execution::status).isEqualTo("completed");
    }

    @ParameterizedTest
    @MethodSource("undos")
    void shouldBringAnExecutionBackAsItWasWhenItWentAgain(Command undo) {
        // given
        beginToUndo(undo);
        fixture.carryOut(request("u-2", CommandFixture.undo("c-2")));
        fixture.execution(execution(STREAM, 1, "failed"));
        fixture.carryOut(request("c-3", prune(STREAM, 1L, null)));
        assertThat(execution1()).isNull();

        // when
        CommandResult result = goOn();

        // then
        assertThat(Objects.requireNonNull(Outcomes.undone(result)).events()).isEqualTo(1);
        assertThat(execution1()).extracting(Execution::status).isEqualTo("failed");
    }

    @ParameterizedTest
    @MethodSource("undos")
    void shouldLeaveAnExecutionThatIsThereAlone(Command undo) {
        // given
        beginToUndo(undo);
        fixture.carryOut(request("u-2", CommandFixture.undo("c-2")));
        fixture.execution(execution(STREAM, 1, "failed"));

        // when
        CommandResult result = goOn();

        // then
        assertThat(Objects.requireNonNull(Outcomes.undone(result)).events()).isEqualTo(1);
        assertThat(execution1()).extracting(Execution::status).isEqualTo("failed");
    }

    /** The event went while its execution was open; that ended, and went without it. */
    private void beginToUndo(Command undo) {
        fixture.execution(execution(STREAM, 1, "running"));
        fixture.event(event(STREAM, "a").execution(1));
        fixture.execution(execution(STREAM, 2, "running"));
        fixture.event(event(STREAM, "b").execution(2));
        fixture.carryOut(request("c-1", deleteEvent(STREAM, "a", true)));
        fixture.execution(execution(STREAM, 1, "completed", fixture.nowMs()));
        fixture.carryOut(request("c-2", prune(STREAM, 1L, null)));
        assertThat(execution1()).isNull();
        fixture.trashed.most = 0;
        fixture.send(request("u-1", undo));
        for (int i = 0; i < 100 && fixture.trashed.open.isEmpty(); i++) {
            fixture.advance(100);
        }
        assertThat(fixture.trashed.open).hasSize(1);
    }

    private CommandResult goOn() {
        fixture.trashed.most = Integer.MAX_VALUE;
        CommandResult result = fixture.finish("u-1");
        assertThat(result.state()).as(result.detail()).isEqualTo(State.DONE);
        assertThat(fixture.ids(STREAM)).containsExactly("a", "b");
        assertThat(StoreCheck.problems(
                        fixture.rawEvents().all(), fixture.rawUsage().all()))
                .isEmpty();
        return result;
    }

    private @Nullable Execution execution1() {
        return fixture.reader().context(NAME).orElseThrow().executions().stream()
                .filter(execution -> execution.number() == 1 && execution.isDeclared())
                .findFirst()
                .orElse(null);
    }
}
