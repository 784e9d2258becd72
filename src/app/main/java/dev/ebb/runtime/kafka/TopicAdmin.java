package dev.ebb.runtime.kafka;

import dev.ebb.config.EbbConfig;
import dev.ebb.config.Settings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Makes and checks the topics. Throws {@link KafkaException} if the broker does not do its part. */
public final class TopicAdmin {

    private static final Duration VISIBLE_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration VISIBLE_POLL = Duration.ofMillis(100);
    private static final String CREATE = "run 'ebb topics create'";

    private final Admin admin;
    private final EbbConfig config;
    private final TopicPlan plan;
    private final List<TopicSpec> specs;

    /** @param admin stays open */
    public TopicAdmin(Admin admin, EbbConfig config) {
        this.admin = admin;
        this.config = config;
        this.plan = new TopicPlan(config);
        this.specs = plan.topics();
    }

    /**
     * Makes missing topics and corrects settings that differ, including those of changelogs, which Kafka Streams makes
     * and never changes. Leaves the number of partitions of a topic unchanged, since another number would move streams
     * to other partitions.
     *
     * @return the changes, one sentence each; empty if nothing had to change
     */
    public List<String> create() {
        Set<String> existing = describe(names()).keySet();
        List<TopicSpec> missing =
                specs.stream().filter(spec -> !existing.contains(spec.name())).toList();
        List<String> done = new ArrayList<>();
        missing.forEach(spec -> done.add(create(spec)));
        awaitVisible(missing.stream().map(TopicSpec::name).toList());
        done.addAll(alter(specs.stream().filter(spec -> !missing.contains(spec)).toList()));
        done.addAll(alter(changelogs()));
        return done;
    }

    /** Returns the differences from the plan; empty if all topics are right. */
    public List<TopicProblem> check() {
        Map<String, TopicDescription> existing = describe(names());
        List<TopicProblem> problems = new ArrayList<>();
        for (TopicSpec spec : specs) {
            TopicDescription topic = existing.get(spec.name());
            if (topic == null) {
                problems.add(new TopicProblem(spec.name(), "does not exist", CREATE, true));
            } else if (topic.partitions().size() != spec.partitions() && !isLog(spec)) {
                problems.add(wrongPartitions(spec, topic.partitions().size()));
            }
        }
        problems.addAll(checkSettings(
                specs.stream().filter(spec -> existing.containsKey(spec.name())).toList()));
        problems.addAll(checkState());
        problems.addAll(checkSettings(changelogs()));
        return problems;
    }

    private String create(TopicSpec spec) {
        Map<String, String> settings =
                spec.settings().stream().collect(Collectors.toMap(TopicSetting::key, TopicSetting::value));
        NewTopic topic = new NewTopic(
                spec.name(),
                spec.partitions(),
                config.get(Settings.TOPICS_REPLICATION_FACTOR).shortValue());
        try {
            Answers.of(admin.createTopics(List.of(topic.configs(settings))).all());
            return "created " + spec.name() + " with " + count(spec.partitions());
        } catch (TopicExistsException e) {
            // Another instance was faster.
            return "found " + spec.name();
        }
    }

