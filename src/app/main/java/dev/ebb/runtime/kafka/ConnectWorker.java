package dev.ebb.runtime.kafka;

import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;

/**
 * Group and topics that a distributed Connect worker has in Kafka for itself, named in its own settings.
 *
 * @param group the group in which its workers share the connectors
 * @param topics the topics for connectors, offsets and states; the worker makes those that are missing
 */
public record ConnectWorker(String group, List<String> topics) {

    private static final String GROUP = "group.id";
    private static final List<String> TOPICS =
            List.of("config.storage.topic", "offset.storage.topic", "status.storage.topic");

    public ConnectWorker {
        topics = List.copyOf(topics);
    }

    /**
     * Returns the worker with those settings.
     *
     * @throws IllegalArgumentException if a name is missing for which no worker has a default
     */
    public static ConnectWorker of(Properties settings) {
        List<String> missing = Stream.concat(Stream.of(GROUP), TOPICS.stream())
                .filter(key -> settings.getProperty(key, "").isBlank())
                .toList();
        if (!missing.isEmpty()) {
            throw new IllegalArgumentException(
                    "these are not the settings of a distributed worker: it has no " + String.join(", ", missing));
        }
        return new ConnectWorker(
                settings.getProperty(GROUP).strip(),
                TOPICS.stream().map(key -> settings.getProperty(key).strip()).toList());
    }
}
