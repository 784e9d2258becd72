package dev.ebb.topology.command;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.Errand;
import dev.ebb.domain.command.Outcome;
import dev.ebb.domain.command.PruneCondition;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.Execution;
import dev.ebb.domain.plan.LeftOut;
import dev.ebb.domain.plan.PlanTally;
import dev.ebb.domain.policy.PolicyEdition;
import dev.ebb.domain.policy.PolicyMode;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.domain.retention.SweepPoint;
import dev.ebb.domain.retention.SweepReport;
import dev.ebb.domain.retention.SweepReport.Tally;
import dev.ebb.store.events.Found;
import dev.ebb.store.events.RemovalListener;
import dev.ebb.store.events.Removed;
import dev.ebb.store.plan.PlannedItem;
import dev.ebb.store.state.StreamState;
import dev.ebb.topology.plan.CommandRule;
import dev.ebb.topology.plan.PlanPages;
import dev.ebb.topology.plan.PlanRule;
import dev.ebb.topology.plan.PlannedStreams;
import dev.ebb.topology.plan.SweepRule;
import dev.ebb.topology.sweep.SweepFindings;
import dev.ebb.topology.sweep.SweepFindings.Unfinished;
import dev.ebb.topology.wire.ErrandBodies.Swept;
import dev.ebb.topology.work.StreamRefusals;
import dev.ebb.topology.work.StreamRemovals;
import dev.ebb.topology.work.Work;
import dev.ebb.topology.work.WorkParts;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Work that carries out a plan of single events in one partition (T-6): goes through the list of the dry run and
 * nothing else, so that no event can go that is not listed. Each event is looked up, and goes if it is still the one
 * that was listed and the command may delete it now. The place in the list is saved in the transaction of the deletes,
 * so a crash repeats nothing. Not thread-safe.
 */
final class PlanWork extends Work.Awaiting {

    static final Kind<State> KIND = new Kind<>("plan", State.class, PlanWork::new);

    private final String planId;
    private final long pointMs;
    private final int askedBy;
    private final long startedMs;
    private final boolean isSweep;
    private final PlanRule rule;
    private final PlanPages pages;
    private final SweepFindings findings;

    /** Findings in the stream of the last item; null before the first item, and after a restart. */
    private SweepFindings.@Nullable OfStream ofStream;

    /** Stream of the last item, as it is saved; null before the first item. */
    private @Nullable Unfinished last;

    private PlanTally tally;
    private long protectedEvents;

    PlanWork(WorkParts parts, State state) {
        super(KIND.name(), parts, state.request(), state.awaited());
        // The clock of the leading partition may be ahead: no event goes before its time by the clock here.
        this.pointMs = Math.min(state.pointMs(), state.startedMs());
        this.askedBy = state.askedBy();
        this.startedMs = state.startedMs();
        this.isSweep = request.command() instanceof Command.SweepNow;
        this.rule = isSweep
                ? new SweepRule(context.store(), context.schedule(), context.policies(), pointMs)
                : CommandRule.of(context.store(), request.command(), this::refusal);
        this.planId = Objects.requireNonNull(request.plan(), "no plan is named");
        this.pages = new PlanPages(context.store(), plans, planId, state.at());
        this.findings =
                new SweepFindings(state.findings(), context.outbox().limits().partsBytes());
        List<Unfinished> unfinished = state.findings().unfinished();
        this.last = unfinished.isEmpty() ? null : unfinished.get(0);
        this.tally = state.tally();
        this.protectedEvents = state.protectedEvents();
    }

