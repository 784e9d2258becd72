package dev.ebb.topology.command;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.Errand;
import dev.ebb.domain.command.Outcome.Deleted;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.plan.PlanTally;
import dev.ebb.domain.policy.PolicyEdition;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.state.StreamState;
import dev.ebb.topology.command.ParentVerdicts.Verdict;
import dev.ebb.topology.order.OpenSearches;
import dev.ebb.topology.plan.PlannedStreams;
import dev.ebb.topology.wire.ErrandBodies.CarriedOut;
import dev.ebb.topology.wire.ErrandBodies.CarryOut;
import dev.ebb.topology.wire.ErrandBodies.ParentQuestion;
import dev.ebb.topology.work.StreamRefusals;
import dev.ebb.topology.work.Work;
import dev.ebb.topology.work.WorkParts;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Work that deletes or prunes some streams of one partition. First it asks about the ancestors of the streams that have
 * some; then it looks at each stream again and deletes or prunes it. Not thread-safe.
 */
final class StreamsWork extends Work.Awaiting {

    static final Kind<State> KIND = new Kind<>("streams", State.class, StreamsWork::new);

    private final boolean isDryRun;
    private final List<String> streams;
    private final ParentVerdicts verdicts;
    private final OpenSearches searches;
    private final StreamTurn turn;
    private final @Nullable Integer askedBy;
    private final int round;
    private final @Nullable Long mostDeletes;
    private int next;
    private int released;
    private int asked;
    private boolean hasSaidWhy;

    StreamsWork(WorkParts parts, State state) {
        super(KIND.name(), parts, state.request(), state.awaited());
        this.isDryRun = state.isDryRun();
        this.streams = state.streams();
        this.verdicts = new ParentVerdicts(parts.parents(), request.commandId(), state.verdicts());
        this.searches = parts.searches();
        this.askedBy = state.askedBy();
        this.round = state.round();
        this.mostDeletes = askedBy == null ? request.maxDeletes() : state.mostDeletes();
        this.turn = new StreamTurn(parts, state, mostDeletes, verdicts);
        this.next = state.next();
        this.released = state.released();
        this.asked = StreamRefusals.asksForAncestors(request.command()) ? next : streams.size();
    }

    /**
     * Progress of the work as it is saved.
     *
     * @param isDryRun true to count only, whatever the command says
     * @param verdicts the verdicts on the ancestors, by stream
     * @param askedBy the partition that gathers the answers; null if this partition answers the sender itself
     * @param round number that comes back with the answer
     * @param mostDeletes the largest number of events that may go by order of the gathering partition; null for no
     *     limit
     * @param next the first stream that is not done
     * @param released the first stream for which others wait; a work that starts over does not stand in the lines of
     *     those before it again
     * @param pruning progress of the prune of that stream; null if it has not begun
     * @param plan tally of the plan so far
     * @param awaited the work waits for these policies, since policies
     *     determine what can be undone and what is archived; null if unknown
     */
    record State(
            CommandRequest request,
            boolean isDryRun,
            List<String> streams,
            Map<String, Verdict> verdicts,
            @Nullable Integer askedBy,
            int round,
            @Nullable Long mostDeletes,
            int next,
            int released,
            Deleted counts,
            @Nullable String pruning,
            PlanTally plan,
            @Nullable PolicyEdition awaited) {

        /** Returns the state of a command on one stream. */
        static State ofOne(Work.Asked asked) {
            CommandRequest request = asked.request();
            String stream = ((Command.OfStream) request.command()).stream().value();
            return first(request, request.isDryRun(), List.of(stream), null, 0, null, asked.known());
        }

        /** Returns the state of a part of a command over many streams. */
        static State ofPart(CarryOut order, int askedBy) {
            return first(
                    order.request(),
                    order.isDryRun(),
                    order.streams(),
                    askedBy,
                    order.round(),
                    order.mostDeletes(),
                    order.awaited());
        }

        private static State first(
                CommandRequest request,
                boolean isDryRun,
                List<String> streams,
                @Nullable Integer askedBy,
                int round,
                @Nullable Long mostDeletes,
                @Nullable PolicyEdition awaited) {
            return new State(
                    request,
                    isDryRun,
                    streams,
                    Map.of(),
                    askedBy,
                    round,
                    mostDeletes,
                    0,
                    0,
                    Deleted.NOTHING,
                    null,
                    PlanTally.NOTHING,
                    awaited);
        }
    }

