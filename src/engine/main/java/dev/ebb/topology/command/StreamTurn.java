package dev.ebb.topology.command;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.Outcome.Deleted;
import dev.ebb.domain.command.PruneCondition;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.plan.LeftOut;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.state.StreamState;
import dev.ebb.topology.command.ParentVerdicts.Verdict;
import dev.ebb.topology.order.OpenSearches;
import dev.ebb.topology.order.StreamLines;
import dev.ebb.topology.plan.CommandRule;
import dev.ebb.topology.plan.PlannedStreams;
import dev.ebb.topology.work.CommandContext;
import dev.ebb.topology.work.StreamMatch;
import dev.ebb.topology.work.StreamRefusals;
import dev.ebb.topology.work.StreamRemovals;
import dev.ebb.topology.work.Work.Progress;
import dev.ebb.topology.work.WorkParts;
import org.jspecify.annotations.Nullable;

/**
 * Turn of a stream that is deleted or pruned; the outcomes of all turns are added up. Everything is decided again at
 * the turn: the stream may have changed since it was named. Not thread-safe.
 */
final class StreamTurn {

    private final CommandContext context;
    private final CommandRequest request;
    private final @Nullable StreamMatch match;
    private final boolean isDryRun;
    private final @Nullable Long mostDeletes;
    private final ParentVerdicts verdicts;
    private final @Nullable StreamPruning pruning;
    private final PlannedStreams plan;
    private final StreamLines lines;
    private final OpenSearches searches;
    private Deleted counts;
    private @Nullable Refusal refusal;
    private String detail = "";
    private @Nullable StreamRemovals removals;

    /** @param mostDeletes the largest number of events that may go; null for no limit */
    StreamTurn(WorkParts parts, StreamsWork.State state, @Nullable Long mostDeletes, ParentVerdicts verdicts) {
        this.context = parts.context();
        this.request = state.request();
        this.lines = parts.lines();
        this.searches = parts.searches();
        this.match = request.command() instanceof Command.OfStreams many
                ? new StreamMatch(context.store(), many.filter())
                : null;
        this.isDryRun = state.isDryRun();
        this.mostDeletes = mostDeletes;
        this.verdicts = verdicts;
        this.counts = state.counts();
        this.plan = PlannedStreams.of(context.store(), request, state.round(), state.plan());
        PruneCondition condition = CommandRule.condition(request.command());
        this.pruning = condition == null
                ? null
                : new StreamPruning(
                        context, condition, isDryRun, mostDeletes != null, plan.listener(), state.pruning());
    }

    /** Returns the counts of all turns. */
    Deleted counts() {
        return counts;
    }

    /** Returns the plan that the turns make or carry out. */
    PlannedStreams plan() {
        return plan;
    }

    /** Returns the first reason for which a stream was left alone; null if there was none. */
    @Nullable
    Refusal refusal() {
        return refusal;
    }

    /** Returns an explanation of the first reason for people. */
    String detail() {
        return detail;
    }

    /** Returns the progress of the prune of the stream, to be saved; null if it has not begun. */
    @Nullable
    String progress() {
        return pruning == null ? null : pruning.progress();
    }

    /** Deletes or prunes the stream, as far as the budget goes; {@link #endSlice} follows. */
    Progress take(StreamName name, long nowMs, SweepBudget budget) {
        plan.at(nowMs);
        StreamState stream = find(name);
        if (stream == null) {
            boolean isMissed = request.command() instanceof Command.DeleteStream;
            plan.left(name, LeftOut.GONE);
            return leave(isMissed ? Refusal.NOT_FOUND : null, "there is no stream " + name);
        }
        return context.guard().call(stream, nowMs, () -> take(stream, nowMs, budget), problem -> {
            plan.left(name, LeftOut.FAILED);
            return ended(Refusal.FAILED, problem);
        });
    }

    /** Returns the stream for which the command came; null if it is gone, even if its name is used again. */
    private @Nullable StreamState find(StreamName name) {
        boolean isOutlived = lines.outlivedBy(request.commandId()).contains(name.value());
        StreamState stream = isOutlived ? null : context.store().stream(name);
        return stream == null || searches.isNewcomer(request.commandId(), stream) ? null : stream;
    }

    private Progress take(StreamState stream, long nowMs, SweepBudget budget) {
        if (StreamRefusals.isUncertain(stream)) {
            return Progress.LATER;
        }
        if (match != null && !match.findCompletion(stream, budget)) {
            return Progress.MORE;
        }
        if (match != null && !match.matches(stream)) {
            plan.left(stream.stream(), LeftOut.CHANGED);
            return leave(null, "");
        }
        Refusal refused = StreamRefusals.of(stream, request.command(), context);
        if (refused != null) {
            plan.left(stream.stream(), PlannedStreams.reason(refused));
            return leave(
                    refused,
                    StreamRefusals.explain(stream, refused, context.policies().get()));
        }
        return askAncestors(stream, nowMs, budget);
    }

