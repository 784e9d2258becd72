package dev.ebb.api.access;

/**
 * Thrown when a file that controls access cannot be used. The message names the file and the reason, and quotes nothing
 * of its content.
 */
public abstract sealed class UnusableFileException extends RuntimeException
        permits BadCertificateException, BadTokenFileException {

    private static final long serialVersionUID = 1L;

    UnusableFileException(String message) {
        super(message);
    }

    UnusableFileException(String message, Throwable cause) {
        super(message, cause);
    }
}