    /** A broker may report a topic as made before all brokers know it, and the next start would not find the topic. */
    private void awaitVisible(List<String> created) {
        long endNanos = System.nanoTime() + VISIBLE_TIMEOUT.toNanos();
        while (!describe(created).keySet().containsAll(created)) {
            if (System.nanoTime() - endNanos > 0) {
                throw new KafkaException("the brokers do not show the topics that they have made: " + created);
            }
            pause();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(VISIBLE_POLL.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptException(e);
        }
    }

    private List<String> alter(List<TopicSpec> existing) {
        List<String> done = new ArrayList<>();
        Map<ConfigResource, Collection<AlterConfigOp>> changes = new LinkedHashMap<>();
        Map<String, Config> actual =
                settingsOf(existing.stream().map(TopicSpec::name).toList());
        for (TopicSpec spec : existing) {
            List<TopicSetting> wrong = differing(spec, actual);
            spec.settings().stream()
                    .filter(setting -> setting.keeps(valueOf(setting, spec, actual)))
                    .forEach(setting -> done.add(kept(spec, setting, valueOf(setting, spec, actual))));
            if (!wrong.isEmpty()) {
                changes.put(
                        resource(spec.name()),
                        wrong.stream().map(TopicAdmin::set).toList());
                wrong.forEach(
                        setting -> done.add("set " + setting.key() + "=" + setting.value() + " on " + spec.name()));
            }
        }
        Answers.of(admin.incrementalAlterConfigs(changes).all());
        return done;
    }

    private List<TopicProblem> checkSettings(List<TopicSpec> existing) {
        List<TopicProblem> problems = new ArrayList<>();
        Map<String, Config> actual =
                settingsOf(existing.stream().map(TopicSpec::name).toList());
        for (TopicSpec spec : existing) {
            differing(spec, actual).forEach(setting -> problems.add(wrongSetting(spec, setting, actual)));
        }
        return problems;
    }

    /**
     * Returns the existing changelogs; an earlier version, or earlier settings, may have made them with other settings.
     */
    private List<TopicSpec> changelogs() {
        String log = ConfiguredTopology.eventLog(config);
        return describe(new ConfiguredTopology(config).changelogs()).values().stream()
                .filter(topic -> !topic.name().equals(log))
                .map(topic -> new TopicSpec(topic.name(), topic.partitions().size(), plan.changelog()))
                .toList();
    }

    /** The number of its partitions is that of the state, see {@link #checkState}. */
    private boolean isLog(TopicSpec spec) {
        return spec.name().equals(ConfiguredTopology.eventLog(config));
    }

    /** The changelogs reveal the number of partitions at the first start of the application. */
    private List<TopicProblem> checkState() {
        String changelog = ConfiguredTopology.eventLog(config);
        TopicDescription topic = describe(List.of(changelog)).get(changelog);
        if (topic == null || topic.partitions().size() == config.get(Settings.TOPICS_PARTITIONS)) {
            return List.of();
        }
        int fixed = topic.partitions().size();
        return List.of(new TopicProblem(
                changelog,
                "says that the state was made with " + count(fixed) + ", not " + config.get(Settings.TOPICS_PARTITIONS),
                "set topics.partitions=" + fixed
                        + ", which is fixed at the first start, or take another application.id",
                true));
    }

    private TopicProblem wrongPartitions(TopicSpec spec, int actual) {
        boolean isFixedAtOne = spec.partitions() == 1;
        String fix = isFixedAtOne
                ? "delete the topic and " + CREATE
                : "set topics.partitions=" + actual + ", or take another topics.prefix";
        return new TopicProblem(spec.name(), "has " + count(actual) + " and must have " + spec.partitions(), fix, true);
    }

    private static TopicProblem wrongSetting(TopicSpec spec, TopicSetting setting, Map<String, Config> actual) {
        String value = valueOf(setting, spec, actual);
        return new TopicProblem(
                spec.name(),
                "has " + setting.key() + "=" + value + " and should have " + setting.value(),
                CREATE,
                setting.isBrokenBy(value));
    }

    /** Deletes under a longer undo.max are promised for that time, whatever undo.max is by now (T-16). */
    private static String kept(TopicSpec spec, TopicSetting setting, String value) {
        return "left " + setting.key() + "=" + value + " on " + spec.name()
                + ": it is never lowered, since deletes may be promised for so long; once 'ebb trash list' shows none"
                + " of them, set it to " + setting.value() + " with kafka-configs.sh";
    }

    private static List<TopicSetting> differing(TopicSpec spec, Map<String, Config> actual) {
        return spec.settings().stream()
                .filter(setting -> !valueOf(setting, spec, actual).equals(setting.value()))
                .filter(setting -> !setting.keeps(valueOf(setting, spec, actual)))
                .toList();
    }

    private static String valueOf(TopicSetting setting, TopicSpec spec, Map<String, Config> actual) {
        Config config = actual.get(spec.name());
        ConfigEntry entry = config == null ? null : config.get(setting.key());
        return entry == null || entry.value() == null ? "" : entry.value();
    }

    private static AlterConfigOp set(TopicSetting setting) {
        return new AlterConfigOp(new ConfigEntry(setting.key(), setting.value()), AlterConfigOp.OpType.SET);
    }

    private List<String> names() {
        return specs.stream().map(TopicSpec::name).toList();
    }

    /**
     * Returns the topics that exist. One broker may list a topic that is still unknown to the broker that is asked
     * next.
     */
    private Map<String, TopicDescription> describe(Collection<String> names) {
        Set<String> all = Answers.of(admin.listTopics().names());
        Map<String, TopicDescription> described = new TreeMap<>();
        admin.describeTopics(names.stream().filter(all::contains).toList())
                .topicNameValues()
                .forEach((name, answer) -> {
                    try {
                        described.put(name, Answers.of(answer));
                    } catch (UnknownTopicOrPartitionException e) {
                        described.remove(name);
                    }
                });
        return described;
    }

    private Map<String, Config> settingsOf(Collection<String> names) {
        Map<String, Config> settings = new TreeMap<>();
        Answers.of(admin.describeConfigs(
                                names.stream().map(TopicAdmin::resource).toList())
                        .all())
                .forEach((resource, config) -> settings.put(resource.name(), config));
        return settings;
    }

    private static ConfigResource resource(String topic) {
        return new ConfigResource(ConfigResource.Type.TOPIC, topic);
    }

    private static String count(int partitions) {
        return partitions == 1 ? "1 partition" : partitions + " partitions";
    }
}
