package dev.ebb.domain.policy.change;

/**
 * Deletes that changes without a confirmation have caused in one namespace within the last hour (T-15).
 *
 * @param events number of these events
 * @param stored largest number of events that the namespace held when one of these changes was counted
 */
public record SpentDeletes(long events, long stored) {

    /** No deletes. */
    public static final SpentDeletes NOTHING = new SpentDeletes(0, 0);

    /** Returns both together. */
    public SpentDeletes plus(SpentDeletes other) {
        return new SpentDeletes(BrakeFinding.sum(events, other.events), Math.max(stored, other.stored));
    }
}