    /**
     * Progress of the work as it is saved.
     *
     * @param pointMs the sweep point of the plan
     * @param at the first item that is not done
     * @param protectedEvents number of deleted events that were protected
     * @param awaited the work waits for these policies; null for none
     */
    record State(
            CommandRequest request,
            long pointMs,
            int askedBy,
            long startedMs,
            PlanPages.At at,
            SweepFindings.Saved findings,
            PlanTally tally,
            long protectedEvents,
            @Nullable PolicyEdition awaited) {

        static State of(Works.Share share) {
            return new State(
                    share.order().request(),
                    share.order().pointMs(),
                    share.askedBy(),
                    share.nowMs(),
                    PlanPages.At.FIRST,
                    SweepFindings.Saved.NOTHING,
                    PlanTally.NOTHING,
                    0,
                    share.order().awaited());
        }
    }

    @Override
    public List<String> streams() {
        return request.command() instanceof Command.OfStream one && context.isHere(one.stream())
                ? List.of(one.stream().value())
                : List.of();
    }

    private @Nullable LeftOut refusal(StreamState stream) {
        Refusal refusal = StreamRefusals.of(stream, request.command(), context);
        boolean isOfEvent = request.command() instanceof Command.OfEvent;
        return refusal == null || (isOfEvent && refusal == Refusal.STREAM_OPEN) ? null : PlannedStreams.reason(refusal);
    }

    @Override
    public Progress step(long nowMs, SweepBudget budget) {
        if (isSweep && context.sweepProblem().get() != null) {
            return Progress.LATER;
        }
        Progress waiting = awaitPolicies(nowMs);
        if (waiting != null) {
            return waiting;
        }
        Progress progress = Progress.MORE;
        try (StreamRemovals removals = removals(nowMs)) {
            while (progress == Progress.MORE && !budget.isSpent()) {
                progress = goOn(removals, nowMs);
                budget.spendDelete();
            }
        }
        if (progress == Progress.DONE) {
            finish(nowMs);
        }
        return progress;
    }

    private StreamRemovals removals(long nowMs) {
        return isSweep
                ? StreamRemovals.ofSweep(context, request, nowMs)
                : StreamRemovals.ofCommand(context, request, nowMs);
    }

    /** Takes the next item; done if there is none. */
    private Progress goOn(StreamRemovals removals, long nowMs) {
        PlannedItem item = pages.peek();
        if (item == null) {
            return plans.forgetPart(planId) ? Progress.DONE : Progress.MORE;
        }
        StreamState stream = context.store().stream(item.stream());
        if (stream != null && mustWait(stream)) {
            return Progress.LATER;
        }
        if (stream == null) {
            left(item, LeftOut.GONE);
        } else if (!context.guard().attempt(stream, nowMs, () -> take(stream, item, removals))) {
            of(stream).failed();
            ofStream = null;
            last = null;
            left(item, LeftOut.FAILED);
        }
        pages.take();
        return Progress.MORE;
    }

    /** Returns true if the stream has to end its move or its recount first, which needs no help. */
    private static boolean mustWait(StreamState stream) {
        return !stream.isHeld() && stream.quarantine() == null && (stream.isMoving() || stream.isSuspect());
    }

    private void take(StreamState stream, PlannedItem item, StreamRemovals removals) {
        SweepFindings.OfStream current = of(stream);
        LeftOut all = rule.keepsAll(stream);
        if (item.id() == null) {
            takeExecution(stream, item, all, current, removals);
            return;
        }
        Found found = context.store().find(stream, new EventId(item.id()));
        if (found == null) {
            left(item, LeftOut.GONE);
        } else if (found.event().storedAt() != item.number()) {
            left(item, LeftOut.CHANGED);
        } else if (all != null) {
            left(item, all);
        } else {
            take(stream, found, item, current, removals);
        }
    }

    private void take(
            StreamState stream,
            Found found,
            PlannedItem item,
            SweepFindings.OfStream current,
            StreamRemovals removals) {
        PlanRule.Fate fate = rule.of(stream, found, item);
        if (fate.left() != null) {
            left(item, fate.left());
            return;
        }
        protectedEvents += context.store().facts(found).isProtected() ? 1 : 0;
        context.store().remove(found, Objects.requireNonNull(fate.cause()), removed -> {
            removals.removed(stream, removed);
            current.removed(stream, removed);
        });
        tally = tally.plus(PlanTally.done(item.digest()));
        context.schedule().touch(stream);
    }

