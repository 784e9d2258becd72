package dev.ebb.topology.fault;

/**
 * Thrown if a record failed after something of it had been written, so that the transaction must not be committed. The
 * record is remembered and set aside when it comes again, so that a thread that restarts gets past it.
 */
public final class FailedRecordException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public FailedRecordException(String message, Throwable cause) {
        super(message, cause);
    }
}
