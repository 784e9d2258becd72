package dev.ebb.bench.harness;

import java.io.Serial;

/** A run that says nothing: it did not end, or not in the set of events that the model expects. */
public final class VoidRunException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1;

    public VoidRunException(String message) {
        super(message);
    }

    public VoidRunException(String message, Throwable cause) {
        super(message, cause);
    }

    /** @throws VoidRunException if a run has ended in another set of events than the model says */
    public static void requireSame(String name, Contents stored, Contents expected) {
        if (!stored.equals(expected)) {
            throw new VoidRunException(name + " holds " + stored + ", and the model says " + expected);
        }
    }
}
