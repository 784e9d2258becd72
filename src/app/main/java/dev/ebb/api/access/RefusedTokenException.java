package dev.ebb.api.access;

/** Thrown when a token is not accepted. The message says why, and does not repeat the token. */
public final class RefusedTokenException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public RefusedTokenException(String message) {
        super(message);
    }
}
