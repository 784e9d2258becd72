package dev.ebb.api.access;

/** A file with a certificate or a key cannot be used; the message says which and why, and quotes nothing of it. */
public final class BadCertificateException extends UnusableFileException {

    private static final long serialVersionUID = 1L;

    BadCertificateException(String message) {
        super(message);
    }

    public BadCertificateException(String message, Throwable cause) {
        super(message, cause);
    }
}
