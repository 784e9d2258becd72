package dev.ebb.topology;

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
}
