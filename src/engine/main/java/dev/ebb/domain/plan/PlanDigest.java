package dev.ebb.domain.plan;

import dev.ebb.domain.Sha256;
import dev.ebb.domain.event.StreamName;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Digest of a set of events, over stream, id and {@code storedAt} of each: the sum of their SHA-256 hashes modulo
 * 2^256, and their number. The sum does not depend on the order, so the digests of partitions can be added, and an
 * event can be subtracted again. Two sets that differ by chance have different digests.
 *
 * <p>A sum of hashes resists a forger less than one hash does: an attacker who could choose millions of ids
 * <em>and</em> the times of storing could search for two sets with equal sums (Wagner's generalised birthday search).
 * No decision depends on this resistance. A plan deletes the listed events that the dry run stored, never events
 * because their digest matches; the digest only identifies the list for people and reviews. The tasks choose the times
 * of storing.
 *
 * @param events number of events
 * @param a the sum, its highest 64 bits; {@code b}, {@code c} and {@code d} follow
 */
public record PlanDigest(long events, long a, long b, long c, long d) {

    /** The digest of the empty set. */
    public static final PlanDigest NOTHING = new PlanDigest(0, 0, 0, 0, 0);

    /** Returns the digest of one event. */
    public static PlanDigest of(StreamName stream, String id, long storedAtMs) {
        byte[] name = stream.value().getBytes(StandardCharsets.UTF_8);
        byte[] key = id.getBytes(StandardCharsets.UTF_8);
        // The length separates the name from the id.
        ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES + name.length + key.length + Long.BYTES);
        bytes.putInt(name.length).put(name).put(key).putLong(storedAtMs);
        ByteBuffer hash = ByteBuffer.wrap(Sha256.of(bytes.array()));
        return new PlanDigest(1, hash.getLong(), hash.getLong(), hash.getLong(), hash.getLong());
    }

    /** Returns the digest of the union of two sets without a common event. */
    public PlanDigest plus(PlanDigest other) {
        long sumD = d + other.d;
        long carry = isBelow(sumD, d) ? 1 : 0;
        long sumC = c + other.c + carry;
        carry = carry(c, other.c, carry);
        long sumB = b + other.b + carry;
        carry = carry(b, other.b, carry);
        return new PlanDigest(events + other.events, a + other.a + carry, sumB, sumC, sumD);
    }

    /** Returns the digest without the events of the other set, all of which are in this one. */
    public PlanDigest minus(PlanDigest other) {
        // The negative number in two's complement: all bits inverted, plus one.
        PlanDigest inverse = new PlanDigest(-other.events, ~other.a, ~other.b, ~other.c, ~other.d);
        return plus(inverse).plus(new PlanDigest(0, 0, 0, 0, 1));
    }

    private static long carry(long one, long other, long carry) {
        long sum = one + other;
        return isBelow(sum, one) || isBelow(sum + carry, sum) ? 1 : 0;
    }

    private static boolean isBelow(long one, long other) {
        return Long.compareUnsigned(one, other) < 0;
    }

    /** Returns the sum in hexadecimal digits. */
    public String text() {
        return String.format("%016x%016x%016x%016x", a, b, c, d);
    }
}
