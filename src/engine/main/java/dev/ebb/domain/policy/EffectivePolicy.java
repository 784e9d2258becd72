package dev.ebb.domain.policy;

import dev.ebb.domain.event.Anchor;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What is in force for a stream after all scopes have been asked, field by field (M-7). Immutable.
 *
 * @param maxAge age in milliseconds above which an eligible event goes
 * @param maxCount cap on the number of events
 * @param maxBytes cap on their size
 * @param keepLast how many of the newest eligible events, or executions, stay whatever else says
 * @param minAge age in milliseconds below which nothing goes
 * @param anchor what age counts from
 * @param minTtl lower bound in milliseconds for own TTLs
 * @param maxTtl upper bound in milliseconds for own TTLs; wins over {@code minTtl}
 * @param allowInfiniteTtl whether {@code noExpiration} is honoured
 * @param mode whether sweeps delete or only report
 * @param intervalMs how often a sweep runs, in milliseconds
 * @param window when sweeps may run
 * @param warnBefore how long before they expire events are reported, in milliseconds
 * @param archive whether events are archived before they are deleted
 */
public record EffectivePolicy(
        Sourced<Limit> maxAge,
        Sourced<Limit> maxCount,
        Sourced<Limit> maxBytes,
        Sourced<Limit> keepLast,
        Sourced<Limit> minAge,
        Sourced<Anchor> anchor,
        Sourced<Limit> minTtl,
        Sourced<Limit> maxTtl,
        Sourced<Boolean> allowInfiniteTtl,
        Sourced<PolicyMode> mode,
        Sourced<Long> intervalMs,
        Sourced<SweepWindow> window,
        Sourced<Limit> warnBefore,
        Sourced<Boolean> archive) {

    /** Every inherited field with what is in force for it, in the order in which they are shown. */
    public Map<PolicyField<?>, Sourced<?>> fields() {
        Map<PolicyField<?>, Sourced<?>> fields = new LinkedHashMap<>();
        fields.put(PolicyField.MAX_AGE, maxAge);
        fields.put(PolicyField.MAX_COUNT, maxCount);
        fields.put(PolicyField.MAX_BYTES, maxBytes);
        fields.put(PolicyField.KEEP_LAST, keepLast);
        fields.put(PolicyField.MIN_AGE, minAge);
        fields.put(PolicyField.ANCHOR, anchor);
        fields.put(PolicyField.MIN_TTL, minTtl);
        fields.put(PolicyField.MAX_TTL, maxTtl);
        fields.put(PolicyField.ALLOW_INFINITE_TTL, allowInfiniteTtl);
        fields.put(PolicyField.MODE, mode);
        fields.put(PolicyField.INTERVAL, intervalMs);
        fields.put(PolicyField.WINDOW, window);
        fields.put(PolicyField.WARN_BEFORE, warnBefore);
        fields.put(PolicyField.ARCHIVE, archive);
        return fields;
    }

    /** Whether sweeps delete what it condemns. */
    public boolean isEnforced() {
        return mode.value() == PolicyMode.ENFORCE;
    }

    /** Whether a stream of this size is over one of the caps; over means strictly more. */
    public boolean isOverCap(long events, long bytes) {
        return events > maxCount.value().value() || bytes > maxBytes.value().value();
    }
}
