package dev.ebb.topology;

/** A record is bigger than the topic takes that it is for; nothing of it was sent. */
final class TooBigToSendException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    TooBigToSendException(String message) {
        super(message);
    }
}
