package dev.ebb.wire.events;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.ebb.domain.event.Execution;
import dev.ebb.domain.event.ExecutionUsage;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.event.StreamStanding;
import dev.ebb.wire.StaleView;
import dev.ebb.wire.WireJson;
import dev.ebb.wire.read.Parameter;
import dev.ebb.wire.read.Read;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An execution of a stream and its contents, including events that are due and wait for a sweep.
 *
 * @param execution the number of the execution
 * @param parent the parent of the stream; null if none was ever named
 * @param current true for the execution with the highest number
 * @param status the last known status of the execution; null if there is none
 * @param open true if the execution is not terminal, which protects all its events
 * @param since time since which the execution has been open or done; null if unknown
 * @param startedAt time of its start, according to its producer; null if unknown
 * @param completedAt time at which it became terminal; null if it is not terminal or not declared
 * @param protectedEvents number of its events that are protected, by their own status or by that of the execution
 */
public record ExecutionView(
        long execution,
        @Nullable String parent,
        boolean current,
        @Nullable String status,
        boolean open,
        @Nullable Instant since,
        @Nullable Instant startedAt,
        @Nullable Instant completedAt,
        long events,
        long bytes,
        long protectedEvents) {

    /** Lists the executions of a stream. */
    public static final Read<Query, Page> LIST = new Read<>(
                    "/v1/streams/{stream}/executions",
                    "Lists the executions of a stream, the current one first.",
                    Query.class,
                    Page.class)
            .fromCopies();

    /** A selection of executions; {@code after} is the number of an execution. */
    public record Query(
            @Parameter("The name of the stream.") StreamName stream,
            int limit,
            @Nullable Long after) {}

    public static ExecutionView of(ExecutionUsage usage, StreamStanding standing) {
        Execution execution = usage.execution();
        return new ExecutionView(
                execution.number(),
                standing.parent() == null ? null : standing.parent().value(),
                execution.number() == standing.currentExecution(),
                execution.status(),
                !execution.isTerminal(),
                WireJson.time(usage.sinceMs()),
                WireJson.time(execution.startedAt()),
                WireJson.time(execution.completedAt()),
                usage.events(),
                usage.bytes(),
                usage.protectedEvents());
    }

    /**
     * One page, the highest number first; {@code next} goes into {@code after} of the next request and is null on the
     * last page.
     *
     * @param stale the copy that answered; left out if none did
     */
    public record Page(
            List<ExecutionView> executions,
            @Nullable String next,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<StaleView> stale) {}
}
