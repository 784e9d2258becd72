package dev.ebb.topology.gate;

import dev.ebb.domain.command.Errand;
import dev.ebb.domain.policy.change.BrakeLimits;
import dev.ebb.serde.records.RecordWriter;
import dev.ebb.serde.text.JsonState;
import dev.ebb.topology.wire.ErrandBodies.Assess;
import dev.ebb.topology.wire.ErrandBodies.PolicyRecord;

/** Questions to the partitions through the topic of commands. Not thread-safe. */
public final class Questions implements Assessments {

    private final RecordWriter writer;
    private final GateOutput output;
    private final BrakeLimits limits;
    private final int maxBytes;

    /** @param maxBytes the size of the largest record that the broker accepts */
    Questions(RecordWriter writer, GateOutput output, BrakeLimits limits, int maxBytes) {
        this.writer = writer;
        this.output = output;
        this.limits = limits;
        this.maxBytes = maxBytes;
    }

    @Override
    public boolean isOn() {
        return limits.isOn();
    }

    @Override
    public int partitions() {
        return output.partitions();
    }

    @Override
    public BrakeLimits limits() {
        return limits;
    }

    @Override
    public int bytes(Request request) {
        return record(request).length;
    }

    @Override
    public int maxBytes() {
        return maxBytes;
    }

    @Override
    public void ask(Request request) {
        output.ask(request.assessmentId(), record(request));
    }

    private byte[] record(Request request) {
        return record(writer, request, limits.horizonMs(), output.markedOffset(), output.lateChanges());
    }

    public static byte[] record(
            RecordWriter writer, Request request, long horizonMs, long reflectedOffset, long lateChanges) {
        var changes = request.changes().stream()
                .map(change -> new PolicyRecord(change.key(), change.value()))
                .toList();
        String body = JsonState.write(new Assess(request.limit(), horizonMs, reflectedOffset, lateChanges, changes));
        return writer.errand(new Errand(request.assessmentId(), Errand.Step.ASSESS, GateOutput.GATE, body));
    }
}
