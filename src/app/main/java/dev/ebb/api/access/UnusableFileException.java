package dev.ebb.api.access;

/** A file that access goes by cannot be used; the message says which and why, and quotes nothing of it. */
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
