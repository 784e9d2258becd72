package dev.ebb.runtime;

import dev.ebb.config.EbbConfig;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.streams.KafkaStreams;

/**
 * One instance from its start to its end. It starts the API first, so that it can be seen what the rest waits for, then
 * looks at the topics, prepares the schemas and begins to process; it stops in the opposite order.
 */
public final class EbbApplication implements AutoCloseable {

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(30);

    private final LifecycleObserver observer;
    private final InstanceParts parts;
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile RunOutcome outcome = RunOutcome.STOPPED;

    /** Connects to nothing yet. */
    public EbbApplication(EbbConfig config, LifecycleObserver observer) {
        this(new InstanceParts(config, Clock.systemUTC(), observer), observer);
    }

    EbbApplication(InstanceParts parts, LifecycleObserver observer) {
        this.parts = parts;
        this.observer = observer;
    }

    /** Runs an instance until the process is asked to stop or the instance cannot go on. */
    public static RunOutcome run(EbbConfig config) {
        LifecycleObserver observer = new LoggingLifecycleObserver();
        try (EbbApplication application = new EbbApplication(config, observer)) {
            Thread stop = new Thread(application::stopAndWait, "ebb-stop");
            Runtime.getRuntime().addShutdownHook(stop);
            return application.run();
        }
    }

    /** Starts and returns when it has ended, for whatever reason. */
    public RunOutcome run() {
        try {
            start();
            ended.await();
        } catch (RefusedException e) {
            observer.refused(String.valueOf(e.getMessage()));
            outcome = RunOutcome.REFUSED;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            observer.failed(e);
            outcome = RunOutcome.FAILED;
        } finally {
            close();
        }
        return outcome;
    }
}
