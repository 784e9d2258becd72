package dev.ebb.bench.harness;

import java.io.Serial;

/** Thrown when a run has no meaning: it did not end, or not with the set of events that the model expects. */
public final class VoidRunException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1;

    public VoidRunException(String message) {
        super(message);
    }

    public VoidRunException(String message, Throwable cause) {
        super(message, cause);
    }

    /** @throws VoidRunException if a run has ended with another set of events than the model expects */
    public static void requireSame(String name, Contents stored, Contents expected) {
        if (!stored.equals(expected)) {
            throw new VoidRunException(name + " holds " + stored + ", and the model says " + expected);
        }
    }
}
