package dev.ebb.topology.wire;

/** Thrown if a record is bigger than its topic accepts; nothing of the record was sent. */
public final class TooBigToSendException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public TooBigToSendException(String message) {
        super(message);
    }
}
