package dev.ebb.topology.command;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.Errand;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.event.Execution;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.policy.PolicyMode;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.change.PolicyComparison;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.domain.retention.SweepPoint;
import dev.ebb.domain.retention.SweepReport;
import dev.ebb.domain.retention.SweepReport.Tally;
import dev.ebb.domain.retention.SweepReport.Trigger;
import dev.ebb.store.StreamWalk;
import dev.ebb.store.events.RemovalListener;
import dev.ebb.store.events.Removed;
import dev.ebb.store.forecast.StreamForecast;
import dev.ebb.store.state.StreamState;
import dev.ebb.topology.policy.PlannedPolicies;
import dev.ebb.topology.wire.ErrandBodies.Swept;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Sweeps one partition by hand (O-5): the streams of its scope, at once, whatever interval and window say. A dry run
 * goes the very same way on a shadow of each stream, by the policies in force or by those of a file (O-14). Streams
 * whose policy only warns lose nothing either way; sweep and dry run count their possible losses apart from the rest,
 * and a sweep reports them (O-5a). The work ends where the policies of a stream in its scope are no longer those of its
 * beginning (O-2). After a crash a sweep goes on with the stream that it was at and adds to its former counts. Not
 * thread-safe.
 */
final class SweepWork extends Work {

    static final WorkKind<State> KIND =
            new WorkKind<>("sweep", State.class, (parts, state) -> new SweepWork(parts.context(), state));

    private final CommandContext context;
    private final Scope scope;
    private final long pointMs;
    private final int askedBy;
    private final long startedMs;
    private final SweepFindings findings;
    private final StreamWalk walk;
    private boolean isOneDone;
    private @Nullable StreamState current;

    /** Stream that is next once it can be swept; null if none is waited for. */
    private @Nullable StreamState awaited;

    private @Nullable StreamForecast forecast;
    private @Nullable PolicySet planned;
    private @Nullable PolicySet followed;
    private @Nullable Long version;
    private boolean isStoppedEarly;
    private boolean isDueDone;

    SweepWork(CommandContext context, State state) {
        super(KIND.name(), state.request());
        this.context = context;
        this.scope = ((Command.SweepNow) state.request().command()).scope();
        // The clock of the leading partition may be ahead: no event goes before its time by the clock here.
        this.pointMs = request.isDryRun() ? state.pointMs() : Math.min(state.pointMs(), state.startedMs());
        this.askedBy = state.askedBy();
        this.startedMs = state.startedMs();
        this.version = state.policyVersion();
        this.findings =
                new SweepFindings(state.findings(), context.outbox().limits().partsBytes());
        this.walk = context.store().walkFrom(state.nextStream());
    }

    /**
     * Progress of the work as it is written down; a dry run begins anew after a crash.
     *
     * @param policyVersion the version of the policies by which the work began; null if it has not begun
     * @param nextStream the number of the first stream that is not done
     */
    record State(
            CommandRequest request,
            long pointMs,
            int askedBy,
            long startedMs,
            @Nullable Long policyVersion,
            int nextStream,
            SweepFindings.Saved findings) {

        static State of(CommandRequest request, long pointMs, int askedBy, long nowMs) {
            return new State(request, pointMs, askedBy, nowMs, null, 0, SweepFindings.Saved.NOTHING);
        }
    }

    @Override
    Progress step(long nowMs, SweepBudget budget) {
        if (!request.isDryRun() && context.sweepProblem().get() != null) {
            return Progress.LATER;
        }
        try (StreamRemovals removals = StreamRemovals.ofSweep(context, request, nowMs)) {
            while (true) {
                if (budget.isSpent()) {
                    return Progress.MORE;
                }
                if (current != null && mustStop(current)) {
                    break;
                }
                if (current != null && !maySweep(current)) {
                    if (mustWait(current)) {
                        return Progress.LATER;
                    }
                    leave(current);
                }
                if (current == null) {
                    StreamState next = awaited == null ? next() : awaited;
                    if (next == null || mustStop(next)) {
                        break;
                    }
                    awaited = next;
                    if (isInScope(next) && mustWait(next)) {
                        return Progress.LATER;
                    }
                    awaited = null;
                    keepToItself(next, nowMs, () -> begin(next));
                }
                StreamState swept = current;
                if (swept != null) {
                    keepToItself(swept, nowMs, () -> sweep(swept, removals, budget));
                }
                budget.spendStep();
            }
        }
        findings.breakOff();
        finish(nowMs);
        return Progress.DONE;
    }

    /** Keeps a failure to its stream, which is left alone; all others are swept. */
    private void keepToItself(StreamState stream, long nowMs, Runnable work) {
        if (!context.guard().attempt(stream, nowMs, work)) {
            current = null;
            forecast = null;
            findings.failed();
        }
    }

    /** Next stream, in the scope or not; null if there are no more. */
    private @Nullable StreamState next() {
        if (scope.kind() != Scope.Kind.STREAM) {
            return walk.next();
        }
        StreamState only = isOneDone ? null : context.store().stream(new StreamName(scope.name()));
        isOneDone = true;
        return only;
    }

    private boolean isInScope(StreamState stream) {
        return scope.kind() != Scope.Kind.NAMESPACE
                || stream.stream().namespace().equals(scope.name());
    }

    /** Begins with the stream, unless there is nothing to do. */
    private void begin(StreamState stream) {
        if (!isInScope(stream)) {
            return;
        }
        PolicySet policies = planned();
        EffectivePolicy policy = policies.effective(stream.stream());
        boolean isOnlyWarned = !policy.isEnforced();
        if (stream.isHeld()) {
            findings.held(stream);
        }
        if (!maySweep(stream)) {
            leave(stream);
            return;
        }
        current = stream;
        isDueDone = false;
        findings.begin(stream, isOnlyWarned);
        forecast = isOnlyWarned || request.isDryRun()
                ? context.store().forecast(stream, policy, policies.isHeld(stream.stream()), pointMs)
                : null;
    }

