package dev.ebb.bench.opponents;

import dev.ebb.bench.harness.Contents;
import dev.ebb.bench.harness.SliceCpu;
import dev.ebb.bench.harness.VoidRunException;
import dev.ebb.bench.stack.Application;
import dev.ebb.bench.stack.Expirations;
import dev.ebb.bench.stack.Expiring;
import dev.ebb.bench.stack.Intake;
import dev.ebb.bench.stack.Lane;
import dev.ebb.config.EbbConfig;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** The application with a store ordered by time, alone on a lane, with a limit that can change. */
public final class ExpiryIndexApp implements Expiring {

    public static final String NAME = "expiry-index";
    private static final Duration TAKE_LIMIT = Duration.ofMinutes(30);

    private final Lane lane;
    private final AtomicLong maxAgeMs;
    private final SliceCpu slices = new SliceCpu();
    private final Expirations expirations = new Expirations();
    private final Intake intake;
    private final ExpiryIndexContender contender;
    private final Application application;

    private ExpiryIndexApp(Lane lane, Duration maxAge, Duration period, Map<String, String> settings) {
        this.lane = lane;
        this.maxAgeMs = new AtomicLong(maxAge.toMillis());
        this.intake = new Intake(lane.partitions());
        this.contender = new ExpiryIndexContender(lane, maxAgeMs::get, period, new Heard());
        EbbConfig config = lane.newConfig(NAME, settings);
        SharedSlices shared = ExpiryIndexContender.slices(config);
        this.application = new Application(
                config, contender.topology(config, shared, intake::taken), shared::pollWait, this::failed);
    }

    /** Starts the application on the existing topics of the lane. */
    public static ExpiryIndexApp start(Lane lane, Duration maxAge) {
        return started(new ExpiryIndexApp(lane, maxAge, ExpiryIndexContender.PERIOD, Map.of()));
    }

    /**
     * Starts an application that looks for due events as often as it can.
     *
     * @param period time between two looks
     */
    public static ExpiryIndexApp practising(Lane lane, Duration maxAge, Duration period) {
        return started(new ExpiryIndexApp(lane, maxAge, period, Map.of("kafka.poll.ms", "1")));
    }

    private static ExpiryIndexApp started(ExpiryIndexApp app) {
        app.application.start();
        return app;
    }

    /** Observer of the stream threads. */
    private final class Heard implements Expiries {

        @Override
        public void expired() {
            expirations.expired();
        }

        @Override
        public void sliceBegun() {
            slices.asked();
        }

        @Override
        public void sliceEnded() {
            slices.ended();
        }
    }

    private void failed(Throwable reason) {
        intake.failed(reason);
        expirations.failed(reason);
    }

    /** Sets the limit, which holds from the next look of each task on. */
    public void limit(Duration maxAge) {
        maxAgeMs.set(maxAge.toMillis());
    }

    /** Returns the CPU time of the slices. */
    public SliceCpu slices() {
        return slices;
    }

    @Override
    public Application application() {
        return application;
    }

    @Override
    public Expirations expirations() {
        return expirations;
    }

    @Override
    public void take(long[] lastOffsets) throws InterruptedException {
        intake.await(lastOffsets, TAKE_LIMIT);
        awaitCommitted();
    }

    @Override
    public void awaitCommitted() throws InterruptedException {
        lane.awaitCommitted(lane.topics().mirrorEvents());
    }

    @Override
    public void requireContents(Contents expected) {
        VoidRunException.requireSame(NAME, contender.contents(application), expected);
    }

    @Override
    public void close() {
        application.close();
    }
}
