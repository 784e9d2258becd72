package dev.ebb.domain.event;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a stream belongs, and whether work on it goes on (M-6).
 *
 * @param stream the stream
 * @param parent the stream that it belongs to; null if none was ever named
 * @param currentExecution the highest number of an execution, 0 if there is none but the implicit one
 * @param openExecutions how many executions are not terminal
 * @param open the last few of them, the highest number first
 * @param openEvents how many events their own status protects, whatever their execution
 * @param openEventIds the ids of the first few of them
 */
public record StreamStanding(
        StreamName stream,
        @Nullable StreamName parent,
        long currentExecution,
        long openExecutions,
        List<ExecutionUsage> open,
        long openEvents,
        List<String> openEventIds) {

    public StreamStanding {
        open = List.copyOf(open);
        openEventIds = List.copyOf(openEventIds);
    }

    /** Whether an execution is not terminal or an event is of a protected status. */
    public boolean isOpen() {
        return openExecutions > 0 || openEvents > 0;
    }
}
