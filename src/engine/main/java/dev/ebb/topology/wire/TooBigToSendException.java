package dev.ebb.topology.wire;

/** A record is bigger than the topic takes that it is for; nothing of it was sent. */
public final class TooBigToSendException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public TooBigToSendException(String message) {
        super(message);
    }
}
