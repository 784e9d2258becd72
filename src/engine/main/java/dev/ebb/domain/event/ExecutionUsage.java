package dev.ebb.domain.event;

import org.jspecify.annotations.Nullable;

/**
 * What one execution of a stream holds at one moment.
 *
 * @param execution the execution; it is open exactly if it is not terminal
 * @param events how many events it holds, protected ones included
 * @param bytes their size
 * @param protectedEvents how many of them their own status or that of the execution protects
 * @param openSinceMs when it was last seen to begin work, epoch milliseconds; null while it is terminal, or if that is not
 *     known
 */
public record ExecutionUsage(
        Execution execution,
        long events,
        long bytes,
        long protectedEvents,
        @Nullable Long openSinceMs) {

    /** Since when it is what it is, epoch milliseconds: open, or done; null if nobody knows. */
    public @Nullable Long sinceMs() {
        if (execution.isTerminal()) {
            return execution.completedAt();
        }
        return openSinceMs == null ? execution.startedAt() : openSinceMs;
    }
}
