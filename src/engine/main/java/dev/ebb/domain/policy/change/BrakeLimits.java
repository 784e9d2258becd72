package dev.ebb.domain.policy.change;

import java.time.Duration;

/**
 * Limits on the deletes that a change may cause without a confirmation (O-8, T-15). They hold for the scope of the
 * change and for each namespace that it concerns.
 *
 * @param sharePercent share of the stored events, 0 to 100
 * @param minimumEvents number of events that are always allowed, over all partitions; at least 0
 * @param horizonMs time for which the brake looks ahead, in milliseconds; 0 counts only what goes at once
 */
public record BrakeLimits(int sharePercent, long minimumEvents, long horizonMs) {

    /** A change that is noticed within a week can be taken back before it has deleted anything. */
    public static final Duration HORIZON = Duration.ofDays(7);

    /** 20 % of the scope, and always 100 events: a mistake in a small scope is as bad as in a large one. */
    public static final BrakeLimits DEFAULT = new BrakeLimits(20, 100, HORIZON.toMillis());

    private static final int ALL_PERCENT = 100;

    /** No limits: everything may be deleted. */
    public static final BrakeLimits OFF = new BrakeLimits(ALL_PERCENT, 0, 0);

    public BrakeLimits {
        if (sharePercent < 0 || sharePercent > ALL_PERCENT || minimumEvents < 0) {
            throw new IllegalArgumentException("the share must be from 0 to 100 and the minimum not negative");
        }
        if (horizonMs < 0) {
            throw new IllegalArgumentException("the horizon must not be negative");
        }
    }

    /** Returns true if the limits can hold a change back. */
    public boolean isOn() {
        return sharePercent < ALL_PERCENT;
    }

    /** Returns the maximum number of events that may go, given the number of stored events. */
    public long allowed(long stored) {
        return Math.max(
                stored / ALL_PERCENT * sharePercent + stored % ALL_PERCENT * sharePercent / ALL_PERCENT, minimumEvents);
    }

    /** Returns true if so many deletes in a namespace need a confirmation, together with those of the last hour. */
    boolean isBeyond(NamespaceLoss loss) {
        return loss.wouldDelete() > 0 && BrakeFinding.sum(loss.wouldDelete(), loss.earlier()) > allowed(loss.stored());
    }
}
