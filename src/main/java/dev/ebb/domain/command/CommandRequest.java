package dev.ebb.domain.command;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * A command as somebody sent it.
 *
 * @param commandId identifies it: sent twice it is carried out once; 1 to 255 characters
 * @param actor who asks for it; empty if unknown
 * @param reason why; empty if unknown
 * @param isDryRun whether it shall only say what it would do
 * @param maxDeletes it is refused if it would delete more events; null for no such bound
 * @param command what is asked for
 */
public record CommandRequest(
        String commandId,
        String actor,
        String reason,
        boolean isDryRun,
        @Nullable Long maxDeletes,
        Command command) {

    /** Hexadecimal digits of a fingerprint. */
    private static final int DIGITS = 16;

    /**
     * Tells what is asked for from everything else, whoever asks and why: the same text for the same command, 16
     * hexadecimal digits.
     */
    public String fingerprint() {
        String asked = isDryRun + " " + maxDeletes + " " + command;
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(asked.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash).substring(0, DIGITS);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
