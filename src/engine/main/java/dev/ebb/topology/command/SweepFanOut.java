package dev.ebb.topology.command;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandCounts;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.CommandResult.Part;
import dev.ebb.domain.command.Errand;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.topology.wire.BiggestParts;
import dev.ebb.topology.wire.ErrandBodies;
import dev.ebb.topology.wire.ErrandBodies.Swept;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Leads a sweep by hand: all partitions of its scope sweep at one point; adds up their answers. Not thread-safe. */
final class SweepFanOut extends Work {

    static final Kind<State> KIND = new Kind<>("sweep-lead", State.class, SweepFanOut::new);

    private final TreeSet<Integer> waitsFor;
    private long pointMs;
    private CommandCounts counts;
    private final BiggestParts biggest;
    private long policyVersion;
    private @Nullable Refusal refusal;
    private String detail;

    SweepFanOut(WorkParts parts, State state) {
        super(KIND.name(), parts, state.request());
        this.waitsFor = new TreeSet<>(state.waitsFor());
        this.pointMs = state.pointMs();
        this.counts = state.counts();
        this.biggest = new BiggestParts(
                state.parts(), state.partsLeftOut(), context.outbox().limits().partsBytes());
        this.policyVersion = state.policyVersion();
        this.refusal = state.refusal();
        this.detail = state.detail();
    }

    /**
     * Progress of the work as it is written down.
     *
     * @param waitsFor the partitions that have not answered
     * @param pointMs the time against which everything is decided; -1 before the question
     */
    record State(
            CommandRequest request,
            List<Integer> waitsFor,
            long pointMs,
            CommandCounts counts,
            List<Part> parts,
            long partsLeftOut,
            long policyVersion,
            @Nullable Refusal refusal,
            String detail) {

        static State of(CommandRequest request) {
            return new State(request, List.of(), -1, CommandCounts.NOTHING, List.of(), 0, -1, null, "");
        }
    }

    @Override
    void answered(int partition, Object answer, long nowMs) {
        if (waitsFor.remove(partition)) {
            add((Swept) answer);
        }
    }

    private void add(Swept answer) {
        counts = counts.plus(answer.counts());
        biggest.addAll(answer.parts(), answer.partsLeftOut());
        policyVersion = Math.max(policyVersion, answer.policyVersion());
        if (answer.refusal() != null || refusal == null) {
            refusal = answer.refusal();
            detail = answer.detail().isEmpty() ? detail : answer.detail();
        }
    }

    @Override
    Progress step(long nowMs, SweepBudget budget) {
        if (pointMs < 0) {
            begin((Command.OfPartitions) request.command(), nowMs);
            return Progress.WAITING;
        }
        if (!waitsFor.isEmpty()) {
            return Progress.WAITING;
        }
        if (refusal != null) {
            reply.refused(request, refusal, detail, counts, nowMs);
        } else if (request.command() instanceof Command.SweepNow) {
            reply.swept(request, detail, counts, biggest, pointMs, policyVersion, nowMs);
        } else {
            reply.done(request, counts, nowMs);
        }
        return Progress.DONE;
    }

    private void begin(Command.OfPartitions command, long nowMs) {
        Long atMs = command instanceof Command.SweepNow sweep ? sweep.atMs() : null;
        pointMs = atMs == null ? nowMs : atMs;
        ErrandBodies.SweepNow order = new ErrandBodies.SweepNow(request, pointMs);
        partitions(command.scope()).forEach(partition -> {
            waitsFor.add(partition);
            send(partition, Errand.Step.SWEEP, order, nowMs);
        });
    }

    private IntStream partitions(Scope scope) {
        return scope.kind() == Scope.Kind.STREAM
                ? IntStream.of(context.partitionOf(new StreamName(scope.name())))
                : IntStream.range(0, context.partitions());
    }

    @Override
    void fail(String problem, long nowMs) {
        reply.refused(request, Refusal.FAILED, problem, counts, nowMs);
    }

    @Override
    Object state() {
        return new State(
                request,
                new ArrayList<>(waitsFor),
                pointMs,
                counts,
                biggest.list(),
                biggest.leftOut(),
                policyVersion,
                refusal,
                detail);
    }
}
