package dev.ebb.sql;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Settings of the mirror. Prints no secret.
 *
 * @param applicationId the beginning of the names of the connectors
 * @param topicsPrefix the beginning of the names of the topics
 * @param sql the database
 * @param connect the way to Kafka Connect; empty if the sinks are not watched
 * @param sink the sink that fills the tables: {@code ebb}, {@code debezium}, or {@code auto} for what the worker offers
 * @param isJsonSent true if the rows of events are sent to {@code mirror.events}: the setting {@code mirror.json}
 * @param eventLog the name of the log of the events, which the sink that comes with Ebb reads
 * @param connectorFolder the folder with the files of the connectors; empty for the built-in ones
 * @param kafka the properties of Kafka's clients, including {@code bootstrap.servers}
 */
public record MirrorSettings(
        String applicationId,
        String topicsPrefix,
        SqlSettings sql,
        Optional<ConnectAccess> connect,
        String sink,
        boolean isJsonSent,
        String eventLog,
        Optional<Path> connectorFolder,
        Map<String, Object> kafka) {

    public MirrorSettings {
        kafka = Map.copyOf(kafka);
    }

    /** Returns the texts for the placeholders in the files of the connectors. */
    Map<String, String> placeholders(SinkChoice choice) {
        return Map.of(
                "application.id",
                applicationId,
                "topics.prefix",
                topicsPrefix,
                "sql.url",
                sql.url(),
                "sql.url.untyped",
                sql.urlOfUntypedTexts(),
                "sql.user",
                sql.user(),
                "sql.password",
                sql.passwordOfSink(),
                "event.log",
                eventLog,
                "connector.class",
                choice.connectorClass());
    }

    /** Returns the topic with the rows of events as JSON, if they are sent. */
    String jsonTopic() {
        return topicsPrefix + "mirror.events";
    }

    /** Returns the topics from which the rows of stored events and executions are made. */
    Set<String> storedTopics() {
        return Set.of(eventLog, jsonTopic(), topicsPrefix + "mirror.executions");
    }

    @Override
    public String toString() {
        return "MirrorSettings[" + applicationId + ", " + sql + "]";
    }
}
