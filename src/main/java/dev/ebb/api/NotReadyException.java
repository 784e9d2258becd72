package dev.ebb.api;

import java.time.Duration;

/** The answer is not known yet, for instance while a partition restores; asking again later helps. */
public final class NotReadyException extends RuntimeException {

    private final Duration retryAfter;

    /**
     * @param message what is not ready and why
     * @param retryAfter when to ask again; rounded up to whole seconds for the caller
     */
    public NotReadyException(String message, Duration retryAfter) {
        super(message);
        this.retryAfter = retryAfter;
    }

    public Duration retryAfter() {
        return retryAfter;
    }
}
