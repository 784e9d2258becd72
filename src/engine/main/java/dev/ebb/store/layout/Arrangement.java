package dev.ebb.store.layout;

import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.policy.EffectivePolicy;

/**
 * Settings on which the keys of a stream's events depend besides the events themselves. Where they differ from those
 * that the policy in force asks for, the events must be moved.
 *
 * @param anchor the anchor in the keys
 * @param minTtlMs lower bound of own TTLs
 * @param maxTtlMs upper bound of own TTLs
 * @param minAgeMs the age before which no own TTL ends
 * @param allowInfinite true if {@code noExpiration} is honoured
 * @param statuses the fingerprint of the terminal statuses
 */
public record Arrangement(
        Anchor anchor, long minTtlMs, long maxTtlMs, long minAgeMs, boolean allowInfinite, int statuses) {

    /** The arrangement of a stream whose record is being read. */
    public static final Arrangement NOTHING = new Arrangement(Anchor.STORED, 0, 0, 0, false, 0);

    private static final Anchor[] ANCHORS = Anchor.values();

    public static Arrangement of(EffectivePolicy policy, int statuses) {
        return new Arrangement(
                policy.anchor().value(),
                policy.minTtl().value().value(),
                policy.maxTtl().value().value(),
                policy.minAge().value().value(),
                policy.allowInfiniteTtl().value(),
                statuses);
    }

    /** Returns true if events of that range may have to move on the way from the other arrangement to this one. */
    public boolean moves(Range range, Arrangement from, boolean hasWishes) {
        boolean isAll = anchor != from.anchor || statuses != from.statuses;
        return switch (range) {
            case ORDERED -> isAll || (allowInfinite && !from.allowInfinite && hasWishes);
            case TIMED -> isAll || !hasBoundsOf(from);
            case INFINITE -> isAll || (from.allowInfinite && !allowInfinite);
            case PINNED -> statuses != from.statuses;
            default -> false;
        };
    }

    private boolean hasBoundsOf(Arrangement from) {
        return minTtlMs == from.minTtlMs && maxTtlMs == from.maxTtlMs && minAgeMs == from.minAgeMs;
    }

    public void encode(ByteWriter out) {
        out.writeByte(anchor.ordinal()).writeLong(minTtlMs).writeLong(maxTtlMs).writeLong(minAgeMs);
        out.writeByte(allowInfinite ? 1 : 0).writeInt(statuses);
    }

    public static Arrangement decode(ByteReader in) {
        return new Arrangement(
                ANCHORS[in.readByte()], in.readLong(), in.readLong(), in.readLong(), in.readByte() != 0, in.readInt());
    }
}
