package dev.ebb.store.layout;

/** The state was written in a format that this version cannot read; the message says by whom, and what to do. */
public final class StateFormatException extends RuntimeException {

    /** @param message for whoever runs the instance */
    public StateFormatException(String message) {
        super(message);
    }
}
