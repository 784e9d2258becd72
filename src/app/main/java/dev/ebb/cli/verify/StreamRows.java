package dev.ebb.cli.verify;

import dev.ebb.serde.mirror.RowsDigest;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;

/**
 * Rows that one side has of one stream.
 *
 * @param months the digest of each month that has rows
 */
record StreamRows(String stream, Map<String, RowsDigest> months) {

    /** The order of both sides: the bytes of UTF-8, which Java's texts do not keep to. */
    static final Comparator<String> BY_BYTES =
            Comparator.comparing(name -> name.getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned);

    StreamRows {
        months = Map.copyOf(months);
    }

    long rows() {
        return months.values().stream().mapToLong(RowsDigest::rows).sum();
    }
}
