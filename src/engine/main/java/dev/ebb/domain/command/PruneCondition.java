package dev.ebb.domain.command;

import org.jspecify.annotations.Nullable;

/**
 * Which parts of a stream a prune takes: all conditions that are given must hold, and without any it takes none.
 *
 * @param keepLast so many of the newest stay, the current execution among them, at least 0; null for no such condition
 * @param completedBeforeMs only what was completed strictly before, epoch milliseconds; null for no such condition
 */
public record PruneCondition(
        @Nullable Long keepLast, @Nullable Long completedBeforeMs) {

    /** @throws IllegalArgumentException if {@code keepLast} is negative */
    public PruneCondition {
        if (keepLast != null && keepLast < 0) {
            throw new IllegalArgumentException("keep-last must not be negative, was " + keepLast);
        }
    }

    /** Whether no condition is given. */
    public boolean isEmpty() {
        return keepLast == null && completedBeforeMs == null;
    }
}
