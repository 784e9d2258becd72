package dev.ebb.domain.policy;

import dev.ebb.domain.event.Anchor;

/**
 * What is in force for a stream after all scopes have been asked, field by field (M-7). Immutable.
 *
 * @param maxAge age in milliseconds above which an eligible event goes
 * @param maxCount cap on the number of events
 * @param maxBytes cap on their size
 * @param anchor what age counts from
 * @param minTtl lower bound in milliseconds for own TTLs
 * @param maxTtl upper bound in milliseconds for own TTLs; wins over {@code minTtl}
 * @param allowInfiniteTtl whether {@code noExpiration} is honoured
 * @param intervalMs how often a sweep runs, in milliseconds
 */
public record EffectivePolicy(
        Sourced<Limit> maxAge,
        Sourced<Limit> maxCount,
        Sourced<Limit> maxBytes,
        Sourced<Anchor> anchor,
        Sourced<Limit> minTtl,
        Sourced<Limit> maxTtl,
        Sourced<Boolean> allowInfiniteTtl,
        Sourced<Long> intervalMs) {

    /** Whether a stream of this size is over one of the caps; over means strictly more. */
    public boolean isOverCap(long events, long bytes) {
        return events > maxCount.value().value() || bytes > maxBytes.value().value();
    }
}