    /** Returns true if the stream goes by other rules than at the beginning; nothing is deleted under a mixture. */
    private boolean mustStop(StreamState stream) {
        if (!request.isDryRun() && isInScope(stream)) {
            isStoppedEarly = isStoppedEarly || hasOtherRules(stream);
        }
        return isStoppedEarly;
    }

    /**
     * Returns true if the rules differ from those of the beginning, of which only the version is known after a restart.
     */
    private boolean hasOtherRules(StreamState stream) {
        PolicySet newest = context.policies().get();
        PolicySet first = followed;
        if (first == null) {
            first = newest;
            followed = newest;
            boolean isResumed = version != null && version != newest.version();
            version = newest.version();
            return isResumed;
        }
        return first != newest && PolicyComparison.differs(first, newest, stream.stream());
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

    /**
     * Returns true if the stream may be swept, asked in each slice: it may be deleted, held or arranged otherwise by
     * now.
     */
    private boolean maySweep(StreamState stream) {
        return isThere(stream) && context.schedule().mayBeSwept(stream);
    }

    private boolean isThere(StreamState stream) {
        return context.store().stream(stream.stream()) == stream;
    }

    /** Returns true if the stream has to end its move or its recount first, which needs no help. */
    private boolean mustWait(StreamState stream) {
        return isThere(stream)
                && !stream.isHeld()
                && stream.quarantine() == null
                && (stream.isMoving() || stream.isSuspect());
    }

    /** Passes the stream by, or the rest of it; says so if neither a hold nor its end is the reason. */
    private void leave(StreamState stream) {
        current = null;
        forecast = null;
        if (isThere(stream) && !stream.isHeld()) {
            findings.notReady(stream);
        } else {
            findings.breakOff();
        }
    }

    /** Sweeps the stream as far as the budget goes. */
    private void sweep(StreamState stream, StreamRemovals removals, SweepBudget budget) {
        boolean isDone = forecast == null ? remove(stream, removals, budget) : forecast.step(budget, onlyCounted());
        if (isDone) {
            current = null;
            forecast = null;
            findings.end(stream);
        }
    }

    private boolean remove(StreamState stream, StreamRemovals removals, SweepBudget budget) {
        RemovalListener listener = listener(removals);
        if (!isDueDone) {
            isDueDone = context.store().removeDue(stream, pointMs, budget, listener);
        }
        boolean isDone = isDueDone && context.store().removeOverCap(stream, pointMs, budget, listener);
        context.schedule().touch(stream);
        return isDone;
    }

    private RemovalListener onlyCounted() {
        return new RemovalListener() {
            @Override
            public void removed(StreamState from, Removed removed) {
                count(removed, from);
            }

            @Override
            public void executionRemoved(StreamState from, Execution execution) {
                findings.executionRemoved();
            }
        };
    }

    private RemovalListener listener(StreamRemovals removals) {
        return new RemovalListener() {
            @Override
            public void removed(StreamState from, Removed removed) {
                count(removed, from);
                removals.removed(from, removed);
            }

            @Override
            public void executionRemoved(StreamState from, Execution execution) {
                findings.executionRemoved();
                removals.executionRemoved(from, execution);
            }
        };
    }

    private void count(Removed removed, StreamState stream) {
        findings.removed(removed.cause(), removed.event().sizeBytes(), stream.protectedEvents());
    }

    private void finish(long nowMs) {
        long inForce = context.policies().get().version();
        report(nowMs);
        BiggestParts parts = findings.parts();
        String detail = isStoppedEarly ? "it ended early, because the policies changed while it ran" : "";
        Swept answer = new Swept(findings.counts(), parts.list(), parts.leftOut(), inForce, null, detail);
        context.send(askedBy, request.commandId(), Errand.Step.SWEPT, answer, nowMs);
    }

    private void report(long nowMs) {
        if (!request.isDryRun()) {
            report(
                    PolicyMode.ENFORCE,
                    findings.counts().streamsProcessed(),
                    findings.deleted(),
                    findings.protectedEvents(),
                    nowMs);
            report(
                    PolicyMode.WARN,
                    findings.warnedStreams(),
                    findings.warned(),
                    findings.warnedProtectedEvents(),
                    nowMs);
        }
    }

    private void report(
            PolicyMode mode, long streams, Map<RemovalCause, Tally> found, long protectedEvents, long nowMs) {
        if (found.isEmpty()) {
            return;
        }
        SweepReport report = new SweepReport(
                request.commandId(),
                context.partition(),
                Trigger.COMMAND,
                new SweepPoint(
                        pointMs, version == null ? context.policies().get().version() : version),
                startedMs,
                nowMs,
                streams,
                found,
                protectedEvents,
                findings.heldEvents(),
                mode,
                isStoppedEarly);
        context.outbox().report(report);
        context.observer().swept(report);
    }

    @Override
    void fail(String problem, long nowMs) {
        report(nowMs);
        Swept answer = new Swept(findings.counts(), List.of(), 0, -1, Refusal.FAILED, problem);
        context.send(askedBy, request.commandId(), Errand.Step.SWEPT, answer, nowMs);
    }

    @Override
    Object state() {
        return request.isDryRun()
                ? State.of(request, pointMs, askedBy, startedMs)
                : new State(
                        request,
                        pointMs,
                        askedBy,
                        startedMs,
                        version,
                        current == null && awaited == null ? walk.lastSid() + 1 : walk.lastSid(),
                        findings.saved());
    }
}
