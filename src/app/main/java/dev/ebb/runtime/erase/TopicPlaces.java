package dev.ebb.runtime.erase;

import dev.ebb.config.EbbConfig;
import dev.ebb.config.Settings;
import dev.ebb.domain.erase.EraseRest;
import dev.ebb.domain.erase.Places;
import dev.ebb.domain.erase.RemainingPlace;
import dev.ebb.domain.erase.SourcePlaces;
import dev.ebb.domain.erase.TopicSettings;
import dev.ebb.domain.source.Source;
import dev.ebb.runtime.kafka.ConfiguredTopology;
import dev.ebb.topology.source.AcceptedSource;
import dev.ebb.topology.source.AcceptedSources;
import dev.ebb.topology.wire.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
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
 * @param sources the sources in force; their topics are places too (F-9)
 */
public record TopicPlaces(
        Admin admin, Places.Topics topics, String log, Duration maxAgeOfLog, AcceptedSources sources) {

    /** Returns the places of an application with these settings. */
    public static TopicPlaces of(EbbConfig config, Admin admin, AcceptedSources sources) {
        ConfiguredTopology configured = new ConfiguredTopology(config);
        return new TopicPlaces(
                admin,
                topics(configured.topics(), config.get(Settings.MIRROR_JSON).equals("on"), configured.changelogs()),
                ConfiguredTopology.eventLog(config),
                config.get(Settings.TOPICS_MAX_COMPACTION_LAG),
                sources);
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
     * @param namespace the namespace to which the erasure was limited; empty for none
     * @param rest bytes that the erasure could not look at
     */
    CompletionStage<List<RemainingPlace>> ask(String namespace, EraseRest rest, long erasedMs) {
        List<Source> read = SourcePlaces.sources(
                sources.current().values().stream().map(AcceptedSource::source).toList(), namespace);
        Map<String, TopicSettings> settings = new ConcurrentHashMap<>();
        Map<String, TopicSettings> ofOthers = new ConcurrentHashMap<>();
        Set<String> missing = ConcurrentHashMap.newKeySet();
        List<CompletableFuture<?>> answers = new ArrayList<>();
        describe(topics.all()).forEach((topic, answer) -> answers.add(noted(settings, topic, answer)));
        describe(SourcePlaces.topics(read))
                .forEach((topic, answer) -> answers.add(notedOfOthers(ofOthers, missing, topic, answer)));
        return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
                .thenApply(done -> {
                    List<RemainingPlace> places = new ArrayList<>(SourcePlaces.of(read, ofOthers, missing, erasedMs));
                    places.addAll(Places.of(topics, settings, rest, erasedMs));
                    return places;
                });
    }

    private Map<String, KafkaFuture<Config>> describe(Collection<String> names) {
        Map<String, KafkaFuture<Config>> answers = new HashMap<>();
        List<ConfigResource> resources = names.stream()
                .map(name -> new ConfigResource(ConfigResource.Type.TOPIC, name))
                .toList();
        if (!resources.isEmpty()) {
            admin.describeConfigs(resources)
                    .values()
                    .forEach((resource, answer) -> answers.put(resource.name(), answer));
        }
        return answers;
    }

    /** An erasure is done although Ebb may not read the settings of the topic of another application. */
    private static CompletableFuture<?> notedOfOthers(
            Map<String, TopicSettings> settings, Set<String> missing, String topic, KafkaFuture<Config> answer) {
        return answer.toCompletionStage().toCompletableFuture().handle((config, failure) -> {
            if (failure == null) {
                settings.put(topic, settings(config));
            } else if (isMissing(failure)) {
                missing.add(topic);
            }
            return topic;
        });
    }

    private CompletableFuture<?> noted(Map<String, TopicSettings> settings, String topic, KafkaFuture<Config> answer) {
        return answer.toCompletionStage().toCompletableFuture().handle((config, failure) -> {
            if (failure == null) {
                settings.put(
                        topic,
                        topic.equals(log) ? settings(config).cutAfter(maxAgeOfLog.toMillis()) : settings(config));
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
