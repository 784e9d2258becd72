package dev.ebb.runtime.kafka;

import java.util.List;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.jspecify.annotations.Nullable;

/** The least time for which a topic keeps each record, by the present settings of the broker. Thread-safe. */
public final class KeptTime implements LongSupplier {

    private final Admin admin;
    private final ConfigResource topic;

    /** @param admin stays open */
    public KeptTime(Admin admin, String topic) {
        this.admin = admin;
        this.topic = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    }

    /**
     * Returns the time in milliseconds; {@link Long#MAX_VALUE} if for ever, 0 if records are removed for other reasons
     * than age as well, or the broker does not answer.
     */
    @Override
    public long getAsLong() {
        try {
            return of(Answers.of(admin.describeConfigs(List.of(topic)).all()).get(topic));
        } catch (KafkaException e) {
            return 0;
        }
    }

    static long of(@Nullable Config config) {
        String policy = value(config, TopicConfig.CLEANUP_POLICY_CONFIG);
        String bytes = value(config, TopicConfig.RETENTION_BYTES_CONFIG);
        String time = value(config, TopicConfig.RETENTION_MS_CONFIG);
        if (policy == null
                || policy.contains(TopicConfig.CLEANUP_POLICY_COMPACT)
                || !"-1".equals(bytes)
                || time == null) {
            return 0;
        }
        long ms = Long.parseLong(time);
        return ms < 0 ? Long.MAX_VALUE : ms;
    }

    private static @Nullable String value(@Nullable Config config, String name) {
        ConfigEntry entry = config == null ? null : config.get(name);
        return entry == null ? null : entry.value();
    }
}
