package dev.ebb.topology.command;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.Errand;
import dev.ebb.domain.command.Outcome;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.PolicyEdit;
import dev.ebb.domain.policy.PolicyEdition;
import dev.ebb.domain.policy.PolicyMode;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.change.BrakeLimits;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.domain.retention.SweepPoint;
import dev.ebb.domain.retention.SweepReport;
import dev.ebb.store.StreamWalk;
import dev.ebb.store.state.StreamState;
import dev.ebb.topology.assess.Assessment;
import dev.ebb.topology.assess.Horizon;
import dev.ebb.topology.plan.PlanList;
import dev.ebb.topology.plan.PlanMembers;
import dev.ebb.topology.plan.PlanReasons;
import dev.ebb.topology.plan.PlanWriter;
import dev.ebb.topology.plan.PlannedPolicies;
import dev.ebb.topology.plan.SweepRule;
import dev.ebb.topology.policy.BegunPolicies;
import dev.ebb.topology.sweep.SweepFindings;
import dev.ebb.topology.sweep.SweepFindings.Unfinished;
import dev.ebb.topology.wire.ErrandBodies.Swept;
import dev.ebb.topology.work.StreamRemovals;
import dev.ebb.topology.work.Work;
import dev.ebb.topology.work.WorkParts;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Work that sweeps one partition by hand (O-5): the streams of its scope, at once, whatever interval and window say. A
 * dry run takes the same way on a shadow of each stream, under the policies in force or those of a file (O-14). Streams
 * whose policy only warns lose nothing either way; sweep and dry run count their possible losses separately, and a
 * sweep reports them (O-5a). A sweep goes around: a stream for which its slice was too short comes again when all others
 * have had theirs. The work ends where the policies of a stream in its scope are no longer those of its beginning
 * (O-2). After a crash a sweep continues with the streams that it was at and adds to its former counts. Not thread-safe.
 */
final class SweepWork extends Work.Awaiting {

    static final Kind<State> KIND = new Kind<>("sweep", State.class, SweepWork::new);

    /** Largest number of streams under way at once, which are saved with their counts in one record. */
    private static final int MOST_UNFINISHED = 64;

    private final Scope scope;
    private final long pointMs;
    private final long decidedMs;
    private final int askedBy;
    private final long startedMs;
    private final BegunPolicies rules;
    private final SweepFindings findings;
    private final StreamWalk walk;
    private final @Nullable PlanList plan;
    private boolean isOneDone;

    /** Stream that a dry run looks at, or is next once it can be; null between two streams. */
    private @Nullable SweptStream current;

    /** Streams of a sweep that have had their slice, and are not done. */
    private final Deque<SweptStream> again = new ArrayDeque<>();

    /** Number of streams in a row whose turn came while they had to wait. */
    private int waiting;

    private @Nullable PolicySet planned;
    private boolean isStoppedEarly;

    /** Number of events that the file of a dry run takes out of SQL; a dry run starts over after a crash. */
    private long rowsWouldGo;

    /** Count for the brake, once the sweep of a dry run is done; null before, and if there is none. */
    private @Nullable Assessment assessment;

    SweepWork(WorkParts parts, State state) {
        super(KIND.name(), parts, state.request(), state.awaited());
        this.scope = ((Command.SweepNow) request.command()).scope();
        // The clock of the leading partition may be ahead: no event goes before its time by the clock here.
        this.pointMs = request.isDryRun() ? state.pointMs() : Math.min(state.pointMs(), state.startedMs());
        // A file that is compared with its plan takes what is due by now, whatever the sweep point of the plan.
        this.decidedMs = request.plan() == null ? pointMs : Math.max(pointMs, state.startedMs());
        this.askedBy = state.askedBy();
        this.startedMs = state.startedMs();
        this.rules = new BegunPolicies(state.policyVersion());
        this.findings =
                new SweepFindings(state.findings(), context.outbox().limits().partsBytes());
        this.plan = plan();
        this.walk = context.store().walkFrom(state.nextStream());
        this.isOneDone = state.isOneDone();
        state.findings().unfinished().forEach(this::goOnWith);
    }

    /** Goes on with a stream that was under way when the state was saved, unless it is gone. */
    private void goOnWith(Unfinished saved) {
        StreamState stream = context.store().walkFrom(saved.sid()).next();
        if (stream == null || stream.sid() != saved.sid()) {
            findings.breakOff(saved);
        } else {
            again.add(new SweptStream(context, findings, plan, stream, decidedMs, saved.gone()));
        }
    }

