package dev.ebb.cli.options;

import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.outcome.ExitCode;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/** Repeats work until it succeeds or its time is over. Used once. */
public final class RepeatedTry {

    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final Duration patience;
    private final LongSupplier nanoClock;
    private final Runnable pause;

    /**
     * @param patience the time after the first try in which further tries may begin; zero for a single try
     * @param nanoClock a clock that never goes back, in nanoseconds
     * @param pause called between two tries
     */
    public RepeatedTry(Duration patience, LongSupplier nanoClock, Runnable pause) {
        this.patience = patience;
        this.nanoClock = nanoClock;
        this.pause = pause;
    }

    /** Waits a second, so that the tries do not flood the other side. */
    public static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(PAUSE.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailure(ExitCode.FAILED, "interrupted while waiting", e);
        }
    }

    /**
     * Returns when the work has succeeded.
     *
     * @param isPassing true if the cause of a failure may soon be over
     * @throws CommandFailure the failure of the last try
     */
    public void run(Runnable work, Predicate<CommandFailure> isPassing) {
        long startNanos = nanoClock.getAsLong();
        while (true) {
            try {
                work.run();
                return;
            } catch (CommandFailure e) {
                if (!isPassing.test(e) || nanoClock.getAsLong() - startNanos >= patience.toNanos()) {
                    throw e;
                }
            }
            pause.run();
        }
    }
}
