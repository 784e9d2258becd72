package dev.ebb.port;

/** A system that is needed for the answer did not do its part. */
public final class UnavailableException extends RuntimeException {

    /** The message says which system, and what it did not do. */
    public UnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
