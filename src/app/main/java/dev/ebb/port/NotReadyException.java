package dev.ebb.port;

import java.time.Duration;
import java.util.List;

/** Signals that the answer is not known yet, for instance while a partition restores; a later request helps. */
public final class NotReadyException extends RuntimeException {

    private final Duration retryAfter;
    private final transient List<StatusView.RestoreView> restoring;

    /**
     * @param message the thing that is not ready, and the reason
     * @param retryAfter time after which to ask again; the response rounds it up to whole seconds
     */
    public NotReadyException(String message, Duration retryAfter) {
        this(message, retryAfter, List.of());
    }

    /** @param restoring progress of the stores that the answer needs; empty if none is being restored */
    public NotReadyException(String message, Duration retryAfter, List<StatusView.RestoreView> restoring) {
        super(message);
        this.retryAfter = retryAfter;
        this.restoring = List.copyOf(restoring);
    }

    public Duration retryAfter() {
        return retryAfter;
    }

    public List<StatusView.RestoreView> restoring() {
        return restoring;
    }
}
