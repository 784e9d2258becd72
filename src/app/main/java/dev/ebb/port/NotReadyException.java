package dev.ebb.port;

import java.time.Duration;
import java.util.List;

/** Signals that the answer is not known yet, for instance while a partition restores; a later request helps. */
public final class NotReadyException extends RuntimeException {

    private final Duration retryAfter;
    private final transient List<StatusView.RestoreView> restoring;
    private final boolean isMoving;

    /**
     * @param message the thing that is not ready, and the reason
     * @param retryAfter time after which to ask again; the response rounds it up to whole seconds
     */
    public NotReadyException(String message, Duration retryAfter) {
        this(message, retryAfter, List.of());
    }

    /** @param restoring progress of the stores that the answer needs; empty if none is being restored */
    public NotReadyException(String message, Duration retryAfter, List<StatusView.RestoreView> restoring) {
        this(message, retryAfter, restoring, false);
    }

    private NotReadyException(
            String message, Duration retryAfter, List<StatusView.RestoreView> restoring, boolean isMoving) {
        super(message);
        this.retryAfter = retryAfter;
        this.restoring = List.copyOf(restoring);
        this.isMoving = isMoving;
    }

    /**
     * Returns the answer about a partition that is on its way from one instance to another.
     *
     * @param restoring progress of its stores where they are being restored; empty if none is
     */
    public static NotReadyException moving(
            String message, Duration retryAfter, List<StatusView.RestoreView> restoring) {
        return new NotReadyException(message, retryAfter, restoring, true);
    }

    /** Returns true if the answer will probably be known within that time, so that a caller may wait for it. */
    public boolean isSoonOver(Duration time) {
        return isMoving
                && restoring.stream()
                        .allMatch(store -> store.done() + store.perSecond() * time.toSeconds() >= store.total()
                                || store.perSecond() == 0);
    }

    public Duration retryAfter() {
        return retryAfter;
    }

    public List<StatusView.RestoreView> restoring() {
        return restoring;
    }
}
