package dev.ebb.domain.event;

import org.jspecify.annotations.Nullable;

/**
 * The own TTL of one event: the lifetime that its producer asks for (M-10), or that a command has set in its place.
 * {@code expiresAt} takes precedence over {@code ttlSeconds}.
 *
 * @param ttlSeconds the lifetime in seconds counted from the anchor, at least 1; null if none is asked for
 * @param expiresAt the last millisecond of life, epoch milliseconds; null if none is asked for
 * @param noExpiration true if the event is to be kept for ever, which is honoured only where the policy allows it;
 *     never together with a TTL
 * @param isByCommand true if a command has set the end of its life, or has taken the TTL of the producer away: its
 *     delete is not the producer's own (T-1)
 */
public record OwnTtl(@Nullable Long ttlSeconds, @Nullable Long expiresAt, boolean noExpiration, boolean isByCommand) {

    /** No own TTL: the policy's {@code maxAge} decides. */
    public static final OwnTtl NONE = new OwnTtl(null, null, false);

    /** No own TTL any more, by a command. */
    public static final OwnTtl TAKEN_AWAY = new OwnTtl(null, null, false, true);

    /** A life without end. */
    public static final OwnTtl INFINITE = new OwnTtl(null, null, true);

    /**
     * @throws IllegalArgumentException if a field is out of range, or {@code noExpiration} stands together with a TTL
     */
    public OwnTtl {
        String problem = problem(ttlSeconds, expiresAt, noExpiration);
        if (problem != null) {
            throw new IllegalArgumentException(problem);
        }
        if (isByCommand && (noExpiration || ttlSeconds != null)) {
            throw new IllegalArgumentException("a command sets nothing but the end of a life");
        }
    }

    /** Creates the wish of a producer. */
    public OwnTtl(@Nullable Long ttlSeconds, @Nullable Long expiresAt, boolean noExpiration) {
        this(ttlSeconds, expiresAt, noExpiration, false);
    }

    /** Returns the fault of these fields; null if there is none. */
    public static @Nullable String problem(@Nullable Long ttlSeconds, @Nullable Long expiresAt, boolean noExpiration) {
        if (ttlSeconds != null && ttlSeconds <= 0) {
            return "ttlSeconds must be at least 1, was " + ttlSeconds;
        }
        if (expiresAt != null && expiresAt < 0) {
            return "expiresAt must not be before 1970, was " + expiresAt;
        }
        if (noExpiration && (ttlSeconds != null || expiresAt != null)) {
            return "noExpiration cannot be set together with ttlSeconds or expiresAt";
        }
        return null;
    }

    /** Returns the lifetime of these fields; {@link #NONE} itself if they ask for nothing. */
    public static OwnTtl of(@Nullable Long ttlSeconds, @Nullable Long expiresAt, boolean noExpiration) {
        return ttlSeconds == null && expiresAt == null && !noExpiration
                ? NONE
                : new OwnTtl(ttlSeconds, expiresAt, noExpiration);
    }

    /** Returns this TTL as one that a command has set; one without end deletes nothing, and stays as it is. */
    public OwnTtl byCommand() {
        return noExpiration ? this : new OwnTtl(ttlSeconds, expiresAt, false, true);
    }

    /** Returns true if the producer asked for any lifetime. */
    public boolean isAsked() {
        return noExpiration || isFinite();
    }

    /** Returns true if the producer asked for a lifetime that ends. */
    public boolean isFinite() {
        return ttlSeconds != null || expiresAt != null;
    }
}
