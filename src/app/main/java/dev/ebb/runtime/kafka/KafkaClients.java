package dev.ebb.runtime.kafka;

import dev.ebb.config.EbbConfig;
import dev.ebb.config.Settings;
import dev.ebb.topology.wire.RecordLimits;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Creates the Kafka clients that do not belong to Kafka Streams. Immutable; the caller closes each client. */
public final class KafkaClients {

    /** Longest wait for an answer; the caller repeats a request that may be tried again. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** The broker answers at once; not 0, which would make a reader at the end of a partition poll without a pause. */
    private static final int NO_WAIT_MS = 1;

    /**
     * Longest wait of the broker for records of a topic with few writes; the broker answers at once when a record
     * arrives. With Kafka's half a second, each such reader takes a thousandth of a core. Less than a request may take.
     */
    public static final Duration FOLLOWING = Duration.ofSeconds(5);

    /**
     * Closes a consumer that follows a topic. The answer to its last fetch may take as long as {@link #FOLLOWING}, and
     * until then the broker accepts no farewell on that connection.
     */
    public static final CloseOptions AT_ONCE = CloseOptions.timeout(Duration.ZERO);

    /**
     * More records than arrive at once: if a follower kept any, its next fetch would leave out their partition and
     * wait.
     */
    private static final int FOLLOWED_RECORDS = 100_000;

    /** A small buffer, since several readers may be in use at once, and each keeps what it has fetched. */
    private static final int READER_BYTES = 4 << 20;

    private final EbbConfig config;

    public KafkaClients(EbbConfig config) {
        this.config = config;
        TokenEndpoints.allow(config);
    }

    /** Returns the settings that all clients share. */
    public Map<String, Object> properties() {
        Map<String, Object> settings = new HashMap<>(config.kafkaProperties());
        settings.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, config.get(Settings.BOOTSTRAP_SERVERS));
        return settings;
    }

    public Admin admin() {
        Map<String, Object> settings = common("admin");
        settings.put(CommonClientConfigs.DEFAULT_API_TIMEOUT_MS_CONFIG, millis(PATIENCE));
        settings.put(CommonClientConfigs.REQUEST_TIMEOUT_MS_CONFIG, millis(PATIENCE));
        return Admin.create(settings);
    }

    /**
     * Creates a consumer that reads committed records from assigned partitions, up to a known end; commits nothing. A
     * caller that moves on to other partitions does not wait for new records at the end of the previous ones.
     */
    public Consumer<byte[], byte[]> reader() {
        return new BoundedConsumer(readerSettings(), limits());
    }

    Map<String, Object> readerSettings() {
        Map<String, Object> settings = reading("reader");
        settings.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, NO_WAIT_MS);
        settings.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, READER_BYTES);
        return settings;
    }

    /**
     * Creates a consumer that reads committed records from assigned partitions and waits at their end for new ones;
     * commits nothing.
     */
    public Consumer<byte[], byte[]> follower() {
        return new Follower(followerSettings(), limits());
    }

    Map<String, Object> followerSettings() {
        Map<String, Object> settings = reading("follower");
        settings.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, millis(FOLLOWING));
        settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, FOLLOWED_RECORDS);
        return settings;
    }

    /** Creates a producer that writes each record once, in order. */
    public Producer<byte[], byte[]> producer() {
        return new KafkaProducer<>(producing("producer"), new ByteArraySerializer(), new ByteArraySerializer());
    }

    /** Creates a producer that writes each record once, in order, but gives up soon, for a caller that waits. */
    public Producer<byte[], byte[]> impatientProducer(String purpose) {
        return new KafkaProducer<>(impatient(producing(purpose)), new ByteArraySerializer(), new ByteArraySerializer());
    }

    /** Creates a producer that never sends a record again, since the answer to a late one would be useless. */
    public Producer<byte[], byte[]> asker() {
        Map<String, Object> settings = common("clock");
        settings.put(ProducerConfig.ACKS_CONFIG, "1");
        settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, false);
        settings.put(ProducerConfig.RETRIES_CONFIG, 0);
        settings.put(ProducerConfig.LINGER_MS_CONFIG, 0);
        settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, millis(PATIENCE));
        settings.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, millis(PATIENCE));
        settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, millis(PATIENCE));
        return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
    }

    /** Creates a producer that writes in transactions under that id. */
    public Producer<byte[], byte[]> transactionalProducer(String transactionalId) {
        Map<String, Object> settings = impatient(producing(transactionalId));
        settings.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, transactionalId);
        settings.put(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, millis(PATIENCE));
        return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
    }

    private RecordLimits limits() {
        return new RecordLimits(config.get(Settings.RECORD_MAX_BYTES));
    }

    private Map<String, Object> reading(String purpose) {
        Map<String, Object> settings = common(purpose);
        settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        settings.put(CommonClientConfigs.DEFAULT_API_TIMEOUT_MS_CONFIG, millis(PATIENCE));
        settings.put(CommonClientConfigs.REQUEST_TIMEOUT_MS_CONFIG, millis(PATIENCE));
        return settings;
    }

    private static Map<String, Object> impatient(Map<String, Object> settings) {
        settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, millis(PATIENCE));
        settings.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, millis(PATIENCE) / 2);
        settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, millis(PATIENCE));
        return settings;
    }

    private Map<String, Object> producing(String purpose) {
        Map<String, Object> settings = common(purpose);
        settings.put(ProducerConfig.ACKS_CONFIG, "all");
        settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        settings.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, TopicPlan.maxRequestBytes(config));
        return settings;
    }

    private Map<String, Object> common(String purpose) {
        Map<String, Object> settings = properties();
        settings.put(CommonClientConfigs.CLIENT_ID_CONFIG, config.get(Settings.APPLICATION_ID) + "-" + purpose);
        return settings;
    }

    private static int millis(Duration duration) {
        return (int) duration.toMillis();
    }

    /** A consumer that closes at once. */
    private static final class Follower extends BoundedConsumer {

        Follower(Map<String, Object> settings, RecordLimits limits) {
            super(settings, limits);
        }

        @Override
        public void close() {
            close(AT_ONCE);
        }
    }
}
