package dev.ebb.topology.gate;

import dev.ebb.store.layout.InputRecord;
import dev.ebb.topology.fault.FailedRecords;
import dev.ebb.topology.fault.FailedWork;
import dev.ebb.topology.parts.TopologyParts;
import dev.ebb.topology.parts.TopologySettings;
import dev.ebb.topology.wire.Addressed;
import dev.ebb.topology.wire.Topics;
import java.time.Duration;
import java.util.Objects;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/**
 * Processor that lets only meaningful records through to the topic of accepted policies, so that a bad record on the
 * compacted topic of policies never replaces the last good one, on any instance (M-11). The policies of one file pass
 * together or not at all. A record whose schema is not known yet holds up the later ones of its scope or case and its
 * file, see {@link UnreadPolicies}, and every sweep, until it can be read or is dropped.
 */
public final class PolicyGateProcessor extends ContextualProcessor<byte[], byte[], Addressed, byte[]> {

    private static final Duration PERIOD = Duration.ofSeconds(1);

    private final Topics topics;
    private final TopologySettings settings;
    private final TopologyParts parts;
    private final FailedRecords failed;
    private @Nullable PolicyGate gate;

    public PolicyGateProcessor(Topics topics, TopologySettings settings, TopologyParts parts, FailedRecords failed) {
        this.topics = topics;
        this.settings = settings;
        this.parts = parts;
        this.failed = failed;
    }

    @Override
    public void init(ProcessorContext<Addressed, byte[]> newContext) {
        super.init(newContext);
        PolicyGate newGate = new PolicyGate(topics, settings, parts, failed, newContext);
        gate = newGate;
        parts.sources().starts().begin(topics.partitions());
        newContext.schedule(PERIOD, PunctuationType.WALL_CLOCK_TIME, clockMs -> newGate.tick());
    }

    @Override
    public void close() {
        parts.sources().starts().end();
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        InputRecord input = InputRecord.of(record, context().recordMetadata().orElseThrow());
        try {
            Objects.requireNonNull(gate, "not initialised").take(input);
        } catch (RuntimeException e) {
            FailedWork.note(e, input);
            throw e;
        }
    }
}
