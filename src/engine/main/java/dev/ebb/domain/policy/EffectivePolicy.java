package dev.ebb.domain.policy;

import dev.ebb.domain.event.Anchor;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The values in force for a stream, resolved over all scopes field by field (M-7). The fields that every decision reads
 * have a method of their own; {@link #get} finds all others. Immutable.
 */
public final class EffectivePolicy {

    private final Map<PolicyField<?>, Sourced<?>> fields;
    private final Sourced<Limit> maxAge;
    private final Cap onEvents;
    private final Cap onBytes;
    private final Sourced<Limit> keepLast;
    private final Sourced<Limit> minAge;
    private final Sourced<Anchor> anchor;
    private final Sourced<Limit> minTtl;
    private final Sourced<Limit> maxTtl;
    private final Sourced<Boolean> allowInfiniteTtl;
    private final Sourced<Boolean> archive;
    private final boolean isEnforced;
    private final boolean isMirrored;

    /** @param fields each inherited field with a value of its type, in the order of display */
    EffectivePolicy(Map<PolicyField<?>, Sourced<?>> fields) {
        this.fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
        this.maxAge = get(PolicyField.MAX_AGE);
        this.onEvents = lowest(PolicyField.CAPS_ON_EVENTS);
        this.onBytes = lowest(PolicyField.CAPS_ON_BYTES);
        this.keepLast = get(PolicyField.KEEP_LAST);
        this.minAge = get(PolicyField.MIN_AGE);
        this.anchor = get(PolicyField.ANCHOR);
        this.minTtl = get(PolicyField.MIN_TTL);
        this.maxTtl = get(PolicyField.MAX_TTL);
        this.allowInfiniteTtl = get(PolicyField.ALLOW_INFINITE_TTL);
        this.archive = get(PolicyField.ARCHIVE);
        this.isEnforced = get(PolicyField.MODE).value() == PolicyMode.ENFORCE;
        this.isMirrored = get(PolicyField.MIRROR).value() == Mirroring.ALL;
    }

    /** A cap in force. */
    private record Cap(PolicyField<Limit> field, Limit most) {}

    private Cap lowest(List<PolicyField<Limit>> caps) {
        return caps.stream()
                .map(field -> new Cap(field, get(field).value()))
                .min(Comparator.comparingLong(cap -> cap.most.value()))
                .orElseThrow();
    }

    /** Returns every inherited field with its value in force, in the order of display. */
    public Map<PolicyField<?>, Sourced<?>> fields() {
        return fields;
    }

    /**
     * Returns the value in force of an inherited field.
     *
     * @throws IllegalArgumentException if the field is not inherited
     */
    @SuppressWarnings("unchecked") // each field comes with a value of its type
    public <T> Sourced<T> get(PolicyField<T> field) {
        Sourced<?> value = fields.get(field);
        if (value == null) {
            throw new IllegalArgumentException(field + " is not inherited");
        }
        return (Sourced<T>) value;
    }

    /** Returns the age in milliseconds above which an eligible event goes. */
    public Sourced<Limit> maxAge() {
        return maxAge;
    }

    /** Returns the number of the newest eligible events, or executions, that stay whatever the other fields say. */
    public Sourced<Limit> keepLast() {
        return keepLast;
    }

    /** Returns the age in milliseconds below which nothing goes. */
    public Sourced<Limit> minAge() {
        return minAge;
    }

    /** Returns the time from which age is counted. */
    public Sourced<Anchor> anchor() {
        return anchor;
    }

    /** Returns the lower bound in milliseconds for own TTLs. */
    public Sourced<Limit> minTtl() {
        return minTtl;
    }

    /** Returns the upper bound in milliseconds for own TTLs; wins over {@code minTtl}. */
    public Sourced<Limit> maxTtl() {
        return maxTtl;
    }

    /** Returns whether {@code noExpiration} is honoured. */
    public Sourced<Boolean> allowInfiniteTtl() {
        return allowInfiniteTtl;
    }

    /** Returns whether events are archived before they are deleted. */
    public Sourced<Boolean> archive() {
        return archive;
    }

    /** Returns true if sweeps delete the events that the policy condemns. */
    public boolean isEnforced() {
        return isEnforced;
    }

    /** Returns true if SQL has rows of the events (F-13). */
    public boolean isMirrored() {
        return isMirrored;
    }

    /** Returns the maximum number of events that caps leave in a stream. */
    public Limit mostEvents() {
        return onEvents.most;
    }

    /** Returns the maximum number of bytes that caps leave in a stream. */
    public Limit mostBytes() {
        return onBytes.most;
    }

    /**
     * Returns the cap that a stream of this size is over, a cap on events before a cap on bytes; over means strictly
     * more. Null if the stream is within all caps.
     */
    public @Nullable PolicyField<Limit> capOver(long events, long bytes) {
        if (events > onEvents.most.value()) {
            return onEvents.field;
        }
        return bytes > onBytes.most.value() ? onBytes.field : null;
    }

    /** Returns true if a stream of this size is over one of the caps. */
    public boolean isOverCap(long events, long bytes) {
        return capOver(events, bytes) != null;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other || (other instanceof EffectivePolicy that && fields.equals(that.fields));
    }

    @Override
    public int hashCode() {
        return fields.hashCode();
    }

    @Override
    public String toString() {
        return "EffectivePolicy" + fields;
    }
}
