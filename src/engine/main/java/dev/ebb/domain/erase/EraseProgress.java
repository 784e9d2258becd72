package dev.ebb.domain.erase;

/**
 * Progress of an erasure in one partition, sent to the partition that leads it.
 *
 * @param read number of events that have been looked at
 * @param stored number of events to look at; 0 if unknown
 * @param events number of events that are gone, or would go
 * @param bytes size of these events
 */
public record EraseProgress(long read, long stored, long events, long bytes) {

    /** @throws IllegalArgumentException if a number is negative */
    public EraseProgress {
        if (Math.min(Math.min(read, stored), Math.min(events, bytes)) < 0) {
            throw new IllegalArgumentException("a count must not be negative");
        }
    }
}
