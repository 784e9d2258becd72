package dev.ebb.api.access;

/** Thrown when a token cannot be checked, since its issuer does not answer. The message says so. */
public final class IssuerAwayException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public IssuerAwayException(String message, Throwable cause) {
        super(message, cause);
    }
}
