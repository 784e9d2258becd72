package dev.ebb.runtime.streams;

import dev.ebb.domain.time.Durations;
import dev.ebb.runtime.kafka.Answers;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.config.ConfigResource;
import org.jspecify.annotations.Nullable;

/**
 * The time for which the brokers remember the offsets of a stopped group. Stateless.
 *
 * @param admin stays open
 */
public record OffsetsRetention(Admin admin) {

    private static final String SETTING = "offsets.retention.minutes";

    /** A stop of a month should not need the help of an operator. */
    private static final Duration LEAST = Duration.ofDays(30);

    /**
     * Returns a warning that a longer stop will need help; null if it will not, or if the brokers do not answer, since
     * the question needs a right of its own.
     */
    @Nullable
    public String problem() {
        try {
            Node broker = Answers.of(admin.describeCluster().nodes()).iterator().next();
            ConfigResource resource = new ConfigResource(ConfigResource.Type.BROKER, broker.idString());
            Config config =
                    Answers.of(admin.describeConfigs(List.of(resource)).all()).get(resource);
            ConfigEntry entry = config == null ? null : config.get(SETTING);
            return entry == null || entry.value() == null ? null : problem(Long.parseLong(entry.value()));
        } catch (KafkaException e) {
            return null;
        }
    }

    static @Nullable String problem(long minutes) {
        if (minutes >= LEAST.toMinutes()) {
            return null;
        }
        return "the brokers forget the offsets of a group that has stopped for "
                + Durations.format(Duration.ofMinutes(minutes).toMillis()) + " (" + SETTING
                + "); after such a stop Ebb starts only after 'ebb offsets restore'. Set it to "
                + LEAST.toMinutes() + " or more";
    }
}
