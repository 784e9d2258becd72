package dev.ebb.api.access;

/**
 * Thrown when a file that controls access cannot be used: tokens, a certificate or a key. The message names the file
 * and
 * the reason, and quotes nothing of its content.
 */
public final class UnusableFileException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UnusableFileException(String message) {
        super(message);
    }

    public UnusableFileException(String message, Throwable cause) {
        super(message, cause);
    }
}
