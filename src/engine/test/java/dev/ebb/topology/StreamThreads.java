package dev.ebb.topology;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** Threads of which no other test has said that they have something to do. */
public final class StreamThreads {

    private final ThreadSlices slices = new ThreadSlices(1, Duration.ofMillis(1));

    private StreamThreads() {}

    /** Runs the steps on a thread of their own and fails as they do. */
    public static void run(Consumer<StreamThreads> steps) {
        CompletableFuture.runAsync(() -> steps.accept(new StreamThreads()), step -> new Thread(step).start())
                .join();
    }

    /** The task has something to do on this thread from now on. */
    public void enter(String task) {
        slices.enter(task);
    }

    /** The task has its turn. */
    public void turn(String task) {
        slices.beginTurn(task, false);
        slices.endTurn();
    }

    /** Tasks begin that look for work after each period, for the first time when one is over. */
    public void begin(long nowMs, Duration period) {
        slices.firstTurn(nowMs, period);
    }

    /** It has nothing more to do. */
    public void leave(String task) {
        slices.leave(task);
    }
}
