package dev.ebb.bench.runs.reads;

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
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;

/** Fills the topics of the audit, of reports and of rejected records, as if an application had run for long. */
final class HistoryFiller {

    private static final int STREAMS = 1000;
    private static final long VERSION = 1;

    private final Lane lane;

    HistoryFiller(Lane lane) {
        this.lane = lane;
    }

    /** Writes this number of records to each topic, spread evenly over the partitions. */
    void fill(int records) {
        Topics topics = lane.topics();
        long nowMs = System.currentTimeMillis();
        try (Producer<byte[], byte[]> producer = lane.clients().producer()) {
            for (int i = 0; i < records; i++) {
                int partition = i % lane.partitions();
                int ofStream = StreamPartition.of(streamOf(i), lane.partitions());
                byte[] audit = lane.records().audit(audit(i, nowMs));
                byte[] report = lane.records().report(report(i, nowMs));
                send(producer, topics.audit(), ofStream, audit, new RecordHeaders());
                send(producer, topics.reports(), partition, report, new RecordHeaders());
                send(producer, topics.rejected(), partition, new byte[] {1, 2, 3}, reason());
            }
            producer.flush();
        }
    }

    private static AuditRecord audit(int number, long atMs) {
        return new AuditRecord(
                "sweep-0-" + number,
                Origin.ofSweep("sweep-" + number / STREAMS),
                streamOf(number),
                RemovalCause.MAX_AGE,
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
            Producer<byte[], byte[]> producer, String topic, int partition, byte[] value, RecordHeaders headers) {
        byte[] key = "key".getBytes(StandardCharsets.UTF_8);
        var unused = producer.send(new ProducerRecord<>(topic, partition, null, key, value, headers));
    }
}
