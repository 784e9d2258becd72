package dev.ebb.serde;

import org.apache.kafka.common.errors.SerializationException;

/** The schema of a record is not known yet; the registry is being asked in the background. */
final class SchemaPendingException extends SerializationException {

    SchemaPendingException(String what) {
        super(what);
    }

    /** While the registry is away every record ends here, and nobody looks at the stack. */
    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
