package dev.ebb.sql;

import java.net.URI;
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
 * @param connectUrl the REST address of Kafka Connect; empty if the sinks are not watched
 * @param sink the sink that fills the tables: {@code ebb} or {@code debezium}
 * @param format the form of the records on the stored topics: the setting {@code mirror.format}
 * @param connectorFolder the folder with the files of the connectors; empty for the built-in ones
 * @param kafka the properties of Kafka's clients, including {@code bootstrap.servers}
 */
public record MirrorSettings(
        String applicationId,
        String topicsPrefix,
        SqlSettings sql,
        Optional<URI> connectUrl,
        String sink,
        String format,
        Optional<Path> connectorFolder,
        Map<String, Object> kafka) {

    /** Most records of one transaction of a sink. */
    private static final String ROWS_AT_ONCE = "10000";

    /**
     * Most records of a poll where records are blocks: the worker keeps all of them in memory, and each may have 48
     * KiB.
     */
    private static final String BLOCKS_AT_ONCE = "500";

    public MirrorSettings {
        kafka = Map.copyOf(kafka);
    }

    /** Returns the texts for the placeholders in the files of the connectors. */
    Map<String, String> placeholders() {
        return Map.of(
                "application.id",
                applicationId,
                "topics.prefix",
                topicsPrefix,
                "sql.url",
                sql.url(),
                "sql.user",
                sql.user(),
                "sql.password",
                sql.passwordOfSink(),
                "mirror.poll.records",
                format.equals("blocks") ? BLOCKS_AT_ONCE : ROWS_AT_ONCE);
    }

    /** Returns true if only the sink {@code ebb} can read the stored topics. */
    boolean isCompact() {
        return !format.equals("json");
    }

    /** Returns the topics whose records are rows of stored events or executions. */
    Set<String> storedTopics() {
        return Set.of(topicsPrefix + "mirror.events", topicsPrefix + "mirror.executions");
    }

    @Override
    public String toString() {
        return "MirrorSettings[" + applicationId + ", " + sql + "]";
    }
}
