package dev.ebb.domain.command;

import dev.ebb.domain.Reported;

/**
 * Progress of a running command, counted in the items that it goes through one by one; for an erasure, these are
 * events.
 */
public record CommandProgress(
        @Reported("Number of items that are done.") long done,

        @Reported("Number of all items, as far as known; never less than done.")
        long total) {

    /** @throws IllegalArgumentException if {@code done} is greater than {@code total}, or negative */
    public CommandProgress {
        if (done < 0 || total < done) {
            throw new IllegalArgumentException(done + " of " + total + " is no progress");
        }
    }

    /** Returns the share of the items that is done, from 0 to 1. */
    public double part() {
        return total == 0 ? 1 : (double) done / total;
    }
}
