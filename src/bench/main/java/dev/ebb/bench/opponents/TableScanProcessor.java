package dev.ebb.bench.opponents;

import dev.ebb.bench.opponents.EventRows.RowKey;
import dev.ebb.bench.stack.AlwaysCaughtUp.Taken;
import dev.ebb.domain.event.Event;
import dev.ebb.serde.records.RecordReader;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a table with the time of each key before its value, as the timestamped stores of Kafka Streams do, and looks at
 * all keys when the limit has changed: those too old get a tombstone.
 */
final class TableScanProcessor extends EventProcessor {

    static final String STORE = "table";

    private static final Duration PERIOD = Duration.ofSeconds(1);

    private final LongSupplier maxAgeMs;
    private final Runnable expired;
    private @Nullable KeyValueStore<Bytes, byte[]> table;
    private long scannedWithMs;

    /**
     * @param maxAgeMs the limit, read each second; 0 for none
     * @param expired called on stream threads for each key that expires
     */
    TableScanProcessor(RecordReader reader, EventRows rows, LongSupplier maxAgeMs, Runnable expired, Taken taken) {
        super(reader, rows, taken);
        this.maxAgeMs = maxAgeMs;
        this.expired = expired;
    }

    @Override
    public void init(ProcessorContext<RowKey, byte[]> newContext) {
        super.init(newContext);
        table = newContext.getStateStore(STORE);
        newContext.schedule(PERIOD, PunctuationType.WALL_CLOCK_TIME, this::tick);
    }

    @Override
    long put(Event event, Record<byte[], byte[]> record, long nowMs) {
        Long occurredAt = event.occurredAt();
        byte[] row = ByteBuffer.allocate(Long.BYTES + record.value().length)
                .putLong(occurredAt == null ? (Long) record.timestamp() : occurredAt)
                .put(record.value())
                .array();
        Objects.requireNonNull(table).put(EventRows.keyOf(event), row);
        return nowMs;
    }

    /** Returns the original record of a row. */
    static byte[] value(byte[] row) {
        return Arrays.copyOfRange(row, Long.BYTES, row.length);
    }

    private void tick(long nowMs) {
        long limitMs = maxAgeMs.getAsLong();
        if (limitMs != scannedWithMs) {
            scan(nowMs, nowMs - limitMs);
            scannedWithMs = limitMs;
        }
    }

    private void scan(long nowMs, long oldestMs) {
        KeyValueStore<Bytes, byte[]> store = Objects.requireNonNull(table);
        try (KeyValueIterator<Bytes, byte[]> all = store.all()) {
            while (all.hasNext()) {
                KeyValue<Bytes, byte[]> next = all.next();
                if (ByteBuffer.wrap(next.value).getLong() < oldestMs) {
                    int partition = context().taskId().partition();
                    context().forward(rows().tombstone(next.key, nowMs, nowMs, partition));
                    store.delete(next.key);
                    expired.run();
                }
            }
        }
    }
}
