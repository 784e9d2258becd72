package dev.ebb.stacks;

import org.jspecify.annotations.Nullable;

/** The embedded stack could not do what was asked; the message says what a person can do about it. */
public class DevStackException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public DevStackException(String message) {
        super(message);
    }

    public DevStackException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
