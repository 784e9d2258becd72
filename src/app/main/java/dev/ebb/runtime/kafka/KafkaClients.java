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

/** Makes the Kafka clients that do not belong to Kafka Streams. Immutable; the caller closes each client. */
public final class KafkaClients {

    /** Longest wait for an answer; a request that can be tried again is tried again by its caller. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** The broker answers at once; not 0, with which a reader would ask without a pause where nothing comes. */
    private static final int NO_WAIT_MS = 1;

    /**
     * Longest wait of the broker for records of a topic to which little is written; it answers at once when one comes. With
     * Kafka's half a second each such reader takes a thousandth of a core. Less than a request may take.
     */
    public static final Duration FOLLOWING = Duration.ofSeconds(5);

    /**
     * Closes a consumer that follows a topic. Its last question may be answered after {@link #FOLLOWING} only, and the broker takes
     * no farewell on that connection before.
     */
    public static final CloseOptions AT_ONCE = CloseOptions.timeout(Duration.ZERO);

    /** More than come at once: what a follower kept would have the next question leave out its partition and wait. */
    private static final int FOLLOWED_RECORDS = 100_000;

    /** Several readers may be in use at once, and each keeps what it has fetched. */
    private static final int READER_BYTES = 4 << 20;

    private final EbbConfig config;

    public KafkaClients(EbbConfig config) {
        this.config = config;
    }

    /** Settings of every client, whatever it does. */
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
     * Reads committed records from partitions that it is told, up to an end that is known; commits nothing. A caller
     * that goes on to other partitions does not wait for records that may come at the end of those before.
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

    /** Reads committed records from partitions that it is told, and waits at their end for what comes; commits nothing. */
    public Consumer<byte[], byte[]> follower() {
        return new Follower(followerSettings(), limits());
    }

    Map<String, Object> followerSettings() {
        Map<String, Object> settings = reading("follower");
        settings.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, millis(FOLLOWING));
        settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, FOLLOWED_RECORDS);
        return settings;
    }

    /** Writes each record once, in order. */
    public Producer<byte[], byte[]> producer() {
        return new KafkaProducer<>(producing("producer"), new ByteArraySerializer(), new ByteArraySerializer());
    }

    /** Writes each record once, in order, but gives up soon, for a caller that waits. */
    public Producer<byte[], byte[]> impatientProducer(String purpose) {
        return new KafkaProducer<>(impatient(producing(purpose)), new ByteArraySerializer(), new ByteArraySerializer());
    }

    /** Asks: a question that is not taken at once is not taken later, when the answer would say nothing any more. */
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

    /** Writes in transactions under that id. */
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

    /** Is closed at once. */
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
