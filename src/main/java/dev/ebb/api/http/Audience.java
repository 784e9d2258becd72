package dev.ebb.api.http;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether anybody waits for what a thread is doing. A caller whose connection was closed, by either side, is told nothing
 * any more, so that long work looks here between its pieces and ends. Thread-safe; each thread has an audience of its own.
 */
public final class Audience {

    private static final ThreadLocal<@Nullable BooleanSupplier> WAITING = new ThreadLocal<>();

    private Audience() {}

    /** Work for somebody. */
    @FunctionalInterface
    public interface Work {

        void run() throws Exception;
    }

    /** Does the work in this thread as long as somebody waits for it. */
    public static void during(BooleanSupplier isWaiting, Work work) throws Exception {
        WAITING.set(isWaiting);
        try {
            work.run();
        } finally {
            WAITING.remove();
        }
    }

    /** Does nothing where somebody waits, or the work is for nobody in particular. */
    public static void require() {
        BooleanSupplier isWaiting = WAITING.get();
        if (isWaiting != null && !isWaiting.getAsBoolean()) {
            throw new GoneException();
        }
    }

    /** Nobody waits for the rest of the work. */
    public static final class GoneException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        GoneException() {
            super("nobody waits for the answer any more");
        }
    }
}
