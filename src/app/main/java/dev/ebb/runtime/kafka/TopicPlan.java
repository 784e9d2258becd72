package dev.ebb.runtime.kafka;

import static dev.ebb.config.Settings.APPLICATION_ID;
import static dev.ebb.config.Settings.MIRROR_JSON;
import static dev.ebb.config.Settings.RECORD_MAX_BYTES;
import static dev.ebb.config.Settings.TOPICS_ARCHIVE_RETENTION;
import static dev.ebb.config.Settings.TOPICS_AUDIT_RETENTION;
import static dev.ebb.config.Settings.TOPICS_EVENTS_RETENTION;
import static dev.ebb.config.Settings.TOPICS_MAX_COMPACTION_LAG;
import static dev.ebb.config.Settings.TOPICS_PARTITIONS;
import static dev.ebb.config.Settings.TOPICS_PREFIX;
import static dev.ebb.config.Settings.TOPICS_REJECTED_RETENTION;
import static dev.ebb.config.Settings.TOPICS_REPORTS_RETENTION;
import static dev.ebb.config.Settings.TOPICS_SEGMENT_BYTES;
import static dev.ebb.config.Settings.TOPICS_TOMBSTONE_RETENTION;
import static dev.ebb.config.Settings.UNDO_MAX;
import static org.apache.kafka.common.config.TopicConfig.CLEANUP_POLICY_COMPACT;
import static org.apache.kafka.common.config.TopicConfig.CLEANUP_POLICY_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.CLEANUP_POLICY_DELETE;
import static org.apache.kafka.common.config.TopicConfig.DELETE_RETENTION_MS_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.MAX_COMPACTION_LAG_MS_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.MAX_MESSAGE_BYTES_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.MESSAGE_TIMESTAMP_AFTER_MAX_MS_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.MESSAGE_TIMESTAMP_BEFORE_MAX_MS_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.MIN_CLEANABLE_DIRTY_RATIO_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.RETENTION_BYTES_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.RETENTION_MS_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.SEGMENT_BYTES_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.SEGMENT_MS_CONFIG;

import dev.ebb.config.EbbConfig;
import dev.ebb.domain.policy.Limit;
import dev.ebb.runtime.kafka.TopicSetting.Need;
import dev.ebb.topology.wire.RecordLimits;
import dev.ebb.topology.wire.Topics;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Plan of every topic: the table of the architecture, in figures. Immutable.
 *
 * <p>A broker refuses a record whose timestamp is more than an hour ahead of its clock, and the task that sent the
 * record fails. A record of the application bears the time of its instance's clock, which may be wrong, or the time of
 * a producer's record, which may be any time (O-7). Each topic that the application writes therefore accepts every
 * timestamp: the broker replaces it with its own time, by which records are kept and compacted. Rows of the mirror and
 * re-keyed records keep their original time.
 */
public final class TopicPlan {

    /** Retention of commands; tasks remember pending work and results for at least as long (O-11). */
    private static final Duration COMMANDS_RETENTION = Duration.ofDays(7);

    private static final Duration HEARTBEAT_RETENTION = Duration.ofHours(1);
    private static final Duration TRASH_MARGIN = Duration.ofDays(1);
    /** Value without a limit, for a time or a size. */
    private static final String FOR_EVER = "-1";

    private static final List<TopicSetting> TIME_OF_BROKER =
            List.of(new TopicSetting(MESSAGE_TIMESTAMP_TYPE_CONFIG, "LogAppendTime", Need.EXACTLY));

    private static final List<TopicSetting> TIME_OF_RECORD = List.of(
            new TopicSetting(MESSAGE_TIMESTAMP_TYPE_CONFIG, "CreateTime", Need.EXACTLY),
            any(MESSAGE_TIMESTAMP_AFTER_MAX_MS_CONFIG),
            any(MESSAGE_TIMESTAMP_BEFORE_MAX_MS_CONFIG));

