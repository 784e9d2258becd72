package dev.ebb.runtime.streams;

import dev.ebb.runtime.kafka.KafkaClients;
import dev.ebb.topology.wire.RecordLimits;
import java.time.Duration;
import java.util.Map;

/**
 * The consumer of the policies in force. Its thread only takes records, for which it wakes at once, so it waits as long
 * as the broker does.
 */
final class GlobalConsumer extends PatientConsumer {

    GlobalConsumer(Map<String, Object> config, RecordLimits limits) {
        super(config, limits);
    }

    @Override
    Duration waitFor(Duration asked) {
        return asked.compareTo(KafkaClients.FOLLOWING) < 0 ? KafkaClients.FOLLOWING : asked;
    }

    @Override
    public void close() {
        close(KafkaClients.AT_ONCE);
    }
}
