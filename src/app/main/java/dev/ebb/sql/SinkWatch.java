package dev.ebb.sql;

import java.net.URI;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * The parts that look after the sinks of one mirror.
 *
 * @param supervisor keeps the sinks running
 * @param lag knows how far the sinks are behind
 */
record SinkWatch(ConnectorSupervisor supervisor, MirrorLag lag) {

    static SinkWatch of(MirrorSettings settings, URI connect) {
        List<ConnectorConfig> configs = connectors(settings);
        return new SinkWatch(
                new ConnectorSupervisor(configs, new ConnectClient(connect), Clock.systemUTC()),
                new MirrorLag(configs, Admin.create(settings.kafka()), consumer(settings)));
    }

    /** Tells how much of the stored state the sinks have taken, whether or not they are watched. */
    static MirrorPosition position(MirrorSettings settings) {
        List<ConnectorConfig> configs = connectors(settings).stream()
                .filter(connector -> settings.storedTopics().contains(connector.topic()))
                .toList();
        return new MirrorPosition(configs, Admin.create(settings.kafka()), consumer(settings));
    }

    private static List<ConnectorConfig> connectors(MirrorSettings settings) {
        return new ConnectorFiles(settings.sink(), settings.placeholders()).read(settings.connectorFolder());
    }

    private static KafkaConsumer<byte[], byte[]> consumer(MirrorSettings settings) {
        Map<String, Object> properties = new HashMap<>(settings.kafka());
        properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        return new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }
}
