package dev.ebb.runtime.streams;

import dev.ebb.runtime.kafka.BoundedConsumer;
import dev.ebb.topology.wire.RecordLimits;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecords;

/**
 * The consumer of a stream thread. While the thread has something else to do, it hardly waits for records: between the
 * slices of a sweep with nothing to take in, the wait of {@code poll.ms} was a third of the time (B-3). While it has nothing
 * to do at all, it waits longer, see {@link PollWait}.
 */
public class StreamThreadConsumer extends BoundedConsumer {

    private final PollWait wait = new PollWait(System.nanoTime());

    /** @param limits limits of the size of records */
    public StreamThreadConsumer(Map<String, Object> config, RecordLimits limits) {
        super(config, limits);
    }

    @Override
    public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
        // Partitions are paused while their tasks are restored, which their thread must see to.
        Duration longest =
                paused().isEmpty() ? wait.of(timeout, System.currentTimeMillis(), System.nanoTime()) : timeout;
        ConsumerRecords<byte[], byte[]> records = super.poll(longest);
        if (!records.isEmpty()) {
            wait.worked(System.nanoTime());
        }
        return records;
    }
}
