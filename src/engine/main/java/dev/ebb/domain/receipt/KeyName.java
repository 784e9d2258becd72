package dev.ebb.domain.receipt;

import dev.ebb.domain.Sha256;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * The identity of a key of a signed note: its name, and four bytes of a hash that distinguish keys of the same name.
 *
 * @param name without blanks and plus signs
 * @param id eight hexadecimal digits
 */
public record KeyName(String name, String id) {

    private static final int ID_BYTES = 4;

    public KeyName {
        if (name.isEmpty()
                || name.chars()
                        .anyMatch(c -> c == '+' || c < ' ' || Character.isWhitespace(c) || Character.isSpaceChar(c))) {
            throw new IllegalArgumentException("the name of a key is a text without blanks and plus signs");
        }
        if (!id.matches("[0-9a-f]{8}")) {
            throw new IllegalArgumentException("the id of a key has eight hexadecimal digits");
        }
    }

    /** Returns the identity of the key with these public bytes, which begin with the byte of the algorithm. */
    static KeyName ofKey(String name, byte[] publicKey) {
        var digest = Sha256.digest();
        digest.update((name + "\n").getBytes(StandardCharsets.UTF_8));
        return of(name, digest.digest(publicKey));
    }

    /** Returns the identity of this name, with the id in the first bytes. */
    static KeyName of(String name, byte[] withId) {
        return new KeyName(name, HexFormat.of().formatHex(Arrays.copyOf(withId, ID_BYTES)));
    }

    static byte[] withoutId(byte[] withId) {
        return Arrays.copyOfRange(withId, Math.min(ID_BYTES, withId.length), withId.length);
    }

    byte[] before(byte[] bytes) {
        byte[] all = Arrays.copyOf(HexFormat.of().parseHex(id), ID_BYTES + bytes.length);
        System.arraycopy(bytes, 0, all, ID_BYTES, bytes.length);
        return all;
    }

    /** Returns the name and the id, with a plus sign between them. */
    @Override
    public String toString() {
        return name + "+" + id;
    }
}
