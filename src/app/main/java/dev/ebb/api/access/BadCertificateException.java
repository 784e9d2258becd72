package dev.ebb.api.access;

/**
 * Thrown when a file with a certificate or a key cannot be used. The message names the file and the reason, and quotes
 * nothing of its content.
 */
public final class BadCertificateException extends UnusableFileException {

    private static final long serialVersionUID = 1L;

    BadCertificateException(String message) {
        super(message);
    }

    public BadCertificateException(String message, Throwable cause) {
        super(message, cause);
    }
}
