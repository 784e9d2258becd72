package dev.ebb.runtime;

import static org.apache.kafka.common.config.TopicConfig.CLEANUP_POLICY_COMPACT;
import static org.apache.kafka.common.config.TopicConfig.CLEANUP_POLICY_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.CLEANUP_POLICY_DELETE;
import static org.apache.kafka.common.config.TopicConfig.DELETE_RETENTION_MS_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.MAX_COMPACTION_LAG_MS_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.MAX_MESSAGE_BYTES_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.RETENTION_MS_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.SEGMENT_BYTES_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.SEGMENT_MS_CONFIG;

import dev.ebb.config.EbbConfig;
import dev.ebb.domain.policy.Limit;
import dev.ebb.runtime.TopicSetting.Need;
import dev.ebb.topology.Topics;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What every topic should be: the table of the architecture, in figures. Immutable. */
final class TopicPlan {

    /** Room for the key, the headers and the frame of a batch around a record of the largest size. */
    private static final int FRAME_BYTES = 65_536;

    /** Pending work and results are remembered by the tasks for at least as long (O-11). */
    private static final Duration COMMANDS_RETENTION = Duration.ofDays(7);

    private static final Duration HEARTBEAT_RETENTION = Duration.ofHours(1);
    private static final String FOR_EVER = "-1";

    private final EbbConfig config;
    private final Topics topics;

    TopicPlan(EbbConfig config) {
        this.config = config;
        this.topics = topics(config);
    }

    static Topics topics(EbbConfig config) {
        return new Topics(config.topicsPrefix(), config.topicsPartitions());
    }

    /** The largest request that a producer of ours may have to send. */
    static int maxRequestBytes(EbbConfig config) {
        return 2 * config.recordMaxBytes() + FRAME_BYTES;
    }

    /** All topics that are made by us; Kafka Streams makes its changelogs. */
    List<TopicSpec> topics() {
        int partitions = topics.partitions();
        return List.of(
                new TopicSpec(topics.events(), partitions, deleted(config.eventsRetention(), recordBytes())),
                // A record on its way to its partition carries where it came from and may be as big as a rejected one.
                new TopicSpec(topics.rekey(), partitions, deleted(config.eventsRetention(), maxRequestBytes(config))),
                new TopicSpec(topics.policies(), 1, compacted(config.maxCompactionLag())),
                new TopicSpec(topics.policiesAccepted(), 1, compacted(config.maxCompactionLag())),
                new TopicSpec(topics.mirrorEvents(), partitions, compacted(config.maxCompactionLag())),
                new TopicSpec(topics.mirrorExecutions(), partitions, compacted(config.maxCompactionLag())),
                new TopicSpec(topics.mirrorPolicies(), 1, compacted(config.maxCompactionLag())),
                new TopicSpec(topics.mirrorAudit(), partitions, logged(config.auditRetention(), recordBytes())),
                new TopicSpec(topics.audit(), partitions, logged(config.auditRetention(), recordBytes())),
                new TopicSpec(topics.reports(), partitions, logged(config.reportsRetention(), recordBytes())),
                new TopicSpec(topics.commands(), partitions, logged(COMMANDS_RETENTION, recordBytes())),
                new TopicSpec(topics.assessments(), 1, logged(COMMANDS_RETENTION, recordBytes())),
                new TopicSpec(topics.results(), partitions, compactedAndDeleted(COMMANDS_RETENTION)),
                new TopicSpec(topics.archive(), partitions, logged(config.archiveRetention(), maxRequestBytes(config))),
                new TopicSpec(topics.clock(), 1, heartbeats()),
                new TopicSpec(
                        topics.rejected(), partitions, logged(config.rejectedRetention(), maxRequestBytes(config))));
    }

    /** The settings with which Kafka Streams makes its changelogs. */
    Map<String, String> changelogSettings() {
        return compacted(config.maxCompactionLag()).stream()
                .collect(Collectors.toUnmodifiableMap(TopicSetting::key, TopicSetting::value));
    }

    private int recordBytes() {
        return config.recordMaxBytes() + FRAME_BYTES;
    }

    /** Deletes must be erased in time, but not before everybody who copies the topic has seen them. */
    private List<TopicSetting> compacted(Duration maxLag) {
        return List.of(
                new TopicSetting(CLEANUP_POLICY_CONFIG, CLEANUP_POLICY_COMPACT, Need.EXACTLY),
                millis(DELETE_RETENTION_MS_CONFIG, config.tombstoneRetention(), Need.AT_LEAST),
                millis(MAX_COMPACTION_LAG_MS_CONFIG, maxLag, Need.AT_MOST),
                new TopicSetting(SEGMENT_BYTES_CONFIG, Integer.toString(config.topicsSegmentBytes()), Need.ADVISED),
                maxBytes(recordBytes()));
    }

    /** The newest record of each key, and that not for ever; aged by the broker's clock like what is logged. */
    private List<TopicSetting> compactedAndDeleted(Duration retention) {
        return List.of(
                new TopicSetting(
                        CLEANUP_POLICY_CONFIG, CLEANUP_POLICY_COMPACT + "," + CLEANUP_POLICY_DELETE, Need.EXACTLY),
                millis(RETENTION_MS_CONFIG, retention, Need.AT_LEAST),
                new TopicSetting(MESSAGE_TIMESTAMP_TYPE_CONFIG, "LogAppendTime", Need.EXACTLY),
                maxBytes(recordBytes()));
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

    /** What is kept for its own retention is aged by the broker's clock, whatever timestamp the record had. */
    private static List<TopicSetting> logged(Duration retention, int maxBytes) {
        return logged(Limit.of(retention.toMillis()), maxBytes);
    }

    private static List<TopicSetting> logged(Limit retentionMs, int maxBytes) {
        return Stream.concat(
                        deleted(retentionMs, maxBytes).stream(),
                        Stream.of(new TopicSetting(MESSAGE_TIMESTAMP_TYPE_CONFIG, "LogAppendTime", Need.EXACTLY)))
                .toList();
    }

    /** A heartbeat has done its work when it was answered. Only a segment that is closed can be deleted. */
    private List<TopicSetting> heartbeats() {
        return Stream.concat(
                        logged(HEARTBEAT_RETENTION, recordBytes()).stream(),
                        Stream.of(millis(SEGMENT_MS_CONFIG, HEARTBEAT_RETENTION, Need.ADVISED)))
                .toList();
    }

    private static TopicSetting millis(String key, Duration duration, Need need) {
        return new TopicSetting(key, Long.toString(duration.toMillis()), need);
    }

    private static TopicSetting maxBytes(int bytes) {
        return new TopicSetting(MAX_MESSAGE_BYTES_CONFIG, Integer.toString(bytes), Need.AT_LEAST);
    }
}
