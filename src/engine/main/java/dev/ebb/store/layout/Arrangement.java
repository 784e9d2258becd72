package dev.ebb.store.layout;

import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.policy.EffectivePolicy;

/**
 * The settings on which the keys of a stream's events depend, besides the events themselves. If they differ from those
 * of the policy in force, the events must be moved.
 *
 * @param anchor the anchor in the keys
 * @param minTtlMs the lower bound of own TTLs, in milliseconds
 * @param maxTtlMs the upper bound of own TTLs, in milliseconds
 * @param minAgeMs the age before which no own TTL ends, in milliseconds
 * @param allowInfinite true if {@code noExpiration} is honoured
 * @param statuses the fingerprint of the terminal statuses
 */
public record Arrangement(
        Anchor anchor, long minTtlMs, long maxTtlMs, long minAgeMs, boolean allowInfinite, int statuses) {

    /** The arrangement of a stream until its record is read. */
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

    /** Returns true if a move from the other arrangement to this one may have to move events of the range. */
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
