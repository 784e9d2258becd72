package dev.ebb.serde.schemas;

import dev.ebb.domain.event.RejectReason;
import dev.ebb.domain.event.Rejection;

/** A record cannot be used. Never leaves this package. */
public final class RejectedException extends RuntimeException {

    private final transient Rejection rejection;

    public RejectedException(RejectReason reason, String detail) {
        super(detail);
        this.rejection = new Rejection(reason, detail);
    }

    public Rejection rejection() {
        return rejection;
    }

    /** Leaves the stack trace out: bad input can come in floods, and its place in our code explains nothing. */
    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