    /** Prunes an execution of the plan, if it is declared; an undeclared one has gone with the last of its events. */
    private void takeExecution(
            StreamState stream,
            PlannedItem item,
            @Nullable LeftOut all,
            SweepFindings.OfStream current,
            StreamRemovals removals) {
        PruneCondition condition = CommandRule.condition(request.command());
        if (item.sid() != stream.sid()) {
            // The number means another execution by now: the stream was deleted and its name used again.
            left(item, LeftOut.GONE);
        } else if (all == null && condition != null) {
            context.store().pruneEmptied(stream, item.number(), condition, new RemovalListener() {
                @Override
                public void removed(StreamState from, Removed removed) {
                    throw new IllegalStateException("an execution without events has lost one");
                }

                @Override
                public void executionRemoved(StreamState from, Execution execution) {
                    removals.executionRemoved(from, execution);
                    current.executionRemoved(from, execution);
                }
            });
        }
    }

    private void left(PlannedItem item, LeftOut reason) {
        tally = tally.plus(PlanTally.left(reason, item.id() == null ? 0 : 1));
    }

    /** Returns the findings in the stream; the items of a stream follow one another. */
    private SweepFindings.OfStream of(StreamState stream) {
        Unfinished former = last();
        Map<RemovalCause, Tally> gone = Map.of();
        if (former != null && former.stream().equals(stream.stream().value())) {
            if (ofStream != null) {
                return ofStream;
            }
            gone = former.gone();
        } else if (former != null) {
            findings.breakOff(former);
        }
        SweepFindings.OfStream begun = findings.begin(stream, false, gone);
        ofStream = begun;
        last = new Unfinished(stream.sid(), stream.stream().value(), Map.of());
        return begun;
    }

    /** Returns the stream of the last item with the events that have gone from it; null before the first item. */
    private @Nullable Unfinished last() {
        Unfinished known = last;
        return known == null || ofStream == null ? known : new Unfinished(known.sid(), known.stream(), ofStream.gone());
    }

    private void finish(long nowMs) {
        Unfinished ended = last();
        if (ended != null) {
            findings.breakOff(ended);
        }
        report(nowMs);
        Outcome.Swept found = findings.outcome(
                        new SweepPoint(pointMs, context.policies().get().version()))
                .plus(Outcome.Deleted.NOTHING.withProtected(protectedEvents));
        answer(new Swept(isSweep ? found : found.deletions(), null, "", tally), nowMs);
    }

    private void report(long nowMs) {
        if (isSweep && findings.hasFound(PolicyMode.ENFORCE)) {
            SweepPoint point = new SweepPoint(pointMs, context.policies().get().version());
            SweepReport report = findings.report(
                    PolicyMode.ENFORCE, request.commandId(), context.partition(), point, startedMs, nowMs, false);
            context.outbox().report(report);
            context.observer().swept(report);
        }
    }

    @Override
    public void end(Refusal refusal, String problem, long nowMs) {
        report(nowMs);
        Outcome.Swept found =
                findings.outcome(new SweepPoint(pointMs, PolicySet.NO_VERSION)).with(Outcome.Parts.NONE);
        answer(new Swept(isSweep ? found : found.deletions(), refusal, problem, tally), nowMs);
    }

    private void answer(Swept answer, long nowMs) {
        send(askedBy, Errand.Step.SWEPT, answer, nowMs);
    }

    @Override
    public Object state() {
        return new State(
                request,
                pointMs,
                askedBy,
                startedMs,
                pages.at(),
                findings.saved(Stream.ofNullable(last()).toList()),
                tally,
                protectedEvents,
                awaited());
    }
}
