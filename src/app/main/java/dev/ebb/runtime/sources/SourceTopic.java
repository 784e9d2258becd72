package dev.ebb.runtime.sources;

import dev.ebb.config.EbbConfig;
import dev.ebb.domain.source.Source;
import dev.ebb.domain.source.SourceTarget;
import dev.ebb.runtime.kafka.Answers;
import dev.ebb.runtime.kafka.TopicPlan;
import dev.ebb.topology.source.SourceTopology;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
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
public record SourceTopic(
        String id,
        int partitions,
        @Nullable String problem,
        @Nullable String problemOfTarget) {

    /**
     * Returns the topic of the source or of its tombstones that is one of Ebb's own: Ebb would feed on what it writes, or
     * write what it reads otherwise. Returns null if none is.
     */
    static @Nullable String ownTopic(EbbConfig config, Source source) {
        return Stream.of(source.topic(), source.tombstoneTopic())
                .filter(topic -> TopicPlan.isOwn(config, topic))
                .findFirst()
                .map(topic -> "topic " + topic + " is one of Ebb's own; name a topic of another application")
                .orElse(null);
    }

    /** Asks Kafka; throws a {@link KafkaException} if it does not answer. */
    public static SourceTopic of(EbbConfig config, Admin admin, Source source) {
        String own = ownTopic(config, source);
        if (own != null) {
            return new SourceTopic("", 0, own, own);
        }
        TopicDescription topic = describe(admin, source.topic());
        if (topic == null) {
            String missing = "there is no topic " + source.topic();
            return new SourceTopic("", 0, missing, missing);
        }
        return new SourceTopic(
                topic.topicId().toString(), topic.partitions().size(), null, problemOfTarget(admin, source));
    }

    /**
     * Returns the reason why the table must not be read on: its topic has other partitions than before, so that a newer
     * record of a row may be in another one, of which the memory of the row knows nothing (F-11). Returns null if it has
     * not, or is a log.
     *
     * @param application the id of the application that reads the source
     */
    @Nullable
    String problemOfPartitions(Admin admin, Source source, String application) {
        TopicDescription rows = source.isTable() ? describe(admin, SourceTopology.rowsLog(application)) : null;
        return rows == null || rows.partitions().size() == partitions
                ? null
                : "topic " + source.topic() + " has " + partitions + " partitions, and had "
                        + rows.partitions().size() + " when Ebb began to read it, so newer records of a row may be in"
                        + " another one; 'ebb source remove " + source.name()
                        + " --delete', which sends no tombstones, and apply it under another name";
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
