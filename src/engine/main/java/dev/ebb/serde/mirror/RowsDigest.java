package dev.ebb.serde.mirror;

import java.nio.ByteBuffer;
import java.util.HexFormat;

/**
 * Stands for a set of rows, whatever their order: how many they are, and the sum of their digests. Digests of parts add up
 * to that of the whole. Immutable.
 *
 * @param rows how many
 * @param high the sum of the first eight bytes of each digest
 * @param low the sum of the next eight bytes
 */
public record RowsDigest(long rows, long high, long low) {

    /** No row. */
    public static final RowsDigest NONE = new RowsDigest(0, 0, 0);

    private static final int HEX_DIGITS = 16;

    /** The digest of one row. */
    public static RowsDigest of(RowImage row) {
        ByteBuffer digest = ByteBuffer.wrap(row.digest());
        return new RowsDigest(1, digest.getLong(), digest.getLong());
    }

    /**
     * Reads what {@link #hash()} has written.
     *
     * @throws IllegalArgumentException if it is something else
     */
    public static RowsDigest of(long rows, String hash) {
        if (hash.length() != 2 * HEX_DIGITS) {
            throw new IllegalArgumentException("'" + hash + "' is no hash");
        }
        return new RowsDigest(
                rows,
                HexFormat.fromHexDigitsToLong(hash, 0, HEX_DIGITS),
                HexFormat.fromHexDigitsToLong(hash, HEX_DIGITS, 2 * HEX_DIGITS));
    }

    /** Both sets together. */
    public RowsDigest plus(RowsDigest other) {
        return new RowsDigest(rows + other.rows, high + other.high, low + other.low);
    }

    /** The sums in 32 hexadecimal digits. */
    public String hash() {
        return HexFormat.of().toHexDigits(high) + HexFormat.of().toHexDigits(low);
    }
}
