package dev.ebb.domain.event;

import org.jspecify.annotations.Nullable;

/**
 * Contents of one execution of a stream at one moment.
 *
 * @param execution the execution; open if and only if it is not terminal
 * @param events number of its events, protected ones included
 * @param bytes size of its events, in bytes
 * @param protectedEvents number of its events that are protected by their own status or by that of the execution
 * @param openSinceMs the time at which its work was last seen to begin, epoch milliseconds; null while it is terminal,
 *     or if the time is unknown
 */
public record ExecutionUsage(
        Execution execution,
        long events,
        long bytes,
        long protectedEvents,
        @Nullable Long openSinceMs) {

    /** Returns the time since which the execution has been open, or terminal, epoch milliseconds; null if unknown. */
    public @Nullable Long sinceMs() {
        if (execution.isTerminal()) {
            return execution.completedAt();
        }
        return openSinceMs == null ? execution.startedAt() : openSinceMs;
    }
}
