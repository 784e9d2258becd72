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

/** The application as people run it ({@code ebb run}), in a separate process, on the topics of a lane. */
public final class EbbProcess implements AutoCloseable {

    private static final Duration LIMIT = Duration.ofMinutes(30);

    private final Lane lane;
    private final EbbConfig config;
    private final AppProcess app;

    private EbbProcess(Lane lane) {
        this.lane = lane;
        this.config = lane.mirrored();
        this.app = lane.stack().services().app();
    }

    /** Starts the application on the existing topics of the lane; at most one at a time. */
    public static EbbProcess start(Lane lane) {
        EbbProcess process = new EbbProcess(lane);
        process.app.start(process.settings());
        return process;
    }

    private Map<String, String> settings() {
        return Map.of(
                Settings.APPLICATION_ID.key(), config.get(Settings.APPLICATION_ID),
                Settings.TOPICS_PREFIX.key(), lane.topics().prefix(),
                Settings.TOPICS_PARTITIONS.key(), Integer.toString(lane.partitions()));
    }

    /** Waits until all input up to these offsets is stored and committed. */
    public void take(long[] lastOffsets) throws InterruptedException {
        lane.awaitInput(config.get(Settings.APPLICATION_ID), lastOffsets, LIMIT);
    }

    /** @throws VoidRunException if the process has ended */
    public long pid() {
        return app.pid().orElseThrow(() -> new VoidRunException("the application has ended"));
    }

    /** Returns the address of the API. */
    public String url() {
        return app.url();
    }

    /** Kills the process like {@code kill -9}. */
    public void kill() {
        app.kill();
    }

    /** Starts the process again with its remaining state, and returns when it is ready. */
    public void startAgain() {
        app.start();
    }

    /** Returns the number of stored events, according to the application. */
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

    /** Stops the process and deletes its state. */
    @Override
    public void close() {
        app.stop();
        BenchStack.delete(config.get(Settings.STATE_DIR).resolve(config.get(Settings.APPLICATION_ID)));
    }
}
