package dev.ebb.bench.stack;

import dev.ebb.bench.harness.VoidRunException;
import dev.ebb.config.EbbConfig;
import dev.ebb.config.Settings;
import dev.ebb.runtime.kafka.TopicPlan;
import dev.ebb.runtime.streams.StreamsSettings;
import dev.ebb.store.rocks.CommittedOffsets;
import dev.ebb.store.rocks.SharedMemory;
import dev.ebb.topology.wire.RecordLimits;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;

/** A topology that runs in this process with the settings of an application, and figures of its threads. */
public final class Application implements AutoCloseable {

    private static final Duration CLOSE_LIMIT = Duration.ofMinutes(1);

    private final EbbConfig config;
    private final SharedMemory memory;
    private final WatchedClients clients;
    private final KafkaStreams streams;
    private final ThreadWatch threads = new ThreadWatch();
    private boolean isStopped;

    /**
     * @param pollWait returns the time that a stream thread waits for records, from the time that Kafka Streams asks
     *     for; called on stream threads
     * @param failed takes the reason why a thread has ended unexpectedly
     */
    Application(EbbConfig config, Topology topology, UnaryOperator<Duration> pollWait, Consumer<Throwable> failed) {
        this.config = config;
        this.memory = new SharedMemory(
                config.get(Settings.ROCKSDB_BLOCK_CACHE_BYTES),
                config.get(Settings.ROCKSDB_WRITE_BUFFER_BYTES),
                config.get(Settings.STATE_LOOKUP_BYTES));
        var offsets = new CommittedOffsets();
        var limits = new RecordLimits(config.get(Settings.RECORD_MAX_BYTES));
        this.clients = new WatchedClients(limits, offsets, TopicPlan.topics(config), threads, pollWait);
        this.streams = new KafkaStreams(topology, StreamsSettings.of(config, memory, offsets), clients);
        streams.setUncaughtExceptionHandler(failure -> {
            failed.accept(failure);
            return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
        });
    }

    void start() {
        streams.start();
    }

    public KafkaStreams streams() {
        return streams;
    }

    public ThreadWatch threads() {
        return threads;
    }

    /** Returns true if all tasks are at work. */
    public boolean isRunning() {
        return streams.state() == KafkaStreams.State.RUNNING;
    }

    /** Returns the ids of the running stream threads. */
    public long[] threadIds() {
        String prefix = config.get(Settings.APPLICATION_ID) + "-";
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread ->
                        thread.getName().startsWith(prefix) && thread.getName().matches(".*-StreamThread-\\d+"))
                .mapToLong(Thread::getId)
                .toArray();
    }

    /** Stops the application; its state stays. */
    public void stop() {
        if (isStopped) {
            return;
        }
        isStopped = true;
        var options = CloseOptions.timeout(CLOSE_LIMIT)
                .withGroupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP);
        clients.hurry();
        boolean isInTime = streams.close(options);
        if (!isInTime) {
            // The memory that the stores share is still in use.
            throw new VoidRunException("the application did not stop within " + CLOSE_LIMIT.toSeconds() + " s");
        }
        memory.close();
    }

    /** Stops the application and deletes its state. */
    @Override
    public void close() {
        stop();
        streams.cleanUp();
    }
}
