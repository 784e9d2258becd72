package dev.ebb.sink;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The name of a row among the refused ones.
 *
 * @param hash equal for equal keys, in whatever form the records are
 * @param text the key, for people and for the comparison with the stores
 */
record RowName(String hash, String text) {

    /** Returns the name of a record that holds no key of the table. */
    static RowName ofUnreadable(Change change) {
        byte[] place =
                (change.partition() + "@" + change.record().originalKafkaOffset()).getBytes(StandardCharsets.UTF_8);
        return new RowName(hash(place, place.length), "no key can be read");
    }

    /** Returns the SHA-256 of the first bytes, in hexadecimal. */
    static String hash(byte[] bytes, int length) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(bytes, 0, length);
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
