package dev.ebb.domain.event;

import org.jspecify.annotations.Nullable;

/**
 * Wishes of a producer for the lifetime of one event (M-10). {@code expiresAt} takes precedence over {@code
 * ttlSeconds}.
 *
 * @param ttlSeconds lifetime in seconds counted from the anchor, at least 1; null if none is asked for
 * @param expiresAt the last millisecond of life, epoch milliseconds; null if none is asked for
 * @param noExpiration the wish to be kept for ever, honoured only where the policy allows it; never together with a TTL
 */
public record OwnTtl(@Nullable Long ttlSeconds, @Nullable Long expiresAt, boolean noExpiration) {

    /** No wish: the policy's {@code maxAge} decides. */
    public static final OwnTtl NONE = new OwnTtl(null, null, false);

    /** The wish to be kept for ever. */
    public static final OwnTtl INFINITE = new OwnTtl(null, null, true);

    /** @throws IllegalArgumentException if the wish contradicts itself */
    public OwnTtl {
        String problem = problem(ttlSeconds, expiresAt, noExpiration);
        if (problem != null) {
            throw new IllegalArgumentException(problem);
        }
    }

    /** Reason why these three contradict each other; null if they do not. */
    public static @Nullable String problem(@Nullable Long ttlSeconds, @Nullable Long expiresAt, boolean noExpiration) {
        if (ttlSeconds != null && ttlSeconds <= 0) {
            return "ttlSeconds must be at least 1, was " + ttlSeconds;
        }
        if (expiresAt != null && expiresAt < 0) {
            return "expiresAt must not be before 1970, was " + expiresAt;
        }
        if (noExpiration && (ttlSeconds != null || expiresAt != null)) {
            return "noExpiration must not stand together with ttlSeconds or expiresAt";
        }
        return null;
    }

    /** The value for these wishes; {@link #NONE} itself if there are none. */
    public static OwnTtl of(@Nullable Long ttlSeconds, @Nullable Long expiresAt, boolean noExpiration) {
        return ttlSeconds == null && expiresAt == null && !noExpiration
                ? NONE
                : new OwnTtl(ttlSeconds, expiresAt, noExpiration);
    }

    /** Returns true if the producer asked for anything at all. */
    public boolean isAsked() {
        return noExpiration || isFinite();
    }

    /** Returns true if the producer asked for an end. */
    public boolean isFinite() {
        return ttlSeconds != null || expiresAt != null;
    }
}