    private Progress askAncestors(StreamState stream, long nowMs, SweepBudget budget) {
        StreamName parent = stream.parent();
        if (parent != null && StreamRefusals.asksForAncestors(request.command())) {
            Verdict verdict = verdicts.of(stream, parent, nowMs);
            if (verdict == null) {
                return Progress.WAITING;
            }
            if (verdict.refusal() != null) {
                plan.left(stream.stream(), PlannedStreams.reason(verdict.refusal()));
                return leave(verdict.refusal(), verdict.explain());
            }
        }
        return pruning == null ? delete(stream, nowMs, budget) : prune(pruning, stream, nowMs, budget);
    }

    /** Ends the turn of a stream for that reason; its deletes so far count. */
    Progress ended(Refusal why, String problem) {
        Deleted broken = pruning == null ? null : pruning.breakOff();
        if (broken == null) {
            skip(why, problem);
        } else {
            note(why, problem);
            counts = counts.plus(broken).plus(Deleted.skippedRest(why));
        }
        return Progress.DONE;
    }

    /** Leaves the stream alone. If it was being pruned, the deletes so far count, and the rest stays. */
    private Progress leave(@Nullable Refusal reason, String why) {
        Deleted broken = pruning == null ? null : pruning.breakOff();
        if (broken != null) {
            counts = counts.plus(broken);
        } else if (reason != null) {
            skip(reason, why);
        }
        return Progress.DONE;
    }

    private void skip(Refusal reason, String why) {
        note(reason, why);
        counts = counts.plus(Deleted.skipped(reason));
    }

    private void note(Refusal reason, String why) {
        if (refusal == null) {
            refusal = reason;
            detail = why;
        }
    }

    private Progress delete(StreamState stream, long nowMs, SweepBudget budget) {
        if (isTooMany(stream.totalEvents())) {
            return Progress.DONE;
        }
        return switch (plan.look(stream, budget)) {
            case MORE -> Progress.MORE;
            case CHANGED -> {
                plan.left(stream.stream(), LeftOut.CHANGED);
                yield leave(Refusal.OTHER_PLAN, "it has had another event since the plan was made");
            }
            case GOES -> delete(stream, nowMs);
        };
    }

    private Progress delete(StreamState stream, long nowMs) {
        RemovalCause cause = cause();
        counts = counts.plus(Deleted.of(1, stream.executionCount(), stream.totalEvents(), stream.totalBytes())
                .withStream()
                .withProtected(stream.protectedEvents()));
        if (!isDryRun) {
            context.store().retire(stream, cause, request.origin(), nowMs);
            context.schedule().forget(stream);
            lines.deleted(stream.stream().value(), request.commandId());
            context.guard().forget(stream.stream());
        }
        return Progress.DONE;
    }

    /** Returns the cause of the deletes of whole streams. */
    private RemovalCause cause() {
        if (request.command() instanceof Command.PurgeStreams) {
            return RemovalCause.PURGE;
        }
        if (request.command() instanceof Command.DeleteStream) {
            return RemovalCause.DELETE;
        }
        throw new IllegalStateException(request.command().verb() + " deletes no whole stream");
    }

    private Progress prune(StreamPruning current, StreamState stream, long nowMs, SweepBudget budget) {
        StreamPruning.Step step = current.step(stream, budget, removals(nowMs));
        boolean isCounted = step == StreamPruning.Step.COUNTED || (isDryRun && step == StreamPruning.Step.DONE);
        if (isCounted && isTooMany(current.counts().eventsDeleted())) {
            current.breakOff();
            return Progress.DONE;
        }
        if (step == StreamPruning.Step.DONE) {
            counts = counts.plus(current.counts());
            return Progress.DONE;
        }
        return step == StreamPruning.Step.WAITS ? Progress.LATER : Progress.MORE;
    }

    private boolean isTooMany(long events) {
        Long max = mostDeletes;
        if (max == null || counts.eventsDeleted() + events <= max) {
            return false;
        }
        skip(Refusal.TOO_MANY, StreamRefusals.tooMany(events, max));
        return true;
    }

    private StreamRemovals removals(long nowMs) {
        StreamRemovals current = removals;
        if (current == null) {
            current = StreamRemovals.ofCommand(context, request, nowMs);
            removals = current;
        }
        return current;
    }

    /** Sends the audit of the removals of a slice. */
    void endSlice() {
        if (removals != null) {
            removals.close();
            removals = null;
        }
    }
}
