package dev.ebb.bench.opponents;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Remembers the last update of each key, and expires keys by scanning all of them, by wall-clock time: by stream time,
 * with which the tutorial begins, nothing would expire without new input.
 */
final class TutorialExpiry implements Processor<byte[], byte[], byte[], byte[]> {

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final LongSupplier maxAgeMs;
    private final Duration scanEvery;
    private final TutorialTopology.Scans scans;
    private @Nullable ProcessorContext<byte[], byte[]> context;
    private @Nullable KeyValueStore<byte[], Long> lastUpdates;

    TutorialExpiry(LongSupplier maxAgeMs, Duration scanEvery, TutorialTopology.Scans scans) {
        this.maxAgeMs = maxAgeMs;
        this.scanEvery = scanEvery;
        this.scans = scans;
    }

    @Override
    public void init(ProcessorContext<byte[], byte[]> newContext) {
        context = newContext;
        lastUpdates = newContext.getStateStore(TutorialTopology.LAST_UPDATES);
        newContext.schedule(scanEvery, PunctuationType.WALL_CLOCK_TIME, this::scan);
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        KeyValueStore<byte[], Long> store = Objects.requireNonNull(lastUpdates);
        if (record.value() == null) {
            store.delete(record.key());
        } else {
            store.put(record.key(), record.timestamp());
        }
    }

    private void scan(long nowMs) {
        ProcessorContext<byte[], byte[]> current = Objects.requireNonNull(context);
        long cpuBefore = THREADS.getCurrentThreadCpuTime();
        long limitMs = nowMs - maxAgeMs.getAsLong();
        try (KeyValueIterator<byte[], Long> all =
                Objects.requireNonNull(lastUpdates).all()) {
            while (all.hasNext()) {
                KeyValue<byte[], Long> entry = all.next();
                if (entry.value != null && entry.value < limitMs) {
                    current.forward(new Record<>(entry.key, null, nowMs));
                }
            }
        }
        scans.scanned(current.taskId().partition(), THREADS.getCurrentThreadCpuTime() - cpuBefore);
    }
}
