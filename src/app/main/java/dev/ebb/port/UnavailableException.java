package dev.ebb.port;

/** A system that is needed for the answer failed to do its part. */
public final class UnavailableException extends RuntimeException {

    /** @param message names the system and the step that it failed to do */
    public UnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
