package dev.ebb.bench.runs.reads;

import dev.ebb.bench.harness.VoidRunException;
import dev.ebb.bench.stack.Lane;
import dev.ebb.domain.event.RejectReason;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.domain.retention.Origin;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.retention.SweepReport;
import dev.ebb.topology.wire.EbbHeaders;
import dev.ebb.topology.wire.StreamPartition;
import dev.ebb.topology.wire.Topics;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/** Fills the topics of the audit, of reports and of rejected records, as if an application had run for a day. */
final class HistoryFiller {

    /** A stream with some of the deletes. */
    static final String STREAM = "history-7";

    /** A person who deleted from one stream, long ago. */
    static final String ACTOR = "anna";

    /** Time span of the audit records, up to now. */
    static final Duration SPAN = Duration.ofDays(1);

    private static final int STREAMS = 1000;
    private static final int SEVERAL = 8;
    private static final int CAPPED = 50;
    private static final long VERSION = 1;

    private final Lane lane;

    HistoryFiller(Lane lane) {
        this.lane = lane;
    }

    /** Writes this number of records to each topic, spread evenly over the partitions. */
    void fill(int records) throws InterruptedException {
        Topics topics = lane.topics();
        long nowMs = System.currentTimeMillis();
        keepTimes(topics.audit());
        try (Producer<byte[], byte[]> producer = lane.clients().producer()) {
            for (int i = 0; i < records; i++) {
                int partition = i % lane.partitions();
                long atMs = nowMs - SPAN.toMillis() * (records - i) / records;
                int ofStream = StreamPartition.of(streamOf(i), lane.partitions());
                byte[] audit = lane.records().audit(audit(i, atMs));
                byte[] report = lane.records().report(report(i, nowMs));
                send(producer, topics.audit(), ofStream, atMs, audit, new RecordHeaders());
                send(producer, topics.reports(), partition, null, report, new RecordHeaders());
                send(producer, topics.rejected(), partition, null, new byte[] {1, 2, 3}, reason());
            }
            producer.flush();
        }
    }

    /** Lets the topic keep the times of its records; the broker would otherwise set the time of arrival. */
    private void keepTimes(String topic) throws InterruptedException {
        try (Admin admin = lane.clients().admin()) {
            ConfigEntry times = new ConfigEntry(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, "CreateTime");
            admin.incrementalAlterConfigs(Map.of(
                            new ConfigResource(ConfigResource.Type.TOPIC, topic),
                            List.of(new AlterConfigOp(times, AlterConfigOp.OpType.SET))))
                    .all()
                    .get();
        } catch (ExecutionException e) {
            throw new VoidRunException("the broker does not take the settings of " + topic, e);
        }
    }

    private static AuditRecord audit(int number, long atMs) {
        boolean isOfPerson = number < SEVERAL;
        RemovalCause cause = number % CAPPED == 0 ? RemovalCause.MAX_COUNT : RemovalCause.MAX_AGE;
        return new AuditRecord(
                "sweep-0-" + number,
                isOfPerson
                        ? new Origin("", "command-1", ACTOR, "asked for", "0/1")
                        : Origin.ofSweep("sweep-" + number / STREAMS),
                streamOf(number),
                isOfPerson ? RemovalCause.DELETE : cause,
                "*",
                VERSION,
                List.of("e-" + number, "f-" + number, "g-" + number),
                1000,
                atMs,
                atMs,
                atMs);
    }

    private static StreamName streamOf(int number) {
        return new StreamName("history-" + number % STREAMS);
    }

    private SweepReport report(int number, long nowMs) {
        return new SweepReport(
                "sweep-" + number,
                null,
                number % lane.partitions(),
                SweepReport.Trigger.SCHEDULE.name(),
                nowMs,
                VERSION,
                nowMs,
                nowMs,
                1,
                Map.of(RemovalCause.MAX_AGE.name(), new SweepReport.Tally(3, 1000)),
                Map.of(),
                0,
                0,
                "enforce",
                false);
    }

    private static RecordHeaders reason() {
        RecordHeaders headers = new RecordHeaders();
        EbbHeaders.set(headers, EbbHeaders.REJECTED_REASON, RejectReason.values()[0].name());
        return headers;
    }

    private static void send(
            Producer<byte[], byte[]> producer,
            String topic,
            int partition,
            @Nullable Long timeMs,
            byte[] value,
            RecordHeaders headers) {
        byte[] key = "key".getBytes(StandardCharsets.UTF_8);
        var unused = producer.send(new ProducerRecord<>(topic, partition, timeMs, key, value, headers));
    }
}
