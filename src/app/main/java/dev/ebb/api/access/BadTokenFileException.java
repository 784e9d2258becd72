package dev.ebb.api.access;

/** A file of tokens cannot be used; the message says what is wrong with it, and quotes nothing of it. */
public final class BadTokenFileException extends UnusableFileException {

    private static final long serialVersionUID = 1L;

    BadTokenFileException(String message) {
        super(message);
    }

    BadTokenFileException(String message, Throwable cause) {
        super(message, cause);
    }
}
