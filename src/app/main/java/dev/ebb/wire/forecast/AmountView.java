package dev.ebb.wire.forecast;

/**
 * A number of events, and their size.
 *
 * @param bytes size of these events
 */
public record AmountView(long events, long bytes) {

    /** No events. */
    public static final AmountView NOTHING = new AmountView(0, 0);

    public AmountView plus(AmountView other) {
        return new AmountView(events + other.events, bytes + other.bytes);
    }
}
