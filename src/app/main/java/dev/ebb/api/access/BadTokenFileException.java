package dev.ebb.api.access;

/** Thrown when a file of tokens cannot be used. The message names the fault, and quotes nothing of the content. */
public final class BadTokenFileException extends UnusableFileException {

    private static final long serialVersionUID = 1L;

    BadTokenFileException(String message) {
        super(message);
    }

    BadTokenFileException(String message, Throwable cause) {
        super(message, cause);
    }
}
