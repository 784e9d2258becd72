package dev.ebb.store.layout;

/** The state has a format that this version cannot read; the message says which version wrote it and what to do. */
public final class StateFormatException extends RuntimeException {

    /** @param message the message for the operator of the instance */
    public StateFormatException(String message) {
        super(message);
    }
}
