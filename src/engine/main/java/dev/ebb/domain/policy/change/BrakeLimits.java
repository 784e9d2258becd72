package dev.ebb.domain.policy.change;

/**
 * Limits on the deletes that a change of policies may cause at once without a confirmation (O-8).
 *
 * @param sharePercent share of the events stored in the scope of the change, 0 to 100
 * @param minimumEvents number of events that are always allowed, over all partitions; at least 0
 */
public record BrakeLimits(int sharePercent, long minimumEvents) {

    /** 20 % of the scope, and always 100 events: a mistake in a small scope is as bad as in a large one. */
    public static final BrakeLimits DEFAULT = new BrakeLimits(20, 100);

    private static final int ALL_PERCENT = 100;

    /** No limits: everything may be deleted. */
    public static final BrakeLimits OFF = new BrakeLimits(ALL_PERCENT, 0);

    public BrakeLimits {
        if (sharePercent < 0 || sharePercent > ALL_PERCENT || minimumEvents < 0) {
            throw new IllegalArgumentException("the share must be from 0 to 100 and the minimum not negative");
        }
    }

    /** Returns true if the limits can hold a change back. */
    public boolean isOn() {
        return sharePercent < ALL_PERCENT;
    }

    /**
     * Returns the maximum number of events that may become due at once, given the number of events stored in the scope.
     */
    public long allowed(long stored) {
        return Math.max(
                stored / ALL_PERCENT * sharePercent + stored % ALL_PERCENT * sharePercent / ALL_PERCENT, minimumEvents);
    }
}
