package dev.ebb.sql;

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

    static SinkWatch of(MirrorSettings settings, ConnectAccess connect, SinkChoice choice) {
        List<ConnectorConfig> configs = connectors(settings, choice);
        return new SinkWatch(
                new ConnectorSupervisor(configs, new ConnectClient(connect), Clock.systemUTC()),
                new MirrorLag(configs, Admin.create(settings.kafka()), consumer(settings)));
    }

    /** Returns the position of the sinks in the stored topics, whether or not the sinks are watched. */
    static MirrorPosition position(MirrorSettings settings, SinkChoice choice) {
        List<ConnectorConfig> configs = connectors(settings, choice).stream()
                .filter(connector -> settings.storedTopics().contains(connector.topic()))
                .toList();
        return new MirrorPosition(configs, Admin.create(settings.kafka()), consumer(settings));
    }

    /** @throws SqlMirrorException if one of the connectors cannot be read, or cannot read its topic */
    static List<ConnectorConfig> connectors(MirrorSettings settings, SinkChoice choice) {
        List<ConnectorConfig> configs =
                new ConnectorFiles(choice.folder(), settings.placeholders(choice)).read(settings.connectorFolder());
        configs.forEach(connector -> requireReadable(connector, settings));
        return configs;
    }

    private static void requireReadable(ConnectorConfig connector, MirrorSettings settings) {
        if (connector.topic().equals(settings.jsonTopic()) && !settings.isJsonSent()) {
            throw new SqlMirrorException("the connector " + connector.name() + " reads " + connector.topic()
                    + ", to which nothing is sent: set mirror.json=on, or take it from config/connect/ebb");
        }
        boolean isOfLog =
                connector.settings().getOrDefault("connector.class", "").equals(SinkChoice.EBB_CLASS)
                        && connector.settings().getOrDefault("log.enabled", "").equals("true");
        if (connector.topic().equals(settings.eventLog()) && !isOfLog) {
            throw new SqlMirrorException("the connector " + connector.name() + " cannot read " + connector.topic()
                    + ", which is the log of the events: take it from config/connect/ebb, or set mirror.json=on and let"
                    + " it read " + settings.jsonTopic());
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
