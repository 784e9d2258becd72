package dev.ebb.runtime.kafka;

import dev.ebb.runtime.unpacking.Unpacking;
import dev.ebb.topology.wire.RecordLimits;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;

/**
 * A consumer that unpacks no record and returns no poll too big for a small heap, however well it is compressed; see
 * {@link Unpacking} and {@link PollBound}.
 */
public class BoundedConsumer extends KafkaConsumer<byte[], byte[]> {

    private final PollBound bound;

    /** @param limits limits of the size of records */
    public BoundedConsumer(Map<String, Object> config, RecordLimits limits) {
        this(config, new PollBound(limits.wideTopicBytes()));
        Unpacking.bound(this, limits.wideTopicBytes());
    }

    private BoundedConsumer(Map<String, Object> config, PollBound bound) {
        super(config, bound.keys(), bound.values());
        this.bound = bound;
    }

    @Override
    public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
        bound.beginPoll();
        return super.poll(timeout);
    }
}