    @Override
    public List<String> streams() {
        return streams.subList(released, streams.size());
    }

    /** Takes an answer about the ancestors of one of its streams. */
    @Override
    public void answered(int partition, Object answer, long nowMs) {
        verdicts.tell((ParentQuestion) answer);
    }

    @Override
    public Progress step(long nowMs, SweepBudget budget) {
        Progress waiting = awaitPolicies(nowMs);
        if (waiting != null) {
            return waiting;
        }
        if (askedBy != null && request.plan() == null && !searches.isOpen(commandId(), nowMs)) {
            // Nothing here tells the streams of this command from newer ones any more (O-10).
            end(Refusal.FAILED, "the search of the command has ended in partition " + context.partition(), nowMs);
            return Progress.DONE;
        }
        // A prune of a stream that is gone removes nothing, which is no failure.
        boolean needsStream = askedBy == null && request.command() instanceof Command.DeleteStream;
        if (needsStream && endsOutlived(new StreamName(streams.get(0)), nowMs)) {
            return Progress.DONE;
        }
        Progress progress = goOn(nowMs, budget);
        if (progress == Progress.WAITING && askedBy == null && !hasSaidWhy) {
            hasSaidWhy = true;
            String why = "waits to hear whether an ancestor of " + streams.get(next) + " is open";
            reply.running(request, why, turn.counts(), nowMs);
        }
        return progress;
    }

    private Progress goOn(long nowMs, SweepBudget budget) {
        if (!askAll(nowMs, budget)) {
            return Progress.MORE;
        }
        if (verdicts.isWaiting()) {
            return Progress.WAITING;
        }
        Progress progress = takeTurns(nowMs, budget);
        if (progress == Progress.DONE) {
            finish(nowMs);
        }
        return progress;
    }

    private Progress takeTurns(long nowMs, SweepBudget budget) {
        try {
            for (; next < streams.size(); next++) {
                if (budget.isSpent()) {
                    return Progress.MORE;
                }
                Progress progress = turn.take(new StreamName(streams.get(next)), nowMs, budget);
                if (progress != Progress.DONE) {
                    return progress;
                }
                budget.spendStep();
            }
            return Progress.DONE;
        } finally {
            turn.endSlice();
        }
    }

    /** Asks about the ancestors of all streams, before work on the first; returns false if the budget ended that. */
    private boolean askAll(long nowMs, SweepBudget budget) {
        for (; asked < streams.size(); asked++) {
            if (budget.isSpent()) {
                return false;
            }
            StreamState stream = context.store().stream(new StreamName(streams.get(asked)));
            StreamName parent = stream == null ? null : stream.parent();
            if (stream != null && parent != null && StreamRefusals.of(stream, request.command(), context) == null) {
                verdicts.of(stream, parent, nowMs);
            }
            budget.spendStep();
        }
        return true;
    }

    private void finish(long nowMs) {
        Deleted counts = turn.counts();
        Refusal refusal = turn.refusal();
        PlanTally tally = turn.plan().finish();
        if (askedBy != null) {
            searches.took(request.commandId(), round, streams);
            send(askedBy, Errand.Step.CARRIED_OUT, new CarriedOut(counts, round, tally), nowMs);
        } else if (refusal != null) {
            reply.refused(request, refusal, turn.detail(), counts, nowMs);
        } else {
            reply.done(request, "", counts, plan(tally, nowMs, nowMs), nowMs);
        }
    }

    /** All streams that are left count with that reason; a failure behind the last one counts once as well. */
    @Override
    public void end(Refusal why, String problem, long nowMs) {
        List<String> left = streams.subList(next, streams.size());
        left.forEach(name -> turn.plan().left(new StreamName(name), PlannedStreams.reason(why)));
        for (int ended = 0; ended < Math.max(1, left.size()); ended++) {
            turn.ended(why, problem);
        }
        finish(nowMs);
    }

    /** Returns the state. A dry run that lists its events starts over after a crash, so that it lists none twice. */
    @Override
    public Object state() {
        boolean beginsAnew = turn.plan().isMade();
        released = Math.max(released, Math.min(next, streams.size() - 1));
        return new State(
                request,
                isDryRun,
                streams,
                verdicts.all(),
                askedBy,
                round,
                mostDeletes,
                beginsAnew ? 0 : next,
                released,
                beginsAnew ? Deleted.NOTHING : turn.counts(),
                beginsAnew ? null : turn.progress(),
                turn.plan().tally(),
                awaited());
    }
}
