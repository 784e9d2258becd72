package dev.ebb.runtime.streams;

import dev.ebb.runtime.kafka.BoundedConsumer;
import dev.ebb.topology.BusyThread;
import dev.ebb.topology.wire.RecordLimits;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecords;

/**
 * The consumer of a stream thread. While the thread has something else to do, it hardly waits for records: between the
 * slices of a sweep with nothing to take in, the wait of {@code poll.ms} was a third of the time (B-3).
 */
public class StreamThreadConsumer extends BoundedConsumer {

    /**
     * Shortest wait above zero: without any, a task that waits for something itself would have its thread turn without
     * end.
     */
    private static final Duration BUSY_WAIT = Duration.ofMillis(1);

    /** @param limits limits of the size of records */
    public StreamThreadConsumer(Map<String, Object> config, RecordLimits limits) {
        super(config, limits);
    }

    @Override
    public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
        return super.poll(waitFor(timeout));
    }

    /** Time to wait on the current thread instead of the requested time. */
    static Duration waitFor(Duration asked) {
        return BusyThread.isCurrent() && asked.compareTo(BUSY_WAIT) > 0 ? BUSY_WAIT : asked;
    }
}
