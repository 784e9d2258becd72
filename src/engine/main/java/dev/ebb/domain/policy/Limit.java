package dev.ebb.domain.policy;

import org.jspecify.annotations.Nullable;

/**
 * An upper or lower limit of a policy: a positive number (milliseconds, events or bytes) or none at all. "None" is a
 * value of its own: it ends the inheritance from wider scopes. Immutable.
 */
public final class Limit {

    /**
     * No limit here, whatever wider scopes say; written {@code unlimited} for ages and caps, {@code none} for bounds.
     */
    public static final Limit NONE = new Limit(Long.MAX_VALUE);

    private final long value;

    private Limit(long value) {
        this.value = value;
    }

    /** @throws IllegalArgumentException if the value is not positive */
    public static Limit of(long value) {
        if (value <= 0) {
            throw new IllegalArgumentException("must be positive, was " + value);
        }
        return value == Long.MAX_VALUE ? NONE : new Limit(value);
    }

    /** Returns true if there is no limit. */
    public boolean isNone() {
        return value == Long.MAX_VALUE;
    }

    /** Returns the number; {@link Long#MAX_VALUE} if there is no limit. */
    public long value() {
        return value;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Limit that && value == that.value;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(value);
    }

    @Override
    public String toString() {
        return isNone() ? "none" : Long.toString(value);
    }
}
