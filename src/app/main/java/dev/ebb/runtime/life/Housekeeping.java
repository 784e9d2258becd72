package dev.ebb.runtime.life;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Repeats small tasks, on a thread of its own. */
public final class Housekeeping implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Housekeeping.class);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(15);

    private final ScheduledExecutorService thread;

    /** @param name name of the thread */
    public Housekeeping(String name) {
        thread = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread daemon = new Thread(task, name);
            daemon.setDaemon(true);
            return daemon;
        });
    }

    /** Runs the task at once, then again and again, with this pause after each run. */
    public void repeat(Duration pause, Runnable task) {
        var unused = thread.scheduleWithFixedDelay(() -> guard(task), 0, pause.toMillis(), TimeUnit.MILLISECONDS);
    }

    /**
     * Runs the task once, as soon as the thread has nothing else to do; not at all once this object is closed. May be
     * called from any thread.
     */
    public void soon(Runnable task) {
        try {
            thread.execute(() -> guard(task));
        } catch (RejectedExecutionException e) {
            LOG.atDebug().log("closed, so nothing more is done");
        }
    }

    @Override
    public void close() throws InterruptedException {
        thread.shutdownNow();
        if (!thread.awaitTermination(CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
            LOG.atWarn().log("the housekeeping did not stop in time");
        }
    }

    /** An exception would silently end the repetition. */
    private void guard(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            if (!thread.isShutdown()) {
                LOG.atWarn()
                        .setCause(e)
                        .addKeyValue("task", task.getClass().getSimpleName())
                        .log("tried again later");
            }
        }
    }
}
