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
import dev.ebb.store.gather.ChangeLog;
import dev.ebb.store.layout.RunWriter;
import dev.ebb.store.layout.StoredEventCodec;
import dev.ebb.topology.wire.StreamPartition;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Bytes;

/**
 * The sinks of Ebb. All rows are on the topic, in one transaction, before any of them can be read: the clock starts
 * when the transaction is committed, and stops when the table holds the expected rows.
 */
final class ConnectTrial implements Trial<Rate> {

    private static final Duration LIMIT = Duration.ofMinutes(20);
    private static final int TRANSACTION_TIMEOUT_MS = 600_000;

    private static final int MOST_REMOVALS = 1000;

    /** The key in a store, of which the sink takes no notice. */
    private static final Bytes ANY_KEY = Bytes.wrap(new byte[] {'O', 0, 0, 0, 1, 0});

    private final Lane lane;
    private final SqlMirrorSetup mirror;
    private final MirrorChanges changes;

    ConnectTrial(Lane lane, SqlMirrorSetup mirror, MirrorChanges changes) {
        this.lane = lane;
        this.mirror = mirror;
        this.changes = changes;
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

    /** Sends a record for each event and runs of removals, as a task does. */
    private int send(Producer<byte[], byte[]> producer) {
        RunWriter[] runs = new RunWriter[lane.partitions()];
        Arrays.setAll(runs, partition -> new RunWriter());
        int sent = 0;
        for (Change change : changes.all()) {
            Event event = change.event().event();
            int partition = StreamPartition.of(event.stream(), lane.partitions());
            RunWriter run = runs[partition];
            if (change.isDelete()) {
                run.add(
                        event.stream(),
                        ANY_KEY,
                        change.event().storedAt(),
                        event.id().value());
            }
            if (!change.isDelete() || run.size() == MOST_REMOVALS) {
                flush(producer, partition, run);
            }
            if (!change.isDelete()) {
                byte[] value =
                        StoredEventCodec.encode(change.event(), change.event().sizeBytes());
                byte[] stream = event.stream().value().getBytes(StandardCharsets.UTF_8);
                Headers headers = new RecordHeaders().add(ChangeLog.STREAM, stream);
                send(producer, new ProducerRecord<>(log(), partition, null, ANY_KEY.get(), value, headers));
            }
            sent++;
        }
        for (int partition = 0; partition < runs.length; partition++) {
            flush(producer, partition, runs[partition]);
        }
        return sent;
    }

    private void flush(Producer<byte[], byte[]> producer, int partition, RunWriter run) {
        if (run.size() > 0) {
            byte[] key = run.key();
            send(producer, new ProducerRecord<>(log(), partition, key, run.take()));
        }
    }

    private static void send(Producer<byte[], byte[]> producer, ProducerRecord<byte[], byte[]> record) {
        var unused = producer.send(record);
    }

    private String log() {
        return lane.mirroredLog();
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
