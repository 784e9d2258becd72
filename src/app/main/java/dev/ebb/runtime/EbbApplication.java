package dev.ebb.runtime;

import dev.ebb.api.AddressInUseException;
import dev.ebb.config.EbbConfig;
import dev.ebb.runtime.kafka.KafkaProblem;
import dev.ebb.runtime.life.LifecycleObserver;
import dev.ebb.runtime.life.LoggingLifecycleObserver;
import dev.ebb.runtime.life.RefusedException;
import dev.ebb.runtime.life.RunOutcome;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.streams.KafkaStreams;

/**
 * One instance from its start to its end. {@link #run()} is called once; {@link #stop()} may be called by any thread at
 * any time.
 */
public final class EbbApplication {

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(30);

    /** The exit code of a process that is cut off because it could not end by itself. */
    private static final int CUT_OFF = 1;

    private final InstanceParts parts;
    private final LifecycleObserver observer;
    private final CountDownLatch end = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);
    private final AtomicBoolean isExhausted = new AtomicBoolean();
    private volatile RunOutcome outcome = RunOutcome.STOPPED;

    /** Puts the instance together; connects to nothing yet. */
    public EbbApplication(EbbConfig config, LifecycleObserver observer) {
        this(new InstanceParts(config, Clock.systemUTC(), observer), observer);
    }

    EbbApplication(InstanceParts parts, LifecycleObserver observer) {
        this.parts = parts;
        this.observer = observer;
    }

    /** Runs an instance until the process is asked to end or the instance cannot continue. */
    public static RunOutcome run(EbbConfig config) {
        LifecycleObserver observer = new LoggingLifecycleObserver();
        try {
            EbbApplication application = new EbbApplication(config, observer);
            Runtime.getRuntime().addShutdownHook(new Thread(application::stopAndWait, "ebb-stop"));
            return application.run();
        } catch (RefusedException e) {
            observer.refused(String.valueOf(e.getMessage()));
            return RunOutcome.REFUSED;
        } catch (RuntimeException e) {
            observer.failed(e);
            return RunOutcome.FAILED;
        }
    }

    /** Starts the instance and returns when it has ended. */
    public RunOutcome run() {
        observer.starting();
        try {
            parts.start(this::streamsChanged, this::exhausted);
            observer.started();
            end.await();
        } catch (InterruptedException e) {
            outcome = isExhausted.get() ? RunOutcome.FAILED : RunOutcome.STOPPED;
        } catch (RuntimeException e) {
            outcome = failed(e);
        } finally {
            close();
        }
        return outcome;
    }

    private RunOutcome failed(RuntimeException e) {
        if (e instanceof RefusedException) {
            observer.refused(String.valueOf(e.getMessage()));
            return RunOutcome.REFUSED;
        }
        if (KafkaProblem.isRefusal(e)) {
            observer.refused("the broker " + KafkaProblem.refusal(e));
            return RunOutcome.REFUSED;
        }
        if (e instanceof AddressInUseException) {
            observer.notStarted(String.valueOf(e.getMessage()));
        } else {
            observer.failed(e);
        }
        return RunOutcome.FAILED;
    }

    /** Asks the instance to end, and returns at once. */
    public void stop() {
        end.countDown();
        parts.abandonStart();
    }

    private void stopAndWait() {
        stop();
        try {
            if (!closed.await(2 * CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
                observer.stopTimedOut(CLOSE_TIMEOUT.multipliedBy(2));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void close() {
        observer.stopping();
        try {
            if (!parts.close(CLOSE_TIMEOUT)) {
                observer.stopTimedOut(CLOSE_TIMEOUT);
            }
            observer.stopped(outcome);
        } finally {
            // The process waits for this, and would otherwise not end for a minute.
            closed.countDown();
        }
    }

    /**
     * Ends the instance, since the process collects garbage instead of working. The end needs memory, too: a process that
     * has not ended by itself after a while is cut off, which loses no more than a crash does.
     */
    private void exhausted(String reason) {
        if (isExhausted.getAndSet(true)) {
            return;
        }
        outcome = RunOutcome.FAILED;
        observer.exhausted(reason);
        Thread cut = new Thread(this::cutOff, "ebb-cut-off");
        cut.setDaemon(true);
        cut.start();
        end.countDown();
        parts.abandonStart();
    }

    private void cutOff() {
        try {
            if (!closed.await(2 * CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
                Runtime.getRuntime().halt(CUT_OFF);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Called by a thread of Kafka Streams, which must not close Kafka Streams itself. */
    private void streamsChanged(KafkaStreams.State now, KafkaStreams.State before) {
        observer.stateChanged(before.name(), now.name());
        if (now == KafkaStreams.State.ERROR) {
            outcome = parts.isRefused() ? RunOutcome.REFUSED : RunOutcome.FAILED;
            end.countDown();
        }
    }
}
