package dev.ebb.serde;

import dev.ebb.domain.event.RejectReason;
import dev.ebb.domain.event.Rejection;

/** A record cannot be used. Never leaves this package. */
final class RejectedException extends RuntimeException {

    private final transient Rejection rejection;

    RejectedException(RejectReason reason, String detail) {
        super(detail);
        this.rejection = new Rejection(reason, detail);
    }

    Rejection rejection() {
        return rejection;
    }

    /** Bad input can come in floods, and its place in our code explains nothing. */
    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