    /**
     * The share of a log written since the last cleaning at which the broker cleans it again. Only a new sink reads the
     * mirror from its beginning, so a longer log is cheaper than more frequent cleaning; after the longest lag of
     * compaction, the log is cleaned in any case. Changelogs keep the broker's half, since a restoration reads all of
     * them.
     */
    private static final String MIRROR_DIRTY_RATIO = "0.8";

    private final EbbConfig config;
    private final Topics topics;

    TopicPlan(EbbConfig config) {
        this.config = config;
        this.topics = topics(config);
    }

    public static Topics topics(EbbConfig config) {
        return new Topics(config.get(TOPICS_PREFIX), config.get(TOPICS_PARTITIONS));
    }

    /** Returns true if Ebb makes or writes the topic of that name, itself or through Kafka Streams. */
    public static boolean isOwn(EbbConfig config, String name) {
        String application = config.get(APPLICATION_ID) + "-";
        boolean isOfStreams =
                name.startsWith(application) && (name.endsWith("-changelog") || name.endsWith("-repartition"));
        return isOfStreams
                || new TopicPlan(config)
                        .topics().stream().anyMatch(topic -> topic.name().equals(name));
    }

    /** Returns the size of the largest request that a producer of Ebb may have to send, in bytes. */
    public static int maxRequestBytes(EbbConfig config) {
        return new RecordLimits(config.get(RECORD_MAX_BYTES)).wideTopicBytes();
    }

    /**
     * Returns all topics that Ebb makes. Kafka Streams makes the changelogs, apart from that of the events: the sink, which
     * reads it, may come first.
     */
    List<TopicSpec> topics() {
        int bytes = maxRequestBytes(config);
        Stream<TopicSpec> json = config.get(MIRROR_JSON).equals("on")
                ? Stream.of(spread(topics.mirrorEvents(), mirror()))
                : Stream.empty();
        return Stream.concat(
                        json,
                        Stream.of(
                                spread(topics.events(), deleted(config.get(TOPICS_EVENTS_RETENTION), recordBytes())),
                                spread(topics.rekey(), onTheWay()),
                                spread(ConfiguredTopology.eventLog(config), eventLog()),
                                single(topics.policies(), compacted(TIME_OF_BROKER)),
                                single(topics.policiesAccepted(), accepted()),
                                spread(topics.mirrorExecutions(), compacted(TIME_OF_RECORD)),
                                single(topics.mirrorPolicies(), compacted(TIME_OF_BROKER)),
                                spread(topics.mirrorAudit(), logged(config.get(TOPICS_AUDIT_RETENTION), recordBytes())),
                                spread(topics.audit(), logged(config.get(TOPICS_AUDIT_RETENTION), recordBytes())),
                                spread(topics.checkpoints(), logged(config.get(TOPICS_AUDIT_RETENTION), recordBytes())),
                                spread(topics.reports(), logged(config.get(TOPICS_REPORTS_RETENTION), recordBytes())),
                                spread(topics.commands(), logged(COMMANDS_RETENTION, recordBytes())),
                                single(topics.assessments(), logged(COMMANDS_RETENTION, recordBytes())),
                                spread(
                                        topics.results(),
                                        compactedAndDeleted(COMMANDS_RETENTION, Need.AT_LEAST, recordBytes())),
                                spread(topics.archive(), copies(config.get(TOPICS_ARCHIVE_RETENTION), bytes)),
                                spread(topics.trash(), trash()),
                                single(topics.clock(), heartbeats()),
                                spread(topics.rejected(), logged(config.get(TOPICS_REJECTED_RETENTION), bytes))))
                .toList();
    }

    private List<TopicSetting> mirror() {
        return and(
                compacted(TIME_OF_RECORD),
                new TopicSetting(MIN_CLEANABLE_DIRTY_RATIO_CONFIG, MIRROR_DIRTY_RATIO, Need.ADVISED));
    }

    private TopicSpec spread(String name, List<TopicSetting> settings) {
        return new TopicSpec(name, topics.partitions(), settings);
    }

