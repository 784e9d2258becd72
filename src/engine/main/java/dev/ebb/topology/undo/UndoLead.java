package dev.ebb.topology.undo;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.Errand;
import dev.ebb.domain.command.Outcome.Undone;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.PolicyEdition;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.topology.wire.ErrandBodies;
import dev.ebb.topology.wire.ErrandBodies.Returning;
import dev.ebb.topology.wire.ErrandBodies.Swept;
import dev.ebb.topology.work.Work;
import dev.ebb.topology.work.WorkParts;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Work that leads an undo, or its dry run, over all partitions concerned. All of them count before any of them writes
 * (T-3), and both rounds judge by the time of the first: an event that could be undone when the command came still can
 * be at its turn. Not thread-safe.
 */
public final class UndoLead extends Work.Awaiting {

    public static final Kind<State> KIND = new Kind<>("undo-lead", State.class, UndoLead::new);

    private final TreeSet<Integer> waitsFor;
    private long pointMs;
    private Undone outcome;
    private @Nullable Refusal refusal;
    private String detail;
    private boolean isAsked;

    /** Progress that the partitions have reported; not saved. */
    private final Map<Integer, Undone> progress = new TreeMap<>();

    UndoLead(WorkParts parts, State state) {
        super(KIND.name(), parts, state.request(), state.known());
        this.waitsFor = new TreeSet<>(state.waitsFor());
        this.pointMs = state.pointMs();
        this.outcome = state.outcome();
        this.refusal = state.refusal();
        this.detail = state.detail();
        this.isAsked = state.isAsked();
    }

    /**
     * Progress of the work as it is saved.
     *
     * @param waitsFor the partitions that have not answered
     * @param pointMs the time at which the undo began, epoch milliseconds; -1 before that is known
     * @param isAsked true once the partitions were asked
     * @param outcome the sum of the answers
     * @param known the policies that the sender of the command has seen, for which the work waits; null if unknown
     */
    public record State(
            CommandRequest request,
            List<Integer> waitsFor,
            long pointMs,
            boolean isAsked,
            Undone outcome,
            @Nullable Refusal refusal,
            String detail,
            @Nullable PolicyEdition known) {

        public static State of(Work.Asked asked) {
            return new State(asked.request(), List.of(), -1, false, Undone.NOTHING, null, "", asked.known());
        }
    }

    @Override
    public void answered(int partition, Object answer, long nowMs) {
        if (!waitsFor.contains(partition)) {
            return;
        }
        if (answer instanceof Returning told) {
            progress.put(partition, told.undo());
        } else {
            add(partition, (Swept) answer);
        }
        if (!request.isDryRun()) {
            Undone soFar = progress.values().stream().reduce(outcome, Undone::plus);
            reply.running(request, "", soFar, nowMs);
        }
    }

    private void add(int partition, Swept answer) {
        waitsFor.remove(partition);
        progress.remove(partition);
        outcome = outcome.plus(answer.outcome() instanceof Undone undone ? undone : Undone.NOTHING);
        if (answer.refusal() != null && refusal == null) {
            refusal = answer.refusal();
            detail = answer.detail();
        }
    }

    @Override
    public Progress step(long nowMs, SweepBudget budget) {
        if (!isAsked) {
            Progress waiting = awaitPolicies(nowMs);
            if (waiting == null) {
                ask(nowMs);
            }
            return waiting == null ? Progress.WAITING : waiting;
        }
        if (!waitsFor.isEmpty()) {
            return Progress.WAITING;
        }
        return finish(nowMs);
    }

    private void ask(long nowMs) {
        isAsked = true;
        pointMs = pointMs < 0 ? reply.startedMs(request.commandId(), nowMs) : pointMs;
        PolicyEdition awaited = context.view().get().reflected();
        ErrandBodies.SweepNow order = new ErrandBodies.SweepNow(request, pointMs, awaited);
        partitions().forEach(partition -> {
            waitsFor.add(partition);
            send(partition, Errand.Step.SWEEP, order, nowMs);
        });
    }

    private IntStream partitions() {
        Scope scope = ((Command.UndoDeletes) request.command()).scope();
        return scope.kind() == Scope.Kind.STREAM
                ? IntStream.of(context.partitionOf(new StreamName(scope.name())))
                : IntStream.range(0, context.partitions());
    }

    private Progress finish(long nowMs) {
        reply.undone(request, refusal, detail, outcome, returned(), nowMs);
        return Progress.DONE;
    }

    /** Returns the number of events that are back; a dry run brings none back. */
    private long returned() {
        return request.isDryRun() ? 0 : outcome.events();
    }

    @Override
    public void end(Refusal why, String problem, long nowMs) {
        reply.undone(request, why, problem, outcome, waitsFor.isEmpty() ? (Long) returned() : null, nowMs);
    }

    @Override
    public Object state() {
        return new State(request, List.copyOf(waitsFor), pointMs, isAsked, outcome, refusal, detail, awaited());
    }
}
