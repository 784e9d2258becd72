package dev.ebb.serde.schemas;

import dev.ebb.domain.event.RejectReason;
import dev.ebb.domain.event.Rejection;

/** Thrown for a record that cannot be used. Never leaves the packages of {@code serde}. */
public final class RejectedException extends RuntimeException {

    private final transient Rejection rejection;

    public RejectedException(RejectReason reason, String detail) {
        super(detail);
        this.rejection = new Rejection(reason, detail);
    }

    public Rejection rejection() {
        return rejection;
    }

    /** Omits the stack trace: bad input can come in floods, and its place in the code explains nothing. */
    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
