package dev.ebb.bench;

import java.io.Serial;

/** A run that says nothing: it did not end, or not in the set of events that the model expects. */
public final class VoidRunException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1;

    VoidRunException(String message) {
        super(message);
    }

    VoidRunException(String message, Throwable cause) {
        super(message, cause);
    }
}