    /** Returns the list that a dry run makes, or the one with which it is compared; null in a sweep. */
    private @Nullable PlanList plan() {
        String planId = request.plan();
        if (planId != null) {
            SweepRule rule = new SweepRule(context.store(), context.schedule(), this::planned, decidedMs);
            PlanReasons reasons = new PlanReasons(context.store(), context.guard(), rule);
            return new PlanMembers(context.store(), plans, planId, pointMs, reasons);
        }
        return request.makesPlan() ? new PlanWriter(context.store(), request.commandId(), 0) : null;
    }

    /**
     * Progress of the work as it is saved; a dry run starts over after a crash.
     *
     * @param policyVersion the version of the policies by which the work began; null if it has not begun
     * @param nextStream the number of the first stream that is not done
     * @param isOneDone true if the stream of a scope of one stream has had its turn
     * @param awaited the work waits for these policies; null for none
     */
    record State(
            CommandRequest request,
            long pointMs,
            int askedBy,
            long startedMs,
            @Nullable Long policyVersion,
            int nextStream,
            boolean isOneDone,
            SweepFindings.Saved findings,
            @Nullable PolicyEdition awaited) {

        static State of(
                CommandRequest request, long pointMs, int askedBy, long nowMs, @Nullable PolicyEdition awaited) {
            return new State(request, pointMs, askedBy, nowMs, null, 0, false, SweepFindings.Saved.NOTHING, awaited);
        }
    }

    @Override
    public Progress step(long nowMs, SweepBudget budget) {
        if (!request.isDryRun() && context.sweepProblem().get() != null) {
            return Progress.LATER;
        }
        Progress waiting = awaitPolicies(nowMs);
        if (waiting != null) {
            return waiting;
        }
        Progress progress = Progress.MORE;
        if (plan != null) {
            plan.beginSlice(nowMs);
        }
        try (StreamRemovals removals = StreamRemovals.ofSweep(context, request, nowMs)) {
            while (progress == Progress.MORE && !budget.isSpent()) {
                progress = goOn(removals, nowMs, budget);
            }
        }
        if (progress == Progress.DONE) {
            again.forEach(SweptStream::breakOff);
            finish(nowMs);
        }
        return progress;
    }

    /** Counts for the brake what the file of a dry run would delete; returns true if nothing is left to count. */
    private boolean isCounted(SweepBudget budget) {
        Command.SweepNow command = (Command.SweepNow) request.command();
        BrakeLimits limits = context.brakeLimits();
        if (!request.isDryRun() || command.policies() == null || !limits.isOn()) {
            return true;
        }
        Assessment count = assessment;
        if (count == null) {
            PolicySet inForce = context.policies().get();
            List<PolicyEdit> edits = PlannedPolicies.edits(command, inForce);
            Horizon horizon = new Horizon(decidedMs, limits.horizonMs());
            count = Assessment.of(context.store(), context.guard(), inForce, edits, Long.MAX_VALUE, horizon);
            assessment = count;
        }
        return count.step(budget);
    }

    /** Takes a step for the stream whose turn it is; done if there is none, or nothing more may go. */
    private Progress goOn(StreamRemovals removals, long nowMs, SweepBudget budget) {
        SweptStream swept = next();
        if (swept == null || mustStop(swept.stream())) {
            if (swept != null) {
                swept.breakOff();
            }
            return (plan == null || plan.close(budget)) && isCounted(budget) ? Progress.DONE : Progress.MORE;
        }
        if (isInScope(swept.stream()) && swept.mustWait()) {
            return await(swept);
        }
        waiting = 0;
        if (isInScope(swept.stream())) {
            sweep(swept, removals, nowMs, budget);
        }
        budget.spendStep();
        return Progress.MORE;
    }

    /** Puts off a stream that has to wait; there is something to do until all that are left have to. */
    private Progress await(SweptStream swept) {
        putOff(swept);
        waiting++;
        if (!request.isDryRun() && waiting <= again.size()) {
            return Progress.MORE;
        }
        waiting = 0;
        return Progress.LATER;
    }

    /** Keeps the stream for the next turn: a dry run looks at one stream after the other, since it takes from none. */
    private void putOff(SweptStream swept) {
        if (request.isDryRun()) {
            current = swept;
        } else {
            again.add(swept);
        }
    }

    /** Returns the next stream, in the scope or not; null if there are no more. */
    private @Nullable SweptStream next() {
        SweptStream next = current;
        if (next == null && again.size() < MOST_UNFINISHED) {
            next = begin();
        }
        current = null;
        return next == null ? again.poll() : next;
    }

