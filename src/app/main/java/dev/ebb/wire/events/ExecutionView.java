package dev.ebb.wire.events;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.ebb.domain.event.Execution;
import dev.ebb.domain.event.ExecutionUsage;
import dev.ebb.domain.event.StreamStanding;
import dev.ebb.wire.StaleView;
import dev.ebb.wire.WireJson;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An execution of a stream and what it holds, events that are due and wait for a sweep included.
 *
 * @param execution its number
 * @param parent the stream that its stream belongs to; null if none was ever named
 * @param current true for the execution with the highest number
 * @param status last known status of its work; null if there is none
 * @param open true if the execution is not terminal, so that all its events are protected
 * @param since since when it is open or done; null if unknown
 * @param startedAt when it began, as its producer says; null if unknown
 * @param completedAt when it became terminal; null if it is not terminal or not declared
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
     * One page, the highest number first; {@code next} goes into {@code after} of the next request and is null on the last
     * page.
     *
     * @param stale the copy that answered; left out if none did
     */
    public record Page(
            List<ExecutionView> executions,
            @Nullable String next,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<StaleView> stale) {}
}
