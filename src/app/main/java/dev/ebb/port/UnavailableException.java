package dev.ebb.port;

/** Signals that a system that is needed for the answer failed to do its part, or that the instance lacks the means. */
public final class UnavailableException extends RuntimeException {

    /** @param message text that names the reason, and a remedy */
    public UnavailableException(String message) {
        super(message);
    }

    /** @param message text that names the system and the step that failed */
    public UnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
