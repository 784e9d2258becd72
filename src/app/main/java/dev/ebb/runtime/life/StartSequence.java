package dev.ebb.runtime.life;

import dev.ebb.runtime.kafka.KafkaProblem;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/**
 * Goes through the steps of the start in order; waits, with a reason that others can see, while a system is away. One
 * thread runs it, any may ask or abandon it.
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
     * Returns when all steps are done; throws the exception of a step that no waiting helps against.
     *
     * @throws InterruptedException if it was abandoned
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

    /** Gives up, now or before it begins. Has no effect once it is over. */
    public synchronized void abandon() {
        isAbandoned = true;
        if (runner != null) {
            runner.interrupt();
        }
    }

    /** Reason why the start is not over yet; null if it is. */
    @Nullable
    public String waitingFor() {
        return waitingFor;
    }

    private synchronized void begin() throws InterruptedException {
        giveUpIfAbandoned("its beginning");
        runner = Thread.currentThread();
    }

    /** Ends the interrupt as well: Kafka's clients leave the thread interrupted, and nothing could be closed by it. */
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
