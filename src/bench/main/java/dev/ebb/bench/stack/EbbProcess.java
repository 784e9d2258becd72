package dev.ebb.bench.stack;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ebb.bench.harness.VoidRunException;
import dev.ebb.config.EbbConfig;
import dev.ebb.config.Settings;
import dev.ebb.devstack.process.AppProcess;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.time.Duration;
import java.util.Map;

/** The application as people run it ({@code ebb run}), in a process of its own, on the topics of a lane. */
public final class EbbProcess implements AutoCloseable {

    private static final Duration LIMIT = Duration.ofMinutes(30);

    private final Lane lane;
    private final EbbConfig config;
    private final AppProcess app;

    private EbbProcess(Lane lane) {
        this.lane = lane;
        this.config = lane.newConfig("ebb");
        this.app = lane.stack().services().app();
    }

    /** Starts it on the topics of the lane, which are there; at most one at a time. */
    public static EbbProcess start(Lane lane) {
        EbbProcess process = new EbbProcess(lane);
        process.app.start(process.settings());
        return process;
    }

    /** What all instances of the application have to be told. */
    Map<String, String> settings() {
        return Map.of(
                Settings.APPLICATION_ID.key(), config.get(Settings.APPLICATION_ID),
                Settings.TOPICS_PREFIX.key(), lane.topics().prefix(),
                Settings.TOPICS_PARTITIONS.key(), Integer.toString(lane.partitions()));
    }

    Lane lane() {
        return lane;
    }

    /** Waits until all of the input up to these offsets is stored and committed. */
    public void take(long[] lastOffsets) throws InterruptedException {
        new Committed(lane, config.get(Settings.APPLICATION_ID)).await(lastOffsets, LIMIT);
    }

    /** @throws VoidRunException if it has ended */
    public long pid() {
        return app.pid().orElseThrow(() -> new VoidRunException("the application has ended"));
    }

    /** The address of its API. */
    public String url() {
        return app.url();
    }

    /** As {@code kill -9} does. */
    public void kill() {
        app.kill();
    }

    /** Starts it again with what state it has; it is ready then. */
    public void startAgain() {
        app.start();
    }

    /** The events that it has stored, as it says. */
    public long events() {
        try (InputStream answer = URI.create(app.url() + "/v1/status").toURL().openStream()) {
            long events = 0;
            var status = new ObjectMapper().readTree(answer);
            for (var namespace : status.path("namespaces")) {
                events += namespace.path("events").asLong();
            }
            return events;
        } catch (IOException e) {
            throw new VoidRunException("the application does not say what it has stored", e);
        }
    }

    /** Stops it and deletes its state. */
    @Override
    public void close() {
        app.stop();
        BenchStack.delete(config.get(Settings.STATE_DIR).resolve(config.get(Settings.APPLICATION_ID)));
    }
}
