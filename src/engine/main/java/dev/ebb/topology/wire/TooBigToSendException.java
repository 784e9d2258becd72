package dev.ebb.topology.wire;

/** Thrown if a record is bigger than its topic takes; nothing of it was sent. */
public final class TooBigToSendException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public TooBigToSendException(String message) {
        super(message);
    }
}
