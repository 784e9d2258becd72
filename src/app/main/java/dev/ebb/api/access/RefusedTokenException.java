package dev.ebb.api.access;

/** A token is not accepted; the message says why, and does not repeat it. */
public final class RefusedTokenException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    RefusedTokenException(String message) {
        super(message);
    }
}
