package dev.ebb.runtime.plugins;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Runs code of plugins on a thread of its own, since code that hangs can only be left behind, and not ended. Used by one
 * thread at a time.
 */
final class BoundedWorker implements AutoCloseable {

    /** Maximum number of threads that are left behind; then the code is not called any more. */
    static final int MOST_LEFT_BEHIND = 3;

    private final String name;
    private final Duration patience;
    private ExecutorService thread;
    private int leftBehind;

    BoundedWorker(String name, Duration patience) {
        this.name = name;
        this.patience = patience;
        this.thread = start();
    }

    private ExecutorService start() {
        return Executors.newSingleThreadExecutor(task -> {
            Thread worker = new Thread(task, "ebb-plugin-" + name);
            worker.setDaemon(true);
            return worker;
        });
    }

    /**
     * Runs the code and returns its result.
     *
     * @throws HungException if it does not end in time, or has hung too often before
     * @throws ExecutionException if it throws anything
     */
    <T> T call(Callable<T> code) throws HungException, ExecutionException {
        if (leftBehind >= MOST_LEFT_BEHIND) {
            throw new HungException("has not ended within " + patience.toSeconds() + " s for " + leftBehind
                    + " records and is not called any more");
        }
        try {
            return thread.submit(code).get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            leaveBehind();
            throw new HungException("did not end within " + patience.toSeconds() + " s");
        } catch (InterruptedException e) {
            leaveBehind();
            Thread.currentThread().interrupt();
            throw new HungException("was interrupted");
        }
    }

    private void leaveBehind() {
        thread.shutdownNow();
        leftBehind++;
        thread = start();
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }

    /** Thrown when the code was left behind; its message is the end of a sentence. */
    static final class HungException extends Exception {

        private static final long serialVersionUID = 1L;

        HungException(String message) {
            super(message);
        }
    }
}
