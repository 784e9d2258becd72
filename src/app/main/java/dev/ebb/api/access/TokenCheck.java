package dev.ebb.api.access;

/** Knows the callers of tokens. Thread-safe. */
@FunctionalInterface
public interface TokenCheck {

    /**
     * Returns the caller with that token.
     *
     * @throws RefusedTokenException if the token is not accepted; the message says why
     * @throws IssuerAwayException if this cannot be decided now, since a needed system does not answer
     */
    Caller caller(String secret);
}
