package dev.ebb.runtime.streams;

import dev.ebb.runtime.kafka.ShortPoll;
import dev.ebb.topology.BusyThread;
import dev.ebb.topology.wire.RecordLimits;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecords;

/**
 * The consumer of a stream thread. While the thread has other work, the consumer hardly waits for records: between the
 * slices of a sweep with nothing to take in, the wait of {@code poll.ms} was a third of the time (B-3). While the
 * thread has no work at all, the consumer waits longer; see {@link PollWait}. It signals to the tasks that no records
 * wait, so that a sweep need not stand back.
 */
public class StreamThreadConsumer extends PatientConsumer {

    private final PollWait wait = new PollWait(System.nanoTime());
    private final ShortPoll shortPoll;

    /** @param limits limits of the size of records */
    public StreamThreadConsumer(Map<String, Object> config, RecordLimits limits) {
        super(config, limits);
        shortPoll = new ShortPoll(config);
    }

    @Override
    public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
        ConsumerRecords<byte[], byte[]> records = super.poll(timeout);
        if (!records.isEmpty()) {
            wait.worked(System.nanoTime());
        }
        if (shortPoll.leavesNone(records)) {
            BusyThread.caughtUp();
        }
        return records;
    }

    /** Partitions are paused while their tasks are restored, and then their thread must not wait. */
    @Override
    Duration waitFor(Duration asked) {
        return paused().isEmpty() ? wait.of(asked, System.currentTimeMillis(), System.nanoTime()) : asked;
    }
}
