package dev.ebb.runtime.streams;

import static org.apache.kafka.streams.StreamsConfig.consumerPrefix;
import static org.apache.kafka.streams.StreamsConfig.globalConsumerPrefix;
import static org.apache.kafka.streams.StreamsConfig.mainConsumerPrefix;
import static org.apache.kafka.streams.StreamsConfig.producerPrefix;
import static org.apache.kafka.streams.StreamsConfig.restoreConsumerPrefix;

import dev.ebb.config.EbbConfig;
import dev.ebb.config.Settings;
import dev.ebb.runtime.kafka.KafkaClients;
import dev.ebb.runtime.kafka.TopicPlan;
import dev.ebb.store.rocks.CommittedOffsets;
import dev.ebb.store.rocks.SharedMemory;
import java.time.Duration;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.streams.GroupProtocol;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.LogAndFailExceptionHandler;
import org.apache.kafka.streams.errors.LogAndFailProcessingExceptionHandler;

/** Settings of Kafka Streams, with a reason where they differ from Kafka's defaults. */
public final class StreamsSettings {

    /** Time for which a dead instance keeps its transactions open, which no reader can pass. */
    private static final Duration TRANSACTION_TIMEOUT = Duration.ofSeconds(20);

    /**
     * Time without a heartbeat after which the broker gives the partitions of an instance to others. A restart of an
     * instance with a fixed name takes less, and moves nothing; the partitions of a dead one answer again a few seconds
     * later, from their copies.
     */
    private static final Duration SESSION_TIMEOUT = Duration.ofSeconds(30);

    /** An instance learns from its next heartbeat that partitions move, and the others wait for it. */
    private static final Duration HEARTBEAT_INTERVAL = Duration.ofSeconds(1);

    /** A row of the mirror takes half a kilobyte or more, so Kafka's 16 KB would be full, and sent, every few rows. */
    private static final int MAX_BATCH_BYTES = 128 << 10;

    private static final int MIN_BATCH_BYTES = 16 << 10;

    /** Topics that a busy task writes to: changelogs of events and usage, the mirror, and the audit during a sweep. */
    private static final int BUSY_TOPICS = 4;

    /**
     * Maximum number of bytes that a thread has sent and the broker has not yet taken. A commit waits for all of them,
     * and meanwhile no input is taken in: with Kafka's 32 MB, for more than half a second while a sweep runs at full
     * speed (B-7).
     */
    private static final long UNSENT_BYTES = 8L << 20;

    /**
     * Rows of the mirror are JSON with the same names in each. Compression costs less than it saves: the broker writes,
     * reads and cleans up the bytes that it is sent, each in turn.
     */
    private static final String COMPRESSION = "lz4";

    /** Size of a socket's buffer: the operating system assigns it as much memory as the connection needs. */
    private static final int AS_MUCH_AS_WANTED = -1;

    /**
     * Wait of a thread without input in its poll before it turns to other work, and with the streams protocol before it
     * continues a sweep; see {@link StreamThreadConsumer}. With Kafka's 100 ms, the thread would wait for three
     * quarters of its time.
     */
    private static final Duration POLL = Duration.ofMillis(10);

    /**
     * Interval at which the heartbeat thread of a consumer checks whether a heartbeat is due, which is the case every
     * three seconds. With Kafka's 100 ms, these checks were a tenth of the work of an idle instance (B-21).
     */
    private static final Duration RETRY_BACKOFF = Duration.ofMillis(500);

    /**
     * Longest wait of the broker for the first record, twice Kafka's own. A partition that a fetch leaves out, since
     * its records are still being taken in, loses nothing by this (measured with three seconds and all events in one of
     * four partitions).
     */
    private static final Duration FETCH_WAIT = Duration.ofSeconds(1);

    /** Records that are restored at once: the more there are, the closer together they lie in the store. */
    private static final int RESTORE_BATCH_RECORDS = 8000;

    private static final int RESTORE_BATCH_BYTES = 4 << 20;
    private static final int RESTORE_FETCH_BYTES = 16 << 20;

    private StreamsSettings() {}

