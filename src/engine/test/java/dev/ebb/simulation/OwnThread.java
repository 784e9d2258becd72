package dev.ebb.simulation;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;

/**
 * Runs a walk or a play on a thread of its own. The memory of instances of a stream thread must not reach the next walk, or a
 * script would not replay what was seen; and it would never be forgotten, since these instances have no end.
 */
final class OwnThread {

    private OwnThread() {}

    static <T> T call(Supplier<T> walk) {
        FutureTask<T> task = new FutureTask<>(walk::get);
        Thread thread = new Thread(task, "walk");
        thread.setDaemon(true);
        thread.start();
        try {
            return task.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) e.getCause();
        }
    }
}
