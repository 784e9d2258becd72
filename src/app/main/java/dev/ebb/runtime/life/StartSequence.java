package dev.ebb.runtime.life;

import dev.ebb.runtime.kafka.KafkaProblem;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/**
 * Runs the steps of the start in order; while a system is away, waits with a visible reason. One thread runs the
 * sequence; any thread may query or abandon it.
 */
public final class StartSequence {

    private final List<StartStep> steps;
    private final Predicate<RuntimeException> isWorthAnotherTry;
    private final LifecycleObserver observer;
    private final Duration pause;
    private volatile @Nullable String waitingFor = "the start to begin";
    private @Nullable Thread runner;
    private boolean isAbandoned;

    public StartSequence(
            List<StartStep> steps,
            Predicate<RuntimeException> isWorthAnotherTry,
            LifecycleObserver observer,
            Duration pause) {
        this.steps = List.copyOf(steps);
        this.isWorthAnotherTry = isWorthAnotherTry;
        this.observer = observer;
        this.pause = pause;
    }

    /**
     * Returns when all steps are done; throws the exception of a step if waiting does not help.
     *
     * @throws InterruptedException if the start was abandoned
     */
    public void run() throws InterruptedException {
        begin();
        try {
            for (StartStep step : steps) {
                waitingFor = step.what();
                while (!isDone(step)) {
                    Thread.sleep(pause.toMillis());
                }
            }
            waitingFor = null;
        } finally {
            end();
        }
    }

    /** Abandons the start, now or before it begins. Has no effect once the start is over. */
    public synchronized void abandon() {
        isAbandoned = true;
        if (runner != null) {
            runner.interrupt();
        }
    }

    /** Returns the reason why the start is not over yet; null if it is. */
    @Nullable
    public String waitingFor() {
        return waitingFor;
    }

    private synchronized void begin() throws InterruptedException {
        giveUpIfAbandoned("its beginning");
        runner = Thread.currentThread();
    }

    /** Clears the interrupt as well: Kafka's clients leave the thread interrupted, and it could not close anything. */
    private synchronized void giveUpIfAbandoned(String what) throws InterruptedException {
        if (isAbandoned) {
            Thread.interrupted();
            throw new InterruptedException("abandoned at " + what);
        }
    }

    private synchronized void end() {
        runner = null;
    }

    private boolean isDone(StartStep step) throws InterruptedException {
        try {
            step.action().run();
            return true;
        } catch (RuntimeException e) {
            giveUpIfAbandoned(step.what());
            if (!isWorthAnotherTry.test(e)) {
                throw e;
            }
            String reason = step.what() + ": " + (e instanceof KafkaException ? KafkaProblem.text(e) : e.getMessage());
            if (!reason.equals(waitingFor)) {
                waitingFor = reason;
                observer.waiting(reason);
            }
            return false;
        }
    }
}