    private static TopicSpec single(String name, List<TopicSetting> settings) {
        return new TopicSpec(name, 1, settings);
    }

    /** Returns the settings that a changelog should have, however old and whatever made it. */
    List<TopicSetting> changelog() {
        return compacted(TIME_OF_BROKER);
    }

    /**
     * Returns the settings of the log of the events, which only Ebb makes shorter: a retention would lose events, and a
     * compaction would bring deleted ones back.
     */
    List<TopicSetting> eventLog() {
        return and(
                TIME_OF_BROKER,
                new TopicSetting(CLEANUP_POLICY_CONFIG, CLEANUP_POLICY_DELETE, Need.EXACTLY),
                new TopicSetting(RETENTION_MS_CONFIG, FOR_EVER, Need.EXACTLY),
                new TopicSetting(RETENTION_BYTES_CONFIG, FOR_EVER, Need.EXACTLY),
                new TopicSetting(
                        SEGMENT_BYTES_CONFIG, Integer.toString(config.get(TOPICS_SEGMENT_BYTES)), Need.ADVISED),
                // A cut removes whole segments, so an open one must not stay open for long.
                millis(SEGMENT_MS_CONFIG, config.get(TOPICS_MAX_COMPACTION_LAG), Need.ADVISED),
                maxBytes(recordBytes()));
    }

    /** Returns the settings with which Kafka Streams makes its changelogs. */
    Map<String, String> changelogSettings() {
        return changelog().stream().collect(Collectors.toMap(TopicSetting::key, TopicSetting::value));
    }

    private int recordBytes() {
        return new RecordLimits(config.get(RECORD_MAX_BYTES)).topicBytes();
    }

    /** Deletes must be erased in time, but not before all readers that copy the topic have seen them. */
    private List<TopicSetting> compacted(List<TopicSetting> time) {
        return compacted(time, config.get(TOPICS_TOMBSTONE_RETENTION));
    }

    /** @param remembered time for which a delete is remembered */
    private List<TopicSetting> compacted(List<TopicSetting> time, Duration remembered) {
        return and(
                time,
                new TopicSetting(CLEANUP_POLICY_CONFIG, CLEANUP_POLICY_COMPACT, Need.EXACTLY),
                millis(DELETE_RETENTION_MS_CONFIG, remembered, Need.AT_LEAST),
                millis(MAX_COMPACTION_LAG_MS_CONFIG, config.get(TOPICS_MAX_COMPACTION_LAG), Need.AT_MOST),
                new TopicSetting(
                        SEGMENT_BYTES_CONFIG, Integer.toString(config.get(TOPICS_SEGMENT_BYTES)), Need.ADVISED),
                maxBytes(recordBytes()));
    }

    /** Keeps the newest record of each key for a limited time, by the broker's clock like other logged records. */
    private static List<TopicSetting> compactedAndDeleted(Duration retention, Need need, int maxBytes) {
        return and(
                TIME_OF_BROKER,
                new TopicSetting(
                        CLEANUP_POLICY_CONFIG, CLEANUP_POLICY_COMPACT + "," + CLEANUP_POLICY_DELETE, Need.EXACTLY),
                millis(RETENTION_MS_CONFIG, retention, need),
                maxBytes(maxBytes));
    }

