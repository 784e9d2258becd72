package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.topology.CommandFixture.delete;
import static dev.ebb.topology.CommandFixture.deleteForced;
import static dev.ebb.topology.CommandFixture.execution;
import static dev.ebb.topology.CommandFixture.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.CommandResult.State;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.event.Execution;
import dev.ebb.domain.event.ExecutionUpdate;
import dev.ebb.domain.event.StreamName;
import dev.ebb.topology.observe.RetentionObserver.LateRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The worker of a deleted stream ends its turn whenever it likes: the stream that has the name now goes on (O-10). */
@Tag("O-10")
class ZombieEndsNothingOfTheNewLifeTest {

    private static final String STREAM = "turns/1";
    private static final StreamName NAME = new StreamName(STREAM);

    private final TopologyFixture fixture = TopologyFixture.inMemory();

    @AfterEach
    void close() {
        fixture.close();
    }

    /** Before the new life starts, while it has only started, and when it is in the middle of its work. */
    @ParameterizedTest
    @CsvSource({"0, ", "1, ", "2, ", "0, -1000", "1, -1000", "2, -1000"})
    @Tag("M-5")
    void shouldLeaveAnExecutionAtWork(int place, Long startedAfterMs) {
        // given
        long deletedMs = deletedAtWork();
        Long startedMs = startedAfterMs == null ? null : (Long) (deletedMs + startedAfterMs);
        ExecutionUpdate zombie = new ExecutionUpdate(NAME, 1, "completed", null, startedMs, null);

        // when
        end(zombie, place == 0);
        fixture.execution(execution(STREAM, 1, "running"));
        end(zombie, place == 1);
        fixture.event(event(STREAM, "new").execution(1));
        end(zombie, place == 2);
        fixture.settle();

        // then
        assertThat(executionOne()).isEqualTo(new Execution(1, "running", false, null, null));
        assertThat(fixture.observer.late).containsExactly(LateRecord.EXECUTION);
        CommandResult refused = fixture.carryOut(request("c-2", delete(STREAM)));
        assertThat(refused.refusal()).isEqualTo(Refusal.STREAM_OPEN);
    }

    private void end(ExecutionUpdate zombie, boolean isNow) {
        if (isNow) {
            fixture.execution(zombie);
            fixture.advance(100);
        }
    }

    /** The new worker names the start of its turn, at its beginning or at its end, and ends it. */
    @ParameterizedTest
    @CsvSource({"true, 0", "true, 1", "false, 0", "false, 1", "true, -5000"})
    void shouldEndATurnThatNamesItsStart(boolean namesItFirst, long startedAfterMs) {
        // given
        long startedMs = deletedAtWork() + startedAfterMs;

        // when
        fixture.execution(new ExecutionUpdate(NAME, 1, "running", null, namesItFirst ? (Long) startedMs : null, null));
        fixture.event(event(STREAM, "new").execution(1));
        fixture.execution(new ExecutionUpdate(NAME, 1, "failed", null, startedMs, null));
        fixture.execution(execution(STREAM, 1, "completed"));
        fixture.settle();

        // then
        assertThat(executionOne().status()).isEqualTo("failed");
        assertThat(executionOne().startedAt()).isEqualTo(startedMs);
        assertThat(fixture.observer.late).containsExactly(LateRecord.EXECUTION);
        assertThat(fixture.carryOut(request("c-2", delete(STREAM))).state()).isEqualTo(State.DONE);
    }

    /** The start of the turn was on its way when the stream was deleted. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldKnowOfATurnWhoseStartCameTooLate(boolean isEndedAsWell) {
        // given
        fixture.event(event(STREAM, "old"));
        long deletedMs = deleted();

        // when
        fixture.execution(execution(STREAM, 1, "running"), deletedMs - 2);
        if (isEndedAsWell) {
            fixture.execution(execution(STREAM, 1, "completed"), deletedMs - 1);
        }
        fixture.execution(execution(STREAM, 1, "running"));
        fixture.execution(execution(STREAM, 1, "completed"));

        // then
        assertThat(executionOne().isTerminal()).isEqualTo(isEndedAsWell);
    }

    /** A worker of the life before last may still be at its turn. */
    @Test
    void shouldRememberTheWorkersOfAllLives() {
        // given
        deletedAtWork();
        fixture.event(event(STREAM, "second"));
        fixture.carryOut(request("c-2", delete(STREAM)));
        fixture.restart();
        fixture.settle();

        // when
        fixture.execution(execution(STREAM, 1, "running"));
        fixture.execution(execution(STREAM, 1, "completed"));

        // then
        assertThat(executionOne().isTerminal()).isFalse();
    }

    private Execution executionOne() {
        return fixture.reader().context(NAME).orElseThrow().executions().stream()
                .filter(known -> known.number() == 1)
                .findFirst()
                .orElseThrow();
    }

    /** A stream is deleted while a worker is at its execution 1; returns when that was. */
    private long deletedAtWork() {
        fixture.execution(execution(STREAM, 1, "running"));
        fixture.event(event(STREAM, "old").execution(1));
        return deleted();
    }

    private long deleted() {
        fixture.advance(10_000);
        CommandResult result = fixture.carryOut(request("c-1", deleteForced(STREAM)));
        assertThat(result.state()).isEqualTo(State.DONE);
        fixture.advance(1000);
        return result.updatedAt().toEpochMilli();
    }
}
