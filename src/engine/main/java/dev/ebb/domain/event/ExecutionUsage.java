package dev.ebb.domain.event;

import org.jspecify.annotations.Nullable;

/**
 * Contents of one execution of a stream at one moment.
 *
 * @param execution the execution; it is open exactly if it is not terminal
 * @param events number of its events, protected ones included
 * @param bytes size of its events, in bytes
 * @param protectedEvents number of its events that are protected by their own status or by that of the execution
 * @param openSinceMs time at which it was last seen to begin work, epoch milliseconds; null while it is terminal, or if
 *     the time is not known
 */
public record ExecutionUsage(
        Execution execution,
        long events,
        long bytes,
        long protectedEvents,
        @Nullable Long openSinceMs) {

    /** Time since which it has been open, or done, epoch milliseconds; null if not known. */
    public @Nullable Long sinceMs() {
        if (execution.isTerminal()) {
            return execution.completedAt();
        }
        return openSinceMs == null ? execution.startedAt() : openSinceMs;
    }
}
