package dev.ebb.domain.policy;

import dev.ebb.domain.event.Anchor;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The values in force for a stream, resolved over all scopes field by field (M-7). Immutable.
 *
 * @param maxAge age in milliseconds above which an eligible event goes
 * @param maxCount cap on the number of events
 * @param maxBytes cap on the size of the events, in bytes
 * @param keepLast number of the newest eligible events, or executions, that stay whatever the other fields say
 * @param minAge age in milliseconds below which nothing goes
 * @param anchor the time from which age is counted
 * @param minTtl lower bound in milliseconds for own TTLs
 * @param maxTtl upper bound in milliseconds for own TTLs; wins over {@code minTtl}
 * @param allowInfiniteTtl whether {@code noExpiration} is honoured
 * @param mode whether sweeps delete or only report
 * @param intervalMs interval between sweeps, in milliseconds
 * @param window part of the day in which sweeps may run
 * @param warnBefore time before their expiry at which events are reported, in milliseconds
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

    /** Every inherited field with its value in force, in the order of display. */
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

    /** Whether sweeps delete the events that it condemns. */
    public boolean isEnforced() {
        return mode.value() == PolicyMode.ENFORCE;
    }

    /** Whether a stream of this size is over one of the caps; over means strictly more. */
    public boolean isOverCap(long events, long bytes) {
        return events > maxCount.value().value() || bytes > maxBytes.value().value();
    }
}
