package dev.ebb.serde.schemas;

import dev.ebb.domain.event.Wait;
import org.apache.kafka.common.errors.SerializationException;

/** Thrown for a record whose schema is not known yet; the registry is being asked in the background. */
public final class SchemaPendingException extends SerializationException {

    private final transient Wait waitsFor;

    SchemaPendingException(Wait waitsFor) {
        super(waitsFor.text());
        this.waitsFor = waitsFor;
    }

    Wait waitsFor() {
        return waitsFor;
    }

    /** Omits the stack trace: while the registry is away every record ends here, and the trace is useless. */
    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