    /**
     * @param memory memory that the stores of the instance share; must outlive them
     * @param offsets committed offsets of changelogs, which the producers of the instance report to its stores
     */
    public static Properties of(EbbConfig config, SharedMemory memory, CommittedOffsets offsets) {
        Properties settings = new Properties();
        settings.putAll(config.kafkaProperties());
        addGroup(settings, config);
        addWork(settings, config);
        addState(settings, config);
        settings.put(SharedMemory.SETTING, memory);
        settings.put(CommittedOffsets.SETTING, offsets);
        addGuarantee(settings, config);
        addBuffers(settings, config);
        addFailures(settings);
        return settings;
    }

    /** Returns the time without a heartbeat after which others take over the partitions of an instance. */
    static Duration session(EbbConfig config) {
        Object set = config.kafkaProperties().get(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG);
        return set == null ? SESSION_TIMEOUT : Duration.ofMillis(Long.parseLong(set.toString()));
    }

    private static void addGroup(Properties settings, EbbConfig config) {
        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, config.get(Settings.APPLICATION_ID));
        settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, config.get(Settings.BOOTSTRAP_SERVERS));
        settings.put(
                StreamsConfig.APPLICATION_SERVER_CONFIG, config.apiAdvertised().toString());
        settings.put(StreamsConfig.GROUP_PROTOCOL_CONFIG, config.get(Settings.GROUP_PROTOCOL));
        settings.putIfAbsent(mainConsumerPrefix(ConsumerConfig.RETRY_BACKOFF_MS_CONFIG), RETRY_BACKOFF.toMillis());
        if (config.get(Settings.GROUP_PROTOCOL).equalsIgnoreCase(GroupProtocol.CLASSIC.name)) {
            settings.putIfAbsent(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, (int) SESSION_TIMEOUT.toMillis());
            settings.putIfAbsent(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, (int) HEARTBEAT_INTERVAL.toMillis());
        }
        config.get(Settings.GROUP_INSTANCE_ID)
                .ifPresent(id -> settings.put(consumerPrefix(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG), id));
    }

    private static void addWork(Properties settings, EbbConfig config) {
        settings.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, config.get(Settings.STREAM_THREADS));
        settings.put(StreamsConfig.NUM_STANDBY_REPLICAS_CONFIG, config.get(Settings.STANDBY_REPLICAS));
        settings.put(StreamsConfig.REPLICATION_FACTOR_CONFIG, config.get(Settings.TOPICS_REPLICATION_FACTOR));
        settings.put(
                StreamsConfig.COMMIT_INTERVAL_MS_CONFIG,
                config.get(Settings.COMMIT_INTERVAL).toMillis());
        settings.putIfAbsent(StreamsConfig.POLL_MS_CONFIG, POLL.toMillis());
        // The inputs of a task need no order among each other. With an order, the task checks for each record whether
        // an empty input could still have an earlier one, which was a tenth of the time of an event (measured).
        settings.put(StreamsConfig.MAX_TASK_IDLE_MS_CONFIG, StreamsConfig.MAX_TASK_IDLE_MS_DISABLED);
        // A generated name would change with the topology and lose the state behind it.
        settings.put(StreamsConfig.ENSURE_EXPLICIT_INTERNAL_RESOURCE_NAMING_CONFIG, true);
    }

    private static void addState(Properties settings, EbbConfig config) {
        settings.put(
                StreamsConfig.STATE_DIR_CONFIG, config.get(Settings.STATE_DIR).toString());
        settings.put(StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG, config.get(Settings.STATE_CACHE_BYTES));
        settings.put(StreamsConfig.ROCKSDB_CONFIG_SETTER_CLASS_CONFIG, RocksDbMemory.class);
        settings.putIfAbsent(restoreConsumerPrefix(ConsumerConfig.MAX_POLL_RECORDS_CONFIG), RESTORE_BATCH_RECORDS);
        settings.putIfAbsent(
                restoreConsumerPrefix(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG), RESTORE_BATCH_BYTES);
        settings.putIfAbsent(restoreConsumerPrefix(ConsumerConfig.FETCH_MAX_BYTES_CONFIG), RESTORE_FETCH_BYTES);
        // A folder that is older than the tombstones of its changelog would bring deleted events back.
        settings.put(
                StreamsConfig.STATE_CLEANUP_DIR_MAX_AGE_MS_CONFIG,
                config.get(Settings.TOPICS_TOMBSTONE_RETENTION).toMillis() / 2);
    }

    private static void addGuarantee(Properties settings, EbbConfig config) {
        settings.put(
                StreamsConfig.PROCESSING_GUARANTEE_CONFIG,
                config.isExactlyOnce() ? StreamsConfig.EXACTLY_ONCE_V2 : StreamsConfig.AT_LEAST_ONCE);
        if (config.isExactlyOnce()) {
            settings.put(
                    producerPrefix(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG), (int) TRANSACTION_TIMEOUT.toMillis());
        }
        settings.put(consumerPrefix(ConsumerConfig.ISOLATION_LEVEL_CONFIG), "read_committed");
    }

    private static void addBuffers(Properties settings, EbbConfig config) {
        settings.putIfAbsent(
                globalConsumerPrefix(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG), (int) KafkaClients.FOLLOWING.toMillis());
        settings.putIfAbsent(mainConsumerPrefix(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG), (int) FETCH_WAIT.toMillis());
        settings.putIfAbsent(producerPrefix(ProducerConfig.BATCH_SIZE_CONFIG), batchBytes(config));
        settings.putIfAbsent(producerPrefix(ProducerConfig.BUFFER_MEMORY_CONFIG), unsentBytes(config));
        settings.putIfAbsent(producerPrefix(ProducerConfig.COMPRESSION_TYPE_CONFIG), COMPRESSION);
        settings.put(producerPrefix(ProducerConfig.MAX_REQUEST_SIZE_CONFIG), TopicPlan.maxRequestBytes(config));
        // Kafka's fixed buffers hold less than one batch, so each batch is sent and received in pieces (5 % of the CPU
        // time of B-1).
        settings.putIfAbsent(producerPrefix(ProducerConfig.SEND_BUFFER_CONFIG), AS_MUCH_AS_WANTED);
        settings.putIfAbsent(consumerPrefix(ConsumerConfig.RECEIVE_BUFFER_CONFIG), AS_MUCH_AS_WANTED);
    }

    /**
     * A batch takes its whole size from the producer's memory as soon as it is begun, and once the memory is used up,
     * each send waits. With many partitions, batches are therefore smaller (measured: with full-size batches, 64
     * partitions were swept at a third of the speed of four).
     */
    private static int batchBytes(EbbConfig config) {
        long bytes = UNSENT_BYTES / 2 / openBatches(config);
        return (int) Math.max(MIN_BATCH_BYTES, Math.min(MAX_BATCH_BYTES, bytes));
    }

    private static long unsentBytes(EbbConfig config) {
        long twoRequests = 2L * TopicPlan.maxRequestBytes(config);
        long twoBatchesEach = 2L * openBatches(config) * batchBytes(config);
        return Math.max(UNSENT_BYTES, Math.max(twoRequests, twoBatchesEach));
    }

    /** Returns the number of open batches of a thread, if this is the only instance. */
    private static long openBatches(EbbConfig config) {
        int threads = config.get(Settings.STREAM_THREADS);
        int tasks = (config.get(Settings.TOPICS_PARTITIONS) + threads - 1) / threads;
        return (long) BUSY_TOPICS * tasks;
    }

    /**
     * Ebb's own processors set bad input aside, one record at a time, so a failure that gets this far concerns the
     * whole task and must not be passed over.
     */
    @SuppressWarnings("deprecation") // The switch disappears once its effect is the default.
    private static void addFailures(Properties settings) {
        settings.put(
                StreamsConfig.PROCESSING_EXCEPTION_HANDLER_CLASS_CONFIG, LogAndFailProcessingExceptionHandler.class);
        settings.put(StreamsConfig.PROCESSING_EXCEPTION_HANDLER_GLOBAL_ENABLED_CONFIG, true);
        // The assignor builds a configuration from the settings of its consumer, and would warn that the switch is off.
        settings.put(mainConsumerPrefix(StreamsConfig.PROCESSING_EXCEPTION_HANDLER_GLOBAL_ENABLED_CONFIG), true);
        settings.put(StreamsConfig.PRODUCTION_EXCEPTION_HANDLER_CLASS_CONFIG, ProductionFailures.class);
        settings.put(StreamsConfig.DESERIALIZATION_EXCEPTION_HANDLER_CLASS_CONFIG, LogAndFailExceptionHandler.class);
    }
}
