package dev.ebb.serde.schemas;

import dev.ebb.domain.event.Wait;
import org.apache.kafka.common.errors.SerializationException;

/** The schema of a record is not known yet; the registry is being asked in the background. */
public final class SchemaPendingException extends SerializationException {

    private final transient Wait waitsFor;

    SchemaPendingException(Wait waitsFor) {
        super(waitsFor.text());
        this.waitsFor = waitsFor;
    }

    Wait waitsFor() {
        return waitsFor;
    }

    /** Leaves the stack trace out: while the registry is away every record ends here, and the trace is of no use. */
    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
