package dev.ebb.runtime.sources;

import dev.ebb.domain.source.Source;
import dev.ebb.domain.source.SourceTarget;
import dev.ebb.runtime.kafka.Answers;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/**
 * The topic of a source as Kafka knows it.
 *
 * @param id the id that Kafka gave to it; empty if there is no such topic
 * @param partitions the number of its partitions
 * @param problem the reason why the source cannot be read; null if it can
 * @param problemOfTarget the reason why its target does not work; null if it does, or none is wanted
 */
record SourceTopic(
        String id,
        int partitions,
        @Nullable String problem,
        @Nullable String problemOfTarget) {

    /** Asks Kafka; throws a {@link KafkaException} if it does not answer. */
    static SourceTopic of(Admin admin, Source source) {
        TopicDescription topic = describe(admin, source.topic());
        if (topic == null) {
            String missing = "there is no topic " + source.topic();
            return new SourceTopic("", 0, missing, missing);
        }
        return new SourceTopic(
                topic.topicId().toString(), topic.partitions().size(), null, problemOfTarget(admin, source));
    }

    private static @Nullable TopicDescription describe(Admin admin, String topic) {
        try {
            return Answers.of(admin.describeTopics(List.of(topic)).allTopicNames())
                    .get(topic);
        } catch (UnknownTopicOrPartitionException e) {
            return null;
        }
    }

    private static @Nullable String problemOfTarget(Admin admin, Source source) {
        SourceTarget target = source.target();
        if (target.kind() == SourceTarget.Kind.TOPIC && describe(admin, target.topic()) == null) {
            return "there is no topic " + target.topic();
        }
        if (target.kind() == SourceTarget.Kind.TRUNCATE) {
            return isCompacted(admin, source.topic())
                    ? "cleanup.policy of topic " + source.topic()
                            + " has compact, so its records go by their keys and not from its start; set it to delete"
                    : null;
        }
        if (target.kind() != SourceTarget.Kind.SAME || isCompacted(admin, source.topic())) {
            return null;
        }
        return "cleanup.policy of topic " + source.topic()
                + " is without compact, so a tombstone deletes nothing there;"
                + " set it to compact, or name another topic as target";
    }

    private static boolean isCompacted(Admin admin, String topic) {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        Map<ConfigResource, Config> configs =
                Answers.of(admin.describeConfigs(List.of(resource)).all());
        Config config = configs.get(resource);
        ConfigEntry policy = config == null ? null : config.get(TopicConfig.CLEANUP_POLICY_CONFIG);
        return policy != null
                && List.of(policy.value().split(",")).stream()
                        .map(String::strip)
                        .anyMatch(TopicConfig.CLEANUP_POLICY_COMPACT::equals);
    }
}
