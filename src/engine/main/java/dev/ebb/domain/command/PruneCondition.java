package dev.ebb.domain.command;

import org.jspecify.annotations.Nullable;

/**
 * The condition that selects the parts of a stream for a prune: all given conditions must hold; without any, the prune
 * removes nothing.
 *
 * @param keepLast number of the newest executions or events that stay, the current execution among them, at least 0;
 *     null for no such condition
 * @param completedBeforeMs takes only parts completed strictly before, epoch milliseconds; null for no such condition
 */
public record PruneCondition(
        @Nullable Long keepLast, @Nullable Long completedBeforeMs) {

    /** @throws IllegalArgumentException if {@code keepLast} is negative */
    public PruneCondition {
        if (keepLast != null && keepLast < 0) {
            throw new IllegalArgumentException("keep-last must not be negative, was " + keepLast);
        }
    }

    /** Returns the condition of these values. */
    static PruneCondition of(CommandValues given) {
        return new PruneCondition(given.find(CommandField.KEEP_LAST), given.find(CommandField.COMPLETED_BEFORE));
    }

    /** Returns true if no condition is given. */
    public boolean isEmpty() {
        return keepLast == null && completedBeforeMs == null;
    }
}
