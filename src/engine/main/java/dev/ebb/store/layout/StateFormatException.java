package dev.ebb.store.layout;

/**
 * Thrown for a state whose format this version cannot read. The message names the version that wrote it and the remedy.
 */
public final class StateFormatException extends RuntimeException {

    /** @param message the message for the operator of the instance */
    public StateFormatException(String message) {
        super(message);
    }
}
