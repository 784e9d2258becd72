package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.topology.CommandFixture.delete;
import static dev.ebb.topology.CommandFixture.deleteForced;
import static dev.ebb.topology.CommandFixture.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.CommandResult.State;
import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.Execution;
import dev.ebb.domain.event.ExecutionUpdate;
import dev.ebb.domain.event.StreamName;
import dev.ebb.store.StoreCheck;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A stream that is imported again after its delete is as complete as it was the first time (O-10). */
@Tag("O-10")
class ImportAfterDeleteIsCompleteTest {

    private static final String STREAM = "runs/1";
    private static final StreamName NAME = new StreamName(STREAM);
    private static final StreamName PARENT = new StreamName("runs/parent");

    private final TopologyFixture fixture = TopologyFixture.inMemory();

    @AfterEach
    void close() {
        fixture.close();
    }

    /** The same records twice, the end of the execution before its event or behind it. */
    @ParameterizedTest
    @CsvSource({"true, true", "true, false", "false, true", "false, false"})
    @Tag("M-5")
    void shouldBeClosedAfterTheSameRecordsHaveComeAgain(boolean isEndFirst, boolean namesStart) {
        // given
        long completedMs = fixture.nowMs() - 1000;
        Long startedMs = namesStart ? (Long) (completedMs - 1000) : null;
        ExecutionUpdate end = new ExecutionUpdate(NAME, 1, "completed", PARENT, startedMs, completedMs);
        take(end, isEndFirst);
        fixture.settle();
        byte[] row = fixture.executionRows.values().iterator().next();
        fixture.carryOut(request("c-1", deleteForced(STREAM)));
        fixture.emptyOut();
        assertThat(fixture.executionRows).isEmpty();

        // when
        take(end, isEndFirst);
        fixture.settle();

        // then
        assertThat(fixture.reader().context(NAME).orElseThrow()).satisfies(context -> {
            assertThat(context.isOpen()).isFalse();
            assertThat(context.parent()).isEqualTo(PARENT);
            assertThat(context.executions()).contains(new Execution(1, "completed", true, startedMs, completedMs));
        });
        assertThat(fixture.reader().usage(NAME).orElseThrow().protectedEvents()).isZero();
        assertThat(fixture.executionRows.values()).singleElement().isEqualTo(row);
        assertThat(fixture.observer.late).isEmpty();
        assertThat(StoreCheck.waitingEnds(fixture.rawUsage().all())).isEmpty();

        // when
        CommandResult again = fixture.carryOut(request("c-2", delete(STREAM)));

        // then
        assertThat(again.state()).as(again.toString()).isEqualTo(State.DONE);
        fixture.emptyOut();
        assertThat(StoreCheck.problems(
                        fixture.rawEvents().all(), fixture.rawUsage().all()))
                .isEmpty();
    }

    private void take(ExecutionUpdate end, boolean isFirst) {
        if (isFirst) {
            fixture.execution(end);
        }
        fixture.event(event(STREAM, "b").execution(1));
        if (!isFirst) {
            fixture.execution(end);
        }
    }

    /** A run of a stream that was closed when it was deleted starts and ends like any other, and names no start. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldEndARunThatIsStartedAgain(boolean isForced) {
        // given
        run();
        fixture.carryOut(request("c-1", isForced ? deleteForced(STREAM) : delete(STREAM)));

        // when
        run();

        // then
        assertThat(fixture.reader().context(NAME).orElseThrow().isOpen()).isFalse();
        assertThat(fixture.carryOut(request("c-2", delete(STREAM))).state()).isEqualTo(State.DONE);
    }

    private void run() {
        fixture.execution(CommandFixture.execution(STREAM, 1, "running"));
        fixture.event(event(STREAM, "b").execution(1));
        fixture.execution(CommandFixture.execution(STREAM, 1, "completed"));
        fixture.advance(1000);
    }

    /** All ends come first, as a file that is sorted by kind has them. */
    @Test
    void shouldEndEachExecutionWithItsFirstEvent() {
        // given
        fixture.event(event(STREAM, "old"));
        fixture.carryOut(request("c-1", delete(STREAM)));
        List<Long> numbers = List.of(1L, 2L, 3L);
        numbers.forEach(number -> fixture.execution(CommandFixture.execution(STREAM, number, "completed")));
        assertThat(fixture.reader().usage(NAME)).isEmpty();

        // when
        fixture.event(event(STREAM, "b2").execution(2));
        assertThat(fixture.reader().context(NAME).orElseThrow().isOpen()).isFalse();
        fixture.event(event(STREAM, "b1").execution(1));
        fixture.restart();
        fixture.settle();
        fixture.event(event(STREAM, "b3").execution(3));

        // then
        assertThat(fixture.reader().context(NAME).orElseThrow().isOpen()).isFalse();
        assertThat(fixture.reader().context(NAME).orElseThrow().executions())
                .filteredOn(Execution::isDeclared)
                .extracting(Execution::number)
                .containsExactlyElementsOf(numbers);
        Event more = event(STREAM, "b4").execution(4).build();
        fixture.event(more, fixture.nowMs());
        assertThat(fixture.reader().context(NAME).orElseThrow().isOpen()).isTrue();
    }
}