    /** Returns the next stream whose turn has not come before; null if there are no more. */
    private @Nullable SweptStream begin() {
        StreamState next;
        if (scope.kind() == Scope.Kind.STREAM) {
            next = isOneDone ? null : context.store().stream(new StreamName(scope.name()));
            isOneDone = true;
        } else {
            next = walk.next();
        }
        if (next == null) {
            return null;
        }
        waiting = 0;
        return new SweptStream(context, findings, plan, next, decidedMs, Map.of());
    }

    private boolean isInScope(StreamState stream) {
        return scope.kind() != Scope.Kind.NAMESPACE
                || stream.stream().namespace().equals(scope.name());
    }

    /** Returns true if the stream is under other rules than at the beginning; nothing is deleted under a mixture. */
    private boolean mustStop(StreamState stream) {
        if (!request.isDryRun() && isInScope(stream)) {
            isStoppedEarly = isStoppedEarly || rules.differ(context.policies().get(), stream.stream());
        }
        return isStoppedEarly;
    }

    /** Sweeps the stream for a slice; a failure is confined to it, and all others are swept. */
    private void sweep(SweptStream swept, StreamRemovals removals, long nowMs, SweepBudget budget) {
        if (!context.guard().attempt(swept.stream(), nowMs, () -> sweep(swept, removals, budget))) {
            swept.fail();
        }
    }

    /** Sweeps the stream as far as the budget goes; begins with it if that has not been done. */
    private void sweep(SweptStream swept, StreamRemovals removals, SweepBudget budget) {
        if (!swept.isBegun()) {
            begin(swept);
        }
        if (!swept.maySweep()) {
            leave(swept);
        } else if (swept.sweep(removals, budget)) {
            swept.end();
        } else {
            putOff(swept);
        }
    }

    private void begin(SweptStream next) {
        PolicySet policies = planned();
        StreamState stream = next.stream();
        if (request.isDryRun()
                && stream.hasRows()
                && !policies.effective(stream.stream()).isMirrored()) {
            rowsWouldGo += stream.totalEvents();
        }
        if (next.stream().isHeld()) {
            findings.held(next.stream());
        }
        if (next.maySweep()) {
            next.begin(policies, request.isDryRun());
        }
    }

    private PolicySet planned() {
        PolicySet known = planned;
        if (known == null) {
            known = PlannedPolicies.of(
                    (Command.SweepNow) request.command(), context.policies().get());
            planned = known;
        }
        return known;
    }

    /** Leaves out the stream, or the rest of it; reports this unless the reason is a hold or the end of the stream. */
    private static void leave(SweptStream swept) {
        if (swept.isThere() && !swept.stream().isHeld()) {
            swept.leave();
        } else {
            swept.breakOff();
        }
    }

    private void finish(long nowMs) {
        long inForce = context.policies().get().version();
        report(nowMs);
        String detail = isStoppedEarly ? "it ended early, because the policies changed while it ran" : "";
        Outcome outcome = findings.outcome(new SweepPoint(pointMs, inForce)).losingRows(rowsWouldGo);
        Swept answer = new Swept(outcome, null, detail, plan == null ? null : plan.finish());
        send(askedBy, Errand.Step.SWEPT, answer.braked(assessment == null ? null : assessment.finding()), nowMs);
    }

    private void report(long nowMs) {
        Long version = rules.version();
        SweepPoint point = new SweepPoint(
                pointMs, version == null ? context.policies().get().version() : version);
        for (PolicyMode mode : List.of(PolicyMode.ENFORCE, PolicyMode.WARN)) {
            if (!request.isDryRun() && findings.hasFound(mode)) {
                SweepReport report = findings.report(
                        mode, request.commandId(), context.partition(), point, startedMs, nowMs, isStoppedEarly);
                context.outbox().report(report);
                context.observer().swept(report);
            }
        }
    }

    @Override
    public void end(Refusal refusal, String problem, long nowMs) {
        report(nowMs);
        send(
                askedBy,
                Errand.Step.SWEPT,
                Swept.without(
                        findings.outcome(new SweepPoint(pointMs, PolicySet.NO_VERSION))
                                .with(Outcome.Parts.NONE),
                        refusal,
                        problem),
                nowMs);
    }

    @Override
    public Object state() {
        return request.isDryRun()
                ? State.of(request, pointMs, askedBy, startedMs, awaited())
                : new State(
                        request,
                        pointMs,
                        askedBy,
                        startedMs,
                        rules.version(),
                        walk.lastSid() + 1,
                        isOneDone,
                        findings.saved(
                                again.stream().map(SweptStream::unfinished).toList()),
                        awaited());
    }
}
