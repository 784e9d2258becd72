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
 * @param lag counts the records that the sinks have not taken
 */
record SinkWatch(ConnectorSupervisor supervisor, MirrorLag lag) {

    private static final String EBB_SINK = "dev.ebb.sink.MirrorSinkConnector";

    static SinkWatch of(MirrorSettings settings, URI connect) {
        List<ConnectorConfig> configs = connectors(settings);
        return new SinkWatch(
                new ConnectorSupervisor(configs, new ConnectClient(connect), Clock.systemUTC()),
                new MirrorLag(configs, Admin.create(settings.kafka()), consumer(settings)));
    }

    /** Returns the position of the sinks in the stored topics, whether or not the sinks are watched. */
    static MirrorPosition position(MirrorSettings settings) {
        List<ConnectorConfig> configs = connectors(settings).stream()
                .filter(connector -> settings.storedTopics().contains(connector.topic()))
                .toList();
        return new MirrorPosition(configs, Admin.create(settings.kafka()), consumer(settings));
    }

    /** @throws SqlMirrorException if one of the connectors cannot be read, or cannot read its topic */
    static List<ConnectorConfig> connectors(MirrorSettings settings) {
        List<ConnectorConfig> configs =
                new ConnectorFiles(settings.sink(), settings.placeholders()).read(settings.connectorFolder());
        if (settings.isCompact()) {
            configs.stream()
                    .filter(connector -> settings.storedTopics().contains(connector.topic()))
                    .forEach(SinkWatch::requireCompact);
        }
        return configs;
    }

    private static void requireCompact(ConnectorConfig connector) {
        if (!connector.settings().getOrDefault("connector.class", "").equals(EBB_SINK)) {
            throw new SqlMirrorException("the connector " + connector.name() + " cannot read " + connector.topic()
                    + ", which is not in JSON: set mirror.format=json, or let it use " + EBB_SINK);
        }
        if (!connector.settings().containsKey("columns")) {
            throw new SqlMirrorException(
                    "the connector " + connector.name() + " has no setting columns, without which it cannot read "
                            + connector.topic() + ": take it from config/connect/ebb, or set mirror.format=json");
        }
    }

    private static KafkaConsumer<byte[], byte[]> consumer(MirrorSettings settings) {
        Map<String, Object> properties = new HashMap<>(settings.kafka());
        properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        return new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }
}
