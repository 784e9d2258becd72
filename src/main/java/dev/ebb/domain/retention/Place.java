package dev.ebb.domain.retention;

/**
 * Where an event stands in its stream, counted over what age and own TTLs leave of the stream (M-12, M-14).
 *
 * @param events all events of the stream, protected ones included
 * @param bytes their size
 * @param olderEligibleEvents how many eligible events go before this one
 * @param olderEligibleBytes their size
 */
public record Place(long events, long bytes, long olderEligibleEvents, long olderEligibleBytes) {

    /** A place in which no cap takes the event: age and own TTLs alone decide, as for readers (M-17). */
    public static final Place WITHIN_CAPS = new Place(0, 0, 0, 0);

    /** The place of the event that is the next to go in a stream of this size. */
    public static Place atHead(long events, long bytes) {
        return new Place(events, bytes, 0, 0);
    }
}
