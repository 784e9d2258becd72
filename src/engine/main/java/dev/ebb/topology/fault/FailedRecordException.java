package dev.ebb.topology.fault;

/**
 * Something of a record had been written when it failed, so the transaction must not be committed. The record is remembered
 * and set aside when it comes again: another thread that starts anew gets past it.
 */
public final class FailedRecordException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public FailedRecordException(String message, Throwable cause) {
        super(message, cause);
    }
}