    /**
     * The removal of a policy and the release of a hold are changes that can be undone: a starting instance must find
     * their tombstones for as long as deletes that they made due go through the trash and may be reverted (T-1, T-3).
     */
    private List<TopicSetting> accepted() {
        Duration remembered = longer(config.get(TOPICS_TOMBSTONE_RETENTION), trashRetention());
        return compacted(TIME_OF_BROKER, remembered);
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) >= 0 ? one : other;
    }

    private Duration trashRetention() {
        return config.get(UNDO_MAX).plus(TRASH_MARGIN);
    }

    /** Keeps records a day longer than an undo may reach, so that an undo that began in time reads all it needs. */
    private List<TopicSetting> trash() {
        Duration retention = trashRetention();
        return and(
                compactedAndDeleted(retention, Need.PROMISED, maxRequestBytes(config)),
                millis(DELETE_RETENTION_MS_CONFIG, retention, Need.PROMISED),
                new TopicSetting(RETENTION_BYTES_CONFIG, FOR_EVER, Need.EXACTLY),
                millis(SEGMENT_MS_CONFIG, TRASH_MARGIN, Need.ADVISED),
                millis(MAX_COMPACTION_LAG_MS_CONFIG, config.get(TOPICS_MAX_COMPACTION_LAG), Need.AT_MOST));
    }

    /** Returns settings for copies of deleted events, which an erasure removes one by one (T-10). */
    private List<TopicSetting> copies(Limit retentionMs, int maxBytes) {
        String retention = retentionMs.isNone() ? FOR_EVER : Long.toString(retentionMs.value());
        return and(
                TIME_OF_BROKER,
                new TopicSetting(
                        CLEANUP_POLICY_CONFIG, CLEANUP_POLICY_COMPACT + "," + CLEANUP_POLICY_DELETE, Need.EXACTLY),
                new TopicSetting(RETENTION_MS_CONFIG, retention, Need.ADVISED),
                millis(DELETE_RETENTION_MS_CONFIG, config.get(TOPICS_TOMBSTONE_RETENTION), Need.AT_LEAST),
                millis(MAX_COMPACTION_LAG_MS_CONFIG, config.get(TOPICS_MAX_COMPACTION_LAG), Need.AT_MOST),
                maxBytes(maxBytes));
    }

    private static List<TopicSetting> deleted(Duration retention, int maxBytes) {
        return deleted(Limit.of(retention.toMillis()), maxBytes);
    }

    private static List<TopicSetting> deleted(Limit retentionMs, int maxBytes) {
        String retention = retentionMs.isNone() ? FOR_EVER : Long.toString(retentionMs.value());
        return List.of(
                new TopicSetting(CLEANUP_POLICY_CONFIG, CLEANUP_POLICY_DELETE, Need.EXACTLY),
                new TopicSetting(RETENTION_MS_CONFIG, retention, Need.ADVISED),
                maxBytes(maxBytes));
    }

    /**
     * Returns settings for records whose original time decides about them (O-21). Such a record carries its origin and
     * may be as big as a rejected one.
     */
    private List<TopicSetting> onTheWay() {
        return and(
                deleted(config.get(TOPICS_EVENTS_RETENTION), maxRequestBytes(config)),
                TIME_OF_RECORD.toArray(TopicSetting[]::new));
    }

    private static TopicSetting any(String limit) {
        return new TopicSetting(limit, Long.toString(Long.MAX_VALUE), Need.AT_LEAST);
    }

    private static List<TopicSetting> and(List<TopicSetting> some, TopicSetting... others) {
        return Stream.concat(some.stream(), Stream.of(others)).toList();
    }

    /**
     * Returns settings for records with a retention of their own; the broker's clock ages them, whatever their
     * timestamp.
     */
    private static List<TopicSetting> logged(Duration retention, int maxBytes) {
        return logged(Limit.of(retention.toMillis()), maxBytes);
    }

    private static List<TopicSetting> logged(Limit retentionMs, int maxBytes) {
        return and(TIME_OF_BROKER, deleted(retentionMs, maxBytes).toArray(TopicSetting[]::new));
    }

    /** A heartbeat is useless once it has been answered. Only a closed segment can be deleted. */
    private List<TopicSetting> heartbeats() {
        return and(
                logged(HEARTBEAT_RETENTION, recordBytes()),
                millis(SEGMENT_MS_CONFIG, HEARTBEAT_RETENTION, Need.ADVISED));
    }

    private static TopicSetting millis(String key, Duration duration, Need need) {
        return new TopicSetting(key, Long.toString(duration.toMillis()), need);
    }

    private static TopicSetting maxBytes(int bytes) {
        return new TopicSetting(MAX_MESSAGE_BYTES_CONFIG, Integer.toString(bytes), Need.AT_LEAST);
    }
}
