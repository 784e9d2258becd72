package dev.ebb.port;

/** Signals that a system that is needed for the answer failed to do its part. */
public final class UnavailableException extends RuntimeException {

    /** @param message text that names the system and the step that failed */
    public UnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
