package dev.ebb.stacks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * A password that a stack has generated for itself, kept in a file of its own. Prints no secret.
 *
 * @param file the file, which holds the password alone, without a line break
 * @param value hexadecimal digits, which need no quoting anywhere
 */
public record Password(Path file, String value) {
    private static final int BYTES = 24;
    private static final int MARK_DIGITS = 16;

    /** Returns the password in the file; generates one if there is none. */
    public static Password in(Path file) throws IOException {
        if (Files.exists(file)) {
            var kept = Files.readString(file).strip();
            if (kept.matches("[0-9a-f]+")) {
                PrivateFiles.file(file);
                return new Password(file, kept);
            }
        }
        var fresh = new byte[BYTES];
        new SecureRandom().nextBytes(fresh);
        var value = HexFormat.of().formatHex(fresh);
        return new Password(PrivateFiles.write(file, value), value);
    }

    /** Returns a text that is the same for the same password and reveals nothing about it. */
    public String mark() {
        try {
            var hash = MessageDigest.getInstance("SHA-256").digest(value.getBytes(StandardCharsets.US_ASCII));
            return HexFormat.of().formatHex(hash).substring(0, MARK_DIGITS);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public String toString() {
        return "Password[" + file + "]";
    }
}
