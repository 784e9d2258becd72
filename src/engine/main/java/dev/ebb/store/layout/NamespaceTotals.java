package dev.ebb.store.layout;

/**
 * Totals of the streams of a namespace in one partition.
 *
 * @param streams how many streams there are
 * @param events how many events they hold
 * @param bytes the size of the events
 * @param protectedEvents how many of the events are protected, by their status or that of their execution
 * @param infiniteEvents how many of the others are kept for ever at their producer's wish
 * @param timedEvents how many of the others have an own TTL
 */
public record NamespaceTotals(
        long streams, long events, long bytes, long protectedEvents, long infiniteEvents, long timedEvents) {

    public static final NamespaceTotals NOTHING = new NamespaceTotals(0, 0, 0, 0, 0, 0);

    public NamespaceTotals plus(NamespaceTotals other) {
        return new NamespaceTotals(
                streams + other.streams,
                events + other.events,
                bytes + other.bytes,
                protectedEvents + other.protectedEvents,
                infiniteEvents + other.infiniteEvents,
                timedEvents + other.timedEvents);
    }
}
