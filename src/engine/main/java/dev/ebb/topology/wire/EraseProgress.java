package dev.ebb.topology.wire;

/**
 * Tells the partition that leads an erasure how far another one is.
 *
 * @param read number of events that it has looked at
 * @param stored number of events that it has to look at; 0 if it does not know
 * @param events number of events that have gone, or would
 * @param bytes their size
 */
public record EraseProgress(long read, long stored, long events, long bytes) {

    /** @throws IllegalArgumentException if one of them is negative */
    public EraseProgress {
        if (Math.min(Math.min(read, stored), Math.min(events, bytes)) < 0) {
            throw new IllegalArgumentException("a count must not be negative");
        }
    }
}
