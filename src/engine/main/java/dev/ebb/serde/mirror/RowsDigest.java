package dev.ebb.serde.mirror;

import java.nio.ByteBuffer;
import java.util.HexFormat;

/**
 * The digest of a set of rows in any order: their number, and the sum of their digests. The digests of parts add up to
 * the digest of the whole. Immutable.
 *
 * @param rows number of rows
 * @param high the sum of the first eight bytes of each digest
 * @param low the sum of the next eight bytes
 */
public record RowsDigest(long rows, long high, long low) {

    /** The digest of no rows. */
    public static final RowsDigest NONE = new RowsDigest(0, 0, 0);

    /** Returns the digest of one row. */
    public static RowsDigest of(RowImage row) {
        ByteBuffer digest = ByteBuffer.wrap(row.digest());
        return new RowsDigest(1, digest.getLong(), digest.getLong());
    }

    /** Returns the digest of both sets together. */
    public RowsDigest plus(RowsDigest other) {
        return new RowsDigest(rows + other.rows, high + other.high, low + other.low);
    }

    /** Returns the sums in 32 hexadecimal digits. */
    public String hash() {
        return HexFormat.of().toHexDigits(high) + HexFormat.of().toHexDigits(low);
    }
}
