package dev.ebb.runtime.streams;

import dev.ebb.runtime.kafka.BoundedConsumer;
import dev.ebb.topology.wire.RecordLimits;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecords;

/**
 * The consumer of the policies in force. Its thread has nothing to do but take records, for which it wakes at once, so it
 * waits for them as long as an idle stream thread does.
 */
final class GlobalConsumer extends BoundedConsumer {

    GlobalConsumer(Map<String, Object> config, RecordLimits limits) {
        super(config, limits);
    }

    @Override
    public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
        return super.poll(timeout.compareTo(PollWait.IDLE) < 0 ? PollWait.IDLE : timeout);
    }
}
