package dev.ebb.topology;

import dev.ebb.domain.command.Errand;
import dev.ebb.domain.policy.BrakeLimits;
import dev.ebb.serde.JsonState;
import dev.ebb.serde.RecordWriter;
import dev.ebb.topology.ErrandBodies.Assess;
import dev.ebb.topology.ErrandBodies.PolicyRecord;
import java.nio.charset.StandardCharsets;
import java.util.function.LongSupplier;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/** Asks the partitions through the topic of commands. Not thread-safe. */
final class Questions implements Assessments {

    private final RecordWriter writer;
    private final ProcessorContext<Addressed, byte[]> context;
    private final int partitions;
    private final BrakeLimits limits;
    private final int maxBytes;
    private final LongSupplier sourceOffset;
    private final Runnable asked;

    /**
     * @param maxBytes the biggest record that the broker takes
     * @param sourceOffset the newest offset of the topic of policies that every instance sees, or is about to see
     * @param asked is told when questions have been sent
     */
    Questions(
            RecordWriter writer,
            ProcessorContext<Addressed, byte[]> context,
            int partitions,
            BrakeLimits limits,
            int maxBytes,
            LongSupplier sourceOffset,
            Runnable asked) {
        this.writer = writer;
        this.context = context;
        this.partitions = partitions;
        this.limits = limits;
        this.maxBytes = maxBytes;
        this.sourceOffset = sourceOffset;
        this.asked = asked;
    }

    @Override
    public boolean isOn() {
        return limits.isOn();
    }

    @Override
    public int partitions() {
        return partitions;
    }

    @Override
    public BrakeLimits limits() {
        return limits;
    }

    @Override
    public int bytes(Request request) {
        return record(writer, request, sourceOffset.getAsLong()).length;
    }

    @Override
    public int maxBytes() {
        return maxBytes;
    }

    @Override
    public void ask(Request request) {
        byte[] key = request.assessmentId().getBytes(StandardCharsets.UTF_8);
        byte[] value = record(writer, request, sourceOffset.getAsLong());
        for (int partition = 0; partition < partitions; partition++) {
            Record<Addressed, byte[]> record = new Record<>(
                    new Addressed(key, partition), value, context.currentSystemTimeMs(), new RecordHeaders());
            context.forward(record, RetentionTopology.QUESTIONS_SINK);
        }
        asked.run();
    }

    static byte[] record(RecordWriter writer, Request request, long sourceOffset) {
        var changes = request.changes().stream()
                .map(change -> new PolicyRecord(change.key(), change.value()))
                .toList();
        String body = JsonState.write(new Assess(request.limit(), sourceOffset, changes));
        return writer.errand(new Errand(request.assessmentId(), Errand.Step.ASSESS, GateOutput.GATE, body));
    }
}
