package dev.ebb.domain.event;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The parent of a stream, and its open work (M-6).
 *
 * @param parent the parent stream; null if none was ever named
 * @param currentExecution the highest execution number; 0 if only the implicit execution exists
 * @param openExecutions number of executions that are not terminal
 * @param open the last few open executions, the highest number first
 * @param openEvents number of events protected by their own status, whatever their execution
 * @param openEventIds the ids of the first few events protected by their own status
 */
public record StreamStanding(
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

    /** Returns true if an execution is not terminal or an event is of a protected status. */
    public boolean isOpen() {
        return openExecutions > 0 || openEvents > 0;
    }
}
