package dev.ebb.domain.command;

/**
 * Progress of a command that runs, by the things that it goes through one by one.
 *
 * @param done number of things that are done
 * @param total number of all, as far as is known; never less than {@code done}
 */
public record CommandProgress(long done, long total) {

    /** @throws IllegalArgumentException if more is done than there is, or a number is negative */
    public CommandProgress {
        if (done < 0 || total < done) {
            throw new IllegalArgumentException(done + " of " + total + " is no progress");
        }
    }

    /** Share of the things that is done, from 0 to 1. */
    public double part() {
        return total == 0 ? 1 : (double) done / total;
    }
}
