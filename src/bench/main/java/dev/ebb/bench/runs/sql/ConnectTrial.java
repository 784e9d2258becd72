package dev.ebb.bench.runs.sql;

import dev.ebb.bench.harness.Awaiting;
import dev.ebb.bench.harness.CpuMeter;
import dev.ebb.bench.harness.Rate;
import dev.ebb.bench.harness.Trial;
import dev.ebb.bench.harness.VoidRunException;
import dev.ebb.bench.stack.Lane;
import dev.ebb.bench.stack.sql.MirrorChanges;
import dev.ebb.bench.stack.sql.MirrorChanges.Change;
import dev.ebb.bench.stack.sql.MirrorRowsLeft;
import dev.ebb.bench.stack.sql.SqlMirrorSetup;
import dev.ebb.domain.event.Event;
import dev.ebb.serde.mirror.MirrorRows;
import dev.ebb.topology.removal.RowSender;
import dev.ebb.topology.wire.StreamPartition;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * The sinks of Ebb. All rows are on the topic, in one transaction, before any of them can be read: the clock starts
 * when the transaction is committed, and stops when the table holds the expected rows.
 */
final class ConnectTrial implements Trial<Rate> {

    private static final Duration LIMIT = Duration.ofMinutes(20);
    private static final int TRANSACTION_TIMEOUT_MS = 600_000;

    private static final Headers NO_REASON = new RecordHeaders();

    private final Lane lane;
    private final SqlMirrorSetup mirror;
    private final MirrorChanges changes;
    private final MirrorRows rows;

    ConnectTrial(Lane lane, SqlMirrorSetup mirror, MirrorChanges changes) {
        this.lane = lane;
        this.mirror = mirror;
        this.changes = changes;
        this.rows = lane.mirrorRows();
    }

    @Override
    public String name() {
        return "connect";
    }

    @Override
    public Rate run() throws InterruptedException {
        CpuMeter cpu = lane.stack().cpu();
        MirrorChanges.Left left = changes.left();
        try (Connection connection = mirror.connect();
                Producer<byte[], byte[]> producer = producer()) {
            MirrorRowsLeft.empty(connection);
            producer.initTransactions();
            producer.beginTransaction();
            int sent = send(producer);
            producer.flush();
            Duration cpuBefore = cpu.used();
            long begin = System.nanoTime();
            producer.commitTransaction();
            awaitOnly(connection, left);
            Rate rate = new Rate(
                    sent,
                    Duration.ofNanos(System.nanoTime() - begin),
                    cpu.used().minus(cpuBefore));
            VoidRunException.requireSame(name(), MirrorRowsLeft.contents(connection), left.contents());
            return rate;
        } catch (SQLException e) {
            throw new VoidRunException("the mirror cannot be read: " + e.getMessage(), e);
        }
    }

    /** Sends a record for each change, or blocks of changes as large as those of a task. */
    private int send(Producer<byte[], byte[]> producer) {
        RowSender[] senders = new RowSender[lane.partitions()];
        Arrays.setAll(senders, partition -> sender(producer, partition));
        int sent = 0;
        for (Change change : changes.all()) {
            Event event = change.event().event();
            byte[] key = rows.eventKey(
                    change.event().storedAt(),
                    event.stream().value(),
                    event.id().value());
            byte[] row = change.isDelete() ? null : rows.eventRow(change.event());
            int partition = StreamPartition.of(event.stream(), lane.partitions());
            senders[partition].send(key, row, change.event().storedAt(), NO_REASON);
            sent++;
        }
        Stream.of(senders).forEach(RowSender::flush);
        return sent;
    }

    private RowSender sender(Producer<byte[], byte[]> producer, int partition) {
        RowSender.Target target = (key, value, timestampMs, headers) -> {
            var unused = producer.send(new ProducerRecord<>(lane.topics().mirrorEvents(), partition, key, value));
        };
        return new RowSender(rows.areInBlocks(), target, () -> {});
    }

    /**
     * Waits until only the newest rows exist. All older rows have come and gone by then, since each partition is
     * written in order.
     */
    private static void awaitOnly(Connection connection, MirrorChanges.Left left)
            throws InterruptedException, SQLException {
        String newer = "SELECT count(*) FROM event WHERE stored_at >= to_timestamp(" + left.sinceMs() + " / 1000.0)";
        long expected = left.contents().events();
        Awaiting.until(
                () -> SqlMirrorSetup.count(connection, newer) == expected
                        && SqlMirrorSetup.count(connection, "SELECT count(*) FROM event") == expected,
                LIMIT,
                "the rows were not written");
    }

    private Producer<byte[], byte[]> producer() {
        Map<String, Object> settings = new HashMap<>(lane.clients().properties());
        settings.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, "bench-" + UUID.randomUUID());
        settings.put(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, TRANSACTION_TIMEOUT_MS);
        return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
    }
}
