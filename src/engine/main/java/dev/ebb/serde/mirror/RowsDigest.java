package dev.ebb.serde.mirror;

import java.nio.ByteBuffer;
import java.util.HexFormat;

/**
 * Digest of a set of rows in any order: their number, and the sum of their digests. Digests of parts add up to that of
 * the whole. Immutable.
 *
 * @param rows number of rows
 * @param high the sum of the first eight bytes of each digest
 * @param low the sum of the next eight bytes
 */
public record RowsDigest(long rows, long high, long low) {

    /** The digest of no rows. */
    public static final RowsDigest NONE = new RowsDigest(0, 0, 0);

    private static final int HEX_DIGITS = 16;

    /** The digest of one row. */
    public static RowsDigest of(RowImage row) {
        ByteBuffer digest = ByteBuffer.wrap(row.digest());
        return new RowsDigest(1, digest.getLong(), digest.getLong());
    }

    /**
     * Reads a hash that {@link #hash()} has written.
     *
     * @throws IllegalArgumentException if the text is no such hash
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

    /** The digest of both sets together. */
    public RowsDigest plus(RowsDigest other) {
        return new RowsDigest(rows + other.rows, high + other.high, low + other.low);
    }

    /** The sums in 32 hexadecimal digits. */
    public String hash() {
        return HexFormat.of().toHexDigits(high) + HexFormat.of().toHexDigits(low);
    }
}
