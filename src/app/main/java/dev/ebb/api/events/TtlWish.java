package dev.ebb.api.events;

import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.policy.PolicySource;
import dev.ebb.domain.time.Durations;
import org.jspecify.annotations.Nullable;

/**
 * A TTL that a person asks for. It must be within the bounds of the policy; the TTLs of other producers are silently
 * bounded (M-10).
 */
final class TtlWish {

    private TtlWish() {}

    /**
     * Returns the reason why the policy does not allow the TTL, or null if it does.
     *
     * @param anchorMs the time from which the age of the event counts, epoch milliseconds
     */
    static @Nullable String problem(OwnTtl ttl, EffectivePolicy policy, long anchorMs) {
        if (ttl.noExpiration() && !policy.allowInfiniteTtl().value()) {
            return "noExpiration is not allowed here by "
                    + policy.allowInfiniteTtl().source() + "; set allowInfiniteTtl: true in a policy, or ask for a TTL";
        }
        return ttl.isFinite() ? problemOfBounds(lifetimeMs(ttl, anchorMs), policy) : null;
    }

    private static @Nullable String problemOfBounds(long lifetimeMs, EffectivePolicy policy) {
        long min = policy.minTtl().value().value();
        long max = policy.maxTtl().value().value();
        if (lifetimeMs > max) {
            return outOfBounds(
                    lifetimeMs, "longer", "maxTtl", max, policy.maxTtl().source());
        }
        boolean isBounded = !policy.minTtl().value().isNone() && min <= max;
        return isBounded && lifetimeMs < min
                ? outOfBounds(
                        lifetimeMs, "shorter", "minTtl", min, policy.minTtl().source())
                : null;
    }

    private static String outOfBounds(long ms, String how, String field, long bound, PolicySource source) {
        return "a lifetime of " + Durations.format(ms) + " is " + how + " than " + field + " " + Durations.format(bound)
                + " of " + source;
    }

    private static long lifetimeMs(OwnTtl ttl, long anchorMs) {
        Long expiresAt = ttl.expiresAt();
        Long seconds = ttl.ttlSeconds();
        if (expiresAt != null) {
            return expiresAt - anchorMs;
        }
        return seconds == null || seconds > Long.MAX_VALUE / 1000 ? Long.MAX_VALUE : seconds * 1000;
    }
}
