package dev.ebb.topology.observe;

import org.jspecify.annotations.Nullable;

/**
 * Knows whether the clock of this instance can be trusted (O-7). Thread-safe, and cheap enough to be asked in every
 * slice.
 */
@FunctionalInterface
public interface ClockWatch {

    /** For those who have no clock to compare with. */
    ClockWatch SANE = () -> null;

    /** Why nothing may be deleted by this clock, as a sentence without a full stop; null if it is sane. */
    @Nullable
    String problem();

    /**
     * The time to go by, in epoch milliseconds: {@code nowMs} by the clock of this instance, or else the broker's, where this
     * one is too far from it. What is stored by a clock that is a month behind would be a month old when the clock is
     * right again, and go at once.
     */
    default long trusted(long nowMs) {
        return nowMs;
    }
}
