package dev.ebb.api.http;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells a thread whether the caller still waits for its work. A caller whose connection was closed, by either side,
 * gets no answer, so that long work checks here between its parts and ends. Thread-safe; each thread has its own
 * audience.
 */
public final class Audience {

    private static final ThreadLocal<@Nullable BooleanSupplier> WAITING = new ThreadLocal<>();

    private Audience() {}

    /** Work for a caller. */
    @FunctionalInterface
    public interface Work {

        void run() throws Exception;
    }

    /** Does the work in this thread as long as the caller waits for it. */
    public static void during(BooleanSupplier isWaiting, Work work) throws Exception {
        WAITING.set(isWaiting);
        try {
            work.run();
        } finally {
            WAITING.remove();
        }
    }

    /**
     * Throws {@link GoneException} if the caller has gone; does nothing if the caller waits, or if the work has no
     * caller.
     */
    public static void require() {
        BooleanSupplier isWaiting = WAITING.get();
        if (isWaiting != null && !isWaiting.getAsBoolean()) {
            throw new GoneException();
        }
    }

    /** Thrown when the caller no longer waits for the rest of the work. */
    public static final class GoneException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        GoneException() {
            super("the caller no longer waits for the answer");
        }
    }
}
