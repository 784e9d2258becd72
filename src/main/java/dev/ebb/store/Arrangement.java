package dev.ebb.store;

import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.policy.EffectivePolicy;

/**
 * What the keys of a stream's events depend on besides the events themselves. Where it differs from what the policy in
 * force asks for, the events must be moved.
 *
 * @param anchor the anchor in the keys
 * @param minTtlMs lower bound of own TTLs
 * @param maxTtlMs upper bound of own TTLs
 * @param allowInfinite whether {@code noExpiration} is honoured
 * @param maxAgeMs the age that stands for a wish that is not honoured
 * @param statuses the fingerprint of the terminal statuses
 */
record Arrangement(Anchor anchor, long minTtlMs, long maxTtlMs, boolean allowInfinite, long maxAgeMs, int statuses) {

    private static final Anchor[] ANCHORS = Anchor.values();

    static Arrangement of(EffectivePolicy policy, int statuses) {
        return new Arrangement(
                policy.anchor().value(),
                policy.minTtl().value().value(),
                policy.maxTtl().value().value(),
                policy.allowInfiniteTtl().value(),
                policy.maxAge().value().value(),
                statuses);
    }

    /** Whether events without an own TTL must move as well. */
    boolean movesOrdered(Arrangement from) {
        return anchor != from.anchor || statuses != from.statuses;
    }

    /** Whether protected events must be looked at. */
    boolean movesPinned(Arrangement from) {
        return statuses != from.statuses;
    }

    void encode(ByteWriter out) {
        out.writeByte(anchor.ordinal()).writeLong(minTtlMs).writeLong(maxTtlMs);
        out.writeByte(allowInfinite ? 1 : 0).writeLong(maxAgeMs).writeInt(statuses);
    }

    static Arrangement decode(ByteReader in) {
        return new Arrangement(
                ANCHORS[in.readByte()], in.readLong(), in.readLong(), in.readByte() != 0, in.readLong(), in.readInt());
    }
}
