package dev.ebb.topology.command;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.Errand;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.domain.undo.NotReturned;
import dev.ebb.domain.undo.UndoOutcome;
import dev.ebb.topology.policy.CountedPolicies;
import dev.ebb.topology.wire.ErrandBodies;
import dev.ebb.topology.wire.ErrandBodies.Returning;
import dev.ebb.topology.wire.ErrandBodies.Swept;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Work that leads an undo over all partitions concerned, in two rounds: first all of them count, and if anything would
 * be due at once, nothing comes back anywhere (T-3). No partition uses older policies than another is known to have.
 * Not thread-safe.
 */
final class UndoLead extends Work.Awaiting {

    static final Kind<State> KIND = new Kind<>("undo-lead", State.class, UndoLead::new);

    private final TreeSet<Integer> waitsFor;
    private long pointMs;
    private boolean isCounting;
    private UndoOutcome counted;
    private UndoOutcome outcome;
    private @Nullable Refusal refusal;
    private String detail;
    private boolean isAsked;

    private CountedPolicies policies;

    /** Progress that the partitions have reported; not saved. */
    private final Map<Integer, UndoOutcome> progress = new TreeMap<>();

    UndoLead(WorkParts parts, State state) {
        super(KIND.name(), parts, state.request(), state.knownOffset());
        this.waitsFor = new TreeSet<>(state.waitsFor());
        this.pointMs = state.pointMs();
        this.isCounting = state.isCounting();
        this.counted = state.counted();
        this.outcome = state.outcome();
        this.refusal = state.refusal();
        this.detail = state.detail();
        this.isAsked = state.isAsked();
        this.policies = Objects.requireNonNullElse(state.policies(), CountedPolicies.NONE);
    }

    /**
     * Progress of the work as it is saved.
     *
     * @param waitsFor the partitions that have not answered
     * @param pointMs the time at which the undo began, epoch milliseconds; -1 before that is known
     * @param isCounting true in the first round
     * @param isAsked true once the partitions were asked in this round
     * @param counted findings of the first round; no more than this comes back
     * @param outcome the sum of the answers of this round
     * @param policies the policies by which the partitions have answered; null in a state of a version that did not ask
     * @param knownOffset the offset up to which the sender of the command has seen the topic of policies; the work
     *     waits for policies that reflect the topic that far; null if unknown
     */
    record State(
            CommandRequest request,
            List<Integer> waitsFor,
            long pointMs,
            boolean isCounting,
            boolean isAsked,
            UndoOutcome counted,
            UndoOutcome outcome,
            @Nullable Refusal refusal,
            String detail,
            @Nullable CountedPolicies policies,
            @Nullable Long knownOffset) {

        static State of(Work.Asked asked) {
            UndoOutcome none = UndoOutcome.NOTHING;
            return new State(
                    asked.request(), List.of(), -1, true, false, none, none, null, "", null, asked.knownOffset());
        }
    }

    @Override
    void answered(int partition, Object answer, long nowMs) {
        if (!waitsFor.contains(partition)) {
            return;
        }
        if (answer instanceof Returning told) {
            progress.put(partition, told.undo());
        } else if (isOfThisRound((Swept) answer)) {
            add(partition, (Swept) answer);
        }
        if (!isCounting) {
            UndoOutcome soFar = progress.values().stream().reduce(outcome, UndoOutcome::plus);
            reply.undoing(request, soFar, nowMs);
        }
    }

    /**
     * Returns true if the answer is of this round: under at least once, the answer of a count may come again during the
     * next count, or while all return.
     */
    private boolean isOfThisRound(Swept answer) {
        boolean isOfFormerCount = answer.refusal() == null && policies.isFormer(answer.reflectedOffset());
        return !isOfFormerCount && (answer.isCount() == null || answer.isCount() == isCounting);
    }

    private void add(int partition, Swept answer) {
        waitsFor.remove(partition);
        progress.remove(partition);
        outcome = outcome.plus(Objects.requireNonNullElse(answer.undo(), UndoOutcome.NOTHING));
        policies = policies.answered(answer.reflectedOffset());
        if (answer.refusal() != null && refusal == null) {
            refusal = answer.refusal();
            detail = answer.detail();
        }
    }

    @Override
    Progress step(long nowMs, SweepBudget budget) {
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
        if (isCounting && refusal == null && policies.mustRecount()) {
            return recount();
        }
        return isCounting && !request.isDryRun() && refusal == null ? afterCount(nowMs) : finish(nowMs);
    }

    /**
     * Counts again: a sum decides nothing if a part of it was counted under policies known elsewhere to be old (T-3).
     */
    private Progress recount() {
        policies = policies.again();
        isAsked = false;
        outcome = UndoOutcome.NOTHING;
        return Progress.MORE;
    }

    private void ask(long nowMs) {
        isAsked = true;
        pointMs = pointMs < 0 ? reply.startedMs(request.commandId(), nowMs) : pointMs;
        CommandRequest asked = isCounting ? request.asDryRun() : request;
        boolean mayBeRough = isCounting && !request.isDryRun();
        policies = policies.asked(context.view().get().reflectedOffset());
        ErrandBodies.SweepNow order = new ErrandBodies.SweepNow(asked, pointMs, mayBeRough, policies.newest());
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

    private Progress afterCount(long nowMs) {
        long due = outcome.count(NotReturned.WOULD_BE_DUE);
        if (due > 0 && !((Command.UndoDeletes) request.command()).mayFollowRevert()) {
            refusal = Refusal.WOULD_BE_DUE;
            detail = due
                    + " events would be due again at once, within five minutes; --revert puts the policy before back"
                    + " in force, --hold places a hold first";
            return finish(nowMs);
        }
        isCounting = false;
        isAsked = false;
        counted = outcome;
        outcome = UndoOutcome.NOTHING;
        return Progress.MORE;
    }

    /** Ends the undo. A stream that came back across a crash counts twice, so the counted streams are the limit. */
    private Progress finish(long nowMs) {
        UndoOutcome all = outcome;
        if (!isCounting && all.streams() > counted.streams()) {
            all = new UndoOutcome(
                    all.events(), all.bytes(), counted.streams(), all.executions(), all.notReturned(), all.named());
        }
        reply.undone(request, refusal, detail, all, nowMs);
        return Progress.DONE;
    }

    @Override
    void end(Refusal why, String problem, long nowMs) {
        reply.undone(request, why, problem, outcome, nowMs);
    }

    @Override
    Object state() {
        return new State(
                request,
                List.copyOf(waitsFor),
                pointMs,
                isCounting,
                isAsked,
                counted,
                outcome,
                refusal,
                detail,
                policies,
                awaitedOffset());
    }
}
