package dev.ebb.runtime.erase;

import dev.ebb.config.EbbConfig;
import dev.ebb.config.Settings;
import dev.ebb.domain.erase.EraseRest;
import dev.ebb.domain.erase.Places;
import dev.ebb.domain.erase.RemainingPlace;
import dev.ebb.domain.erase.TopicSettings;
import dev.ebb.runtime.kafka.ConfiguredTopology;
import dev.ebb.topology.wire.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/**
 * Asks the brokers how long each topic keeps erased data. Thread-safe.
 *
 * @param admin stays open
 * @param log the log of the events
 * @param maxAgeOfLog the age of its first record at which the log is written anew and cut
 */
public record TopicPlaces(Admin admin, Places.Topics topics, String log, Duration maxAgeOfLog) {

    /** Returns the places of an application with these settings. */
    public static TopicPlaces of(EbbConfig config, Admin admin) {
        ConfiguredTopology configured = new ConfiguredTopology(config);
        return new TopicPlaces(
                admin,
                topics(configured.topics(), config.get(Settings.MIRROR_JSON).equals("on"), configured.changelogs()),
                ConfiguredTopology.eventLog(config),
                config.get(Settings.TOPICS_MAX_COMPACTION_LAG));
    }

    private static Places.Topics topics(Topics names, boolean isJsonSent, List<String> changelogs) {
        List<String> whole = new ArrayList<>(
                List.of(names.events(), names.rekey(), names.archive(), names.trash(), names.rejected()));
        if (isJsonSent) {
            whole.add(names.mirrorEvents());
        }
        whole.addAll(changelogs);
        return new Places.Topics(
                whole,
                List.of(names.audit(), names.mirrorAudit(), names.mirrorExecutions(), names.results()),
                List.of(names.commands()));
    }

    /**
     * Returns the places, counted from the time of the erasure; fails if a broker does not answer.
     *
     * @param rest bytes that the erasure could not look at
     */
    CompletionStage<List<RemainingPlace>> ask(EraseRest rest, long erasedMs) {
        List<ConfigResource> resources = topics.all().stream()
                .map(name -> new ConfigResource(ConfigResource.Type.TOPIC, name))
                .toList();
        Map<String, TopicSettings> settings = new HashMap<>();
        List<CompletableFuture<?>> answers = new ArrayList<>();
        admin.describeConfigs(resources)
                .values()
                .forEach((resource, answer) -> answers.add(noted(settings, resource.name(), answer)));
        return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
                .thenApply(done -> Places.of(topics, settings, rest, erasedMs));
    }

    private CompletableFuture<?> noted(Map<String, TopicSettings> settings, String topic, KafkaFuture<Config> answer) {
        return answer.toCompletionStage().toCompletableFuture().handle((config, failure) -> {
            if (failure == null) {
                synchronized (settings) {
                    settings.put(
                            topic,
                            topic.equals(log) ? settings(config).cutAfter(maxAgeOfLog.toMillis()) : settings(config));
                }
            } else if (!isMissing(failure)) {
                throw new IllegalStateException("the settings of " + topic + " are not known", failure);
            }
            return topic;
        });
    }

    /** A missing topic is no place; a changelog appears with the first start. */
    private static boolean isMissing(@Nullable Throwable failure) {
        return failure instanceof UnknownTopicOrPartitionException
                || (failure != null && failure.getCause() instanceof UnknownTopicOrPartitionException);
    }

    private static TopicSettings settings(Config config) {
        return TopicSettings.of(config.entries().stream()
                .filter(entry -> entry.value() != null)
                .collect(Collectors.toMap(ConfigEntry::name, ConfigEntry::value)));
    }
}
