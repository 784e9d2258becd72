package dev.ebb.topology.observe;

import org.jspecify.annotations.Nullable;

/**
 * Watch over the clock of this instance: whether the clock can be trusted (O-7). Thread-safe, and cheap enough to be
 * called in every slice.
 */
@FunctionalInterface
public interface ClockWatch {

    /** Watch for instances that have no clock to compare with. */
    ClockWatch SANE = () -> null;

    /** Returns the reason why this clock may delete nothing, as a sentence without a full stop; null if it is sane. */
    @Nullable
    String problem();

    /**
     * Returns the time to use, in epoch milliseconds: {@code nowMs} by the clock of this instance, or the broker's time
     * if this clock is too far from it. Events stored by a clock that is a month behind would be a month old once the
     * clock is right again, and go at once.
     */
    default long trusted(long nowMs) {
        return nowMs;
    }
}
