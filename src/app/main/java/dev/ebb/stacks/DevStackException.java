package dev.ebb.stacks;

import org.jspecify.annotations.Nullable;

/** Thrown when the embedded stack could not do what was asked; the message names the remedy. */
public class DevStackException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public DevStackException(String message) {
        super(message);
    }

    public DevStackException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
