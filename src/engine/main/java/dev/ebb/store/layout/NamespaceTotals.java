package dev.ebb.store.layout;

/**
 * The totals of the streams of a namespace in one partition.
 *
 * @param streams the number of streams
 * @param events the number of their events
 * @param bytes the size of the events
 * @param protectedEvents the number of events that are protected, by their status or that of their execution
 * @param infiniteEvents the number of other events that are kept for ever at their producer's wish
 * @param timedEvents the number of the remaining events with an own TTL
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
