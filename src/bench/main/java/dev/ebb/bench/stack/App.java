package dev.ebb.bench.stack;

import dev.ebb.bench.harness.Contents;
import dev.ebb.bench.harness.VoidRunException;
import dev.ebb.config.EbbConfig;
import java.time.Duration;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.Topology;
import org.jspecify.annotations.Nullable;

/** An application, alone on a lane, that takes events in and may let them expire. */
public abstract class App implements AutoCloseable {

    private static final Duration START_LIMIT = Duration.ofMinutes(2);
    private static final Duration TAKE_LIMIT = Duration.ofMinutes(30);

    private final String name;
    private final Lane lane;
    private final IntakeProgress intake;
    private final Expirations expirations;
    private @Nullable Application application;

    /** @param expirations counts the events that expire */
    protected App(String name, Lane lane, Expirations expirations) {
        this.name = name;
        this.lane = lane;
        this.intake = new IntakeProgress(lane.partitions());
        this.expirations = expirations;
    }

    /** Makes an application that is not started; one with the same id has the same state. */
    @FunctionalInterface
    public interface Maker {

        App make(Lane lane, String applicationId) throws InterruptedException;
    }

    /** Sets the topology that this application runs. */
    protected final void runs(EbbConfig config, Topology topology) {
        runs(config, topology, UnaryOperator.identity());
    }

    /** @param pollWait returns the time that a poll waits, from the time that Kafka Streams asks for */
    protected final void runs(EbbConfig config, Topology topology, UnaryOperator<Duration> pollWait) {
        application = new Application(config, topology, pollWait, this::failed);
    }

    private void failed(Throwable reason) {
        intake.failed(reason);
        expirations.failed(reason);
    }

    /** Returns the events that are stored, while the application runs. */
    protected abstract Contents contents();

    public final void start() {
        application().start();
    }

    protected final Lane lane() {
        return lane;
    }

    public final Application application() {
        return Objects.requireNonNull(application);
    }

    public final KafkaStreams streams() {
        return application().streams();
    }

    public final IntakeProgress intake() {
        return intake;
    }

    /** Returns the events that have expired. */
    public final Expirations expirations() {
        return expirations;
    }

    /** @throws VoidRunException if the application cannot go on */
    public final void check() {
        intake.check();
    }

    /** Waits until the first event is taken in. */
    public final void awaitFirst() throws InterruptedException {
        intake.awaitFirst(START_LIMIT);
    }

    /** Waits until all input up to these offsets is stored. */
    public final void awaitTaken(long[] lastOffsets) throws InterruptedException {
        intake.await(lastOffsets, TAKE_LIMIT);
    }

    /** Waits until all input up to these offsets is stored and committed. */
    public final void take(long[] lastOffsets) throws InterruptedException {
        awaitTaken(lastOffsets);
        awaitCommitted();
    }

    /** Waits until rows or their log are committed, and with them the deletes of the same transactions. */
    public final void awaitCommitted() throws InterruptedException {
        lane.awaitCommitted(output());
    }

    /** Returns the topic from which SQL would be written. */
    protected String output() {
        return lane.topics().mirrorEvents();
    }

    /** @throws VoidRunException if the application holds other events */
    public final void requireContents(Contents expected) {
        VoidRunException.requireSame(name, contents(), expected);
    }

    /** Stops the application and deletes its state. */
    @Override
    public final void close() {
        application().close();
    }
}
