package dev.ebb.bench.stack;

import dev.ebb.bench.harness.Awaiting;
import dev.ebb.bench.harness.VoidRunException;
import dev.ebb.config.ConfigSources;
import dev.ebb.config.EbbConfig;
import dev.ebb.config.Settings;
import dev.ebb.runtime.kafka.ConfiguredTopology;
import dev.ebb.runtime.kafka.KafkaClients;
import dev.ebb.runtime.kafka.TopicAdmin;
import dev.ebb.serde.mirror.MirrorRows;
import dev.ebb.serde.records.AvroRecords;
import dev.ebb.topology.wire.Topics;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;

/** A separate set of topics on a stack, for applications that run on them one at a time. */
public final class Lane {

    private static final Duration COMMIT_LIMIT = Duration.ofMinutes(1);

    private final BenchStack stack;
    private final Path settingsFile;
    private final String name;
    private final int partitions;
    private final Map<String, String> settings;
    private final EbbConfig config;
    private final Topics topics;
    private int applications;
    private boolean isMirrored;

    /**
     * @param settings settings of all applications of the lane that differ from the defaults, whatever the environment
     *     sets
     */
    Lane(BenchStack stack, Path settingsFile, String name, int partitions, Map<String, String> settings) {
        this.stack = stack;
        this.settingsFile = settingsFile;
        this.name = name;
        this.partitions = partitions;
        this.settings = settings;
        this.config = config(mirroredId(), Map.of());
        this.topics = new ConfiguredTopology(config).topics();
    }

    private String mirroredId() {
        return prefix() + "mirrored";
    }

    /** Has the sinks fill SQL from the log of the next Ebb; returns its settings. */
    public EbbConfig mirrored() {
        isMirrored = true;
        return config;
    }

    /** Returns the id of a new application whose log SQL may mirror. */
    String idWithLog(String application) {
        return isMirrored ? mirroredId() : newId(application);
    }

    /** Returns the name of the log that the sinks read. */
    public String mirroredLog() {
        return ConfiguredTopology.eventLog(config);
    }

    /** Returns the id of a new application. */
    public String newId(String application) {
        applications++;
        return prefix() + application + "-" + applications;
    }

    /** Returns the settings of an application: the defaults, with the addresses of the stack, and these. */
    public EbbConfig config(String applicationId, Map<String, String> more) {
        Map<String, String> own = new HashMap<>(settings);
        own.putAll(more);
        own.put(Settings.APPLICATION_ID.key(), applicationId);
        own.put(Settings.TOPICS_PREFIX.key(), prefix());
        own.put(Settings.TOPICS_PARTITIONS.key(), Integer.toString(partitions));
        return EbbConfig.load(new ConfigSources(settingsFile, Map.of(), own));
    }

    private String prefix() {
        return name + ".";
    }

    public BenchStack stack() {
        return stack;
    }

    public AvroRecords records() {
        return stack.records();
    }

    public KafkaClients clients() {
        return new KafkaClients(config);
    }

    public Topics topics() {
        return topics;
    }

    public int partitions() {
        return partitions;
    }

    /** Returns a writer of rows. */
    public MirrorRows mirrorRows() {
        return new MirrorRows();
    }

    /** Deletes all topics of the lane but the input, those of its applications included, and recreates Ebb's own. */
    public void renewTopics() throws InterruptedException {
        renew(topic -> !topic.equals(topics.events()));
    }

    /** Deletes all topics of the lane, the input included, and recreates Ebb's own, the input empty. */
    public void renewAllTopics() throws InterruptedException {
        renew(topic -> true);
    }

    private void renew(Predicate<String> isOld) throws InterruptedException {
        try (Admin admin = clients().admin()) {
            admin.deleteTopics(own(admin, isOld)).all().get();
            // The broker lists deleted topics for a little longer.
            Awaiting.until(() -> own(admin, isOld).isEmpty(), COMMIT_LIMIT, "topics were not deleted");
            new TopicAdmin(admin, config(mirroredId(), Map.of(Settings.MIRROR_JSON.key(), "on"))).create();
        } catch (ExecutionException e) {
            throw new VoidRunException("the broker does not renew its topics: " + e.getMessage(), e);
        }
    }

    private List<String> own(Admin admin, Predicate<String> isOld) throws InterruptedException, ExecutionException {
        return admin.listTopics().names().get().stream()
                .filter(topic -> topic.startsWith(prefix()) && isOld.test(topic))
                .toList();
    }

    /** Waits until all records of a topic are committed, so that readers of committed records see them. */
    public void awaitCommitted(String topic) throws InterruptedException {
        try (Admin admin = clients().admin()) {
            Awaiting.until(
                    () -> ends(admin, topic, IsolationLevel.READ_COMMITTED)
                            .equals(ends(admin, topic, IsolationLevel.READ_UNCOMMITTED)),
                    COMMIT_LIMIT,
                    topic + " was not committed");
        } catch (ExecutionException e) {
            throw new VoidRunException("the broker does not tell where topics end: " + e.getMessage(), e);
        }
    }

    private Map<TopicPartition, Long> ends(Admin admin, String topic, IsolationLevel isolation)
            throws InterruptedException, ExecutionException {
        Map<TopicPartition, OffsetSpec> asked = IntStream.range(0, partitions)
                .boxed()
                .collect(Collectors.toMap(
                        partition -> new TopicPartition(topic, partition), partition -> OffsetSpec.latest()));
        return admin.listOffsets(asked, new ListOffsetsOptions(isolation)).all().get().entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, entry -> entry.getValue().offset()));
    }

    /**
     * Waits until a group has committed the input; only committed input has been processed exactly once.
     *
     * @param lastOffsets the offset of the last record to wait for in each partition; -1 where there is none
     */
    public void awaitInput(String group, long[] lastOffsets, Duration limit) throws InterruptedException {
        try (Admin admin = clients().admin()) {
            Awaiting.until(
                    () -> isReached(
                            lastOffsets,
                            admin.listConsumerGroupOffsets(group)
                                    .partitionsToOffsetAndMetadata()
                                    .get()),
                    limit,
                    "the input was not committed");
        } catch (ExecutionException e) {
            throw new VoidRunException("the broker does not tell what is committed: " + e.getMessage(), e);
        }
    }

    private boolean isReached(long[] lastOffsets, Map<TopicPartition, OffsetAndMetadata> committed) {
        for (int partition = 0; partition < lastOffsets.length; partition++) {
            var offset = committed.get(new TopicPartition(topics.events(), partition));
            if (lastOffsets[partition] >= 0 && (offset == null || offset.offset() <= lastOffsets[partition])) {
                return false;
            }
        }
        return true;
    }
}
