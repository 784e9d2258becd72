package dev.ebb.receipt;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.receipt.Checkpoint;
import dev.ebb.domain.receipt.Hash;
import dev.ebb.domain.receipt.LeafMark;
import dev.ebb.domain.receipt.NoteSigner;
import dev.ebb.domain.receipt.RightEdge;
import dev.ebb.domain.receipt.TreeName;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.domain.retention.Origin;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.runtime.MemoryLog;
import dev.ebb.runtime.history.TopicReader;
import dev.ebb.serde.InMemorySchemaRegistry;
import dev.ebb.serde.records.AvroRecords;
import dev.ebb.topology.wire.EbbHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;

/** The topics of the audit and of its checkpoints, as the task of partition 0 writes them. */
final class WrittenAudit {

    static final long T0 = 1_795_255_200_000L;
    private static final TreeName TREE = TreeName.of(0);

    AvroRecords records = InMemorySchemaRegistry.preparedRecords();
    final MemoryLog audit = new MemoryLog();
    final MemoryLog checkpoints = new MemoryLog();
    NoteSigner signer = NoteSigner.NONE;
    long nowMs = T0;

    /** As long as the topic keeps records; 0: not known. */
    long keptMs;

    /** Records that the state knows to have a checkpoint. */
    long knownRecords;

    private RightEdge edge = RightEdge.EMPTY;
    private RightEdge closed = RightEdge.EMPTY;

    KafkaReceipts receipts() {
        Duration patience = Duration.ofSeconds(30);
        return new KafkaReceipts(
                new TopicReader(() -> audit, patience),
                new TopicReader(() -> checkpoints, patience),
                records,
                new KafkaReceipts.Trees(
                        "ebb",
                        1,
                        Clock.fixed(Instant.ofEpochMilli(nowMs), ZoneOffset.UTC),
                        () -> keptMs,
                        partition -> knownRecords));
    }

    /** Deletes of one event each, and the checkpoint behind them. */
    WrittenAudit second(int deletes) {
        for (int i = 0; i < deletes; i++) {
            delete();
        }
        return close();
    }

    void delete() {
        long index = edge.size();
        add(new AuditRecord(
                "sweep-0-" + index,
                new Origin(index % 2 == 0 ? "even" : "odd", "", "", "", ""),
                new StreamName("orders/" + index),
                RemovalCause.MAX_AGE,
                "*",
                7,
                List.of("e-" + index),
                100,
                T0,
                T0,
                T0 + index));
    }

    /** Appends that record with its leaf. */
    WrittenAudit add(AuditRecord record) {
        byte[] value = records.audit(record);
        Hash leaf = Hash.ofLeaf(value);
        var headers = new RecordHeaders();
        EbbHeaders.set(headers, EbbHeaders.LEAF, new LeafMark(TREE.value(), edge.size(), leaf).toString());
        add(audit, new byte[0], value, headers);
        edge = edge.with(leaf);
        return this;
    }

    WrittenAudit close() {
        var headers = new RecordHeaders();
        EbbHeaders.set(headers, EbbHeaders.LEFT_EDGE, closed.toString());
        add(
                checkpoints,
                TREE.value().getBytes(StandardCharsets.UTF_8),
                note().getBytes(StandardCharsets.UTF_8),
                headers);
        closed = edge;
        return this;
    }

    /** Note of the checkpoint at the present size. */
    String note() {
        return signer.sign(new Checkpoint(TREE.origin("ebb"), edge.size(), edge.root()).text())
                .toString();
    }

    List<ConsumerRecord<byte[], byte[]>> audited() {
        return audit.partitions.get(0);
    }

    /** Retention takes the first records of a topic. */
    static void takeHead(MemoryLog topic, int count) {
        List<ConsumerRecord<byte[], byte[]>> log = topic.partitions.get(0);
        log.subList(0, count).clear();
        topic.begins.put(0, log.get(0).offset());
    }

    /** Appends a record that another hand wrote; returns its offset. */
    long forge(@Nullable LeafMark mark, String value) {
        var headers = new RecordHeaders();
        if (mark != null) {
            EbbHeaders.set(headers, EbbHeaders.LEAF, mark.toString());
        }
        add(audit, new byte[0], value.getBytes(StandardCharsets.UTF_8), headers);
        return audited().get(audited().size() - 1).offset();
    }

    /** Appends a record that another hand wrote at that offset. */
    void appendAt(long offset, @Nullable LeafMark mark, String value) {
        var headers = new RecordHeaders();
        if (mark != null) {
            EbbHeaders.set(headers, EbbHeaders.LEAF, mark.toString());
        }
        audited().add(of(offset, new byte[0], value.getBytes(StandardCharsets.UTF_8), headers));
    }

    /** The mark that the next leaf would have with that value. */
    LeafMark nextMark(String value) {
        return new LeafMark(TREE.value(), edge.size(), Hash.ofLeaf(value.getBytes(StandardCharsets.UTF_8)));
    }

    /** Appends a checkpoint that another hand wrote. */
    void forgeCheckpoint(String key, String note) {
        var headers = new RecordHeaders();
        EbbHeaders.set(headers, EbbHeaders.LEFT_EDGE, closed.toString());
        add(checkpoints, key.getBytes(StandardCharsets.UTF_8), note.getBytes(StandardCharsets.UTF_8), headers);
    }

    /** Offsets have gaps, as markers of transactions leave them. */
    private static void add(MemoryLog topic, byte[] key, byte[] value, RecordHeaders headers) {
        List<ConsumerRecord<byte[], byte[]>> log = topic.partitions.computeIfAbsent(0, partition -> new ArrayList<>());
        log.add(of(2L * log.size(), key, value, headers));
    }

    static ConsumerRecord<byte[], byte[]> of(long offset, byte[] key, byte[] value, RecordHeaders headers) {
        return new ConsumerRecord<>(
                "topic",
                0,
                offset,
                T0 + offset,
                TimestampType.LOG_APPEND_TIME,
                0,
                0,
                key,
                value,
                headers,
                Optional.empty());
    }
}
