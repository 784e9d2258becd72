package dev.ebb.runtime.streams;

import dev.ebb.runtime.kafka.ShortPoll;
import dev.ebb.topology.BusyThread;
import dev.ebb.topology.wire.RecordLimits;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;

/**
 * The consumer of a stream thread. While the thread has other work, the consumer hardly waits for records: between the
 * slices of a sweep with nothing to take in, the wait of {@code poll.ms} was a third of the time (B-3). While the
 * thread has no work at all, the consumer waits longer, and it takes a few events a second several at a time; see
 * {@link PollWait}. It signals to the tasks that no records wait, so that a sweep need not stand back.
 */
public class StreamThreadConsumer extends PatientConsumer {

    private final PollWait wait = new PollWait(System.nanoTime());
    private final ShortPoll shortPoll;
    private final Set<String> eventTopics;

    /**
     * @param limits limits of the size of records
     * @param eventTopics topics whose records may wait for a moment until there are more of them
     */
    public StreamThreadConsumer(Map<String, Object> config, RecordLimits limits, Set<String> eventTopics) {
        super(config, limits);
        shortPoll = new ShortPoll(config);
        this.eventTopics = eventTopics;
    }

    @Override
    public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
        rest(wait.gathering(timeout, System.currentTimeMillis(), System.nanoTime()));
        ConsumerRecords<byte[], byte[]> records = super.poll(timeout);
        int events = events(records);
        wait.polled(events, records.count() - events, System.nanoTime());
        if (shortPoll.leavesNone(records)) {
            BusyThread.caughtUp();
        }
        return records;
    }

    private int events(ConsumerRecords<byte[], byte[]> records) {
        int events = 0;
        for (TopicPartition partition : records.partitions()) {
            if (eventTopics.contains(partition.topic())) {
                events += records.records(partition).size();
            }
        }
        return events;
    }

    /** Partitions are paused while their tasks are restored, and then their thread must not wait. */
    @Override
    Duration waitFor(Duration asked) {
        return paused().isEmpty() ? wait.of(asked, System.currentTimeMillis(), System.nanoTime()) : asked;
    }
}
