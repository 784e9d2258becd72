package dev.ebb.topology.command;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandCounts;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.Errand;
import dev.ebb.domain.command.PruneCondition;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.state.StreamState;
import dev.ebb.topology.command.ParentVerdicts.Verdict;
import dev.ebb.topology.wire.ErrandBodies.CarriedOut;
import dev.ebb.topology.wire.ErrandBodies.CarryOut;
import dev.ebb.topology.wire.ErrandBodies.ParentQuestion;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Deletes or prunes some streams of one partition, one after the other: first it asks for the ancestors of those that have
 * some, then each stream is looked at anew and gone about. Not thread-safe.
 */
final class StreamsWork extends Work {

    static final WorkKind<State> KIND = new WorkKind<>(
            "streams",
            State.class,
            (parts, state) ->
                    new StreamsWork(parts.context(), parts.parents(), parts.candidates(), parts.reply(), state));

    /** Failure of a stream that was being pruned; the stream itself is counted with its deletes. */
    private static final CommandCounts FAILED_ONE = new CommandCounts(0, 0, 0, 0, 0, 0, Map.of(Refusal.FAILED, 1L));

    private final CommandContext context;
    private final Candidates candidates;
    private final Reply reply;
    private final boolean isDryRun;
    private final List<String> streams;
    private final ParentVerdicts verdicts;
    private final @Nullable StreamPruning pruning;
    private final @Nullable Integer askedBy;
    private final int round;
    private final @Nullable Long mostDeletes;
    private int next;
    private int asked;
    private CommandCounts counts;
    private @Nullable Refusal refusal;
    private String detail = "";
    private boolean hasSaidWhy;
    private @Nullable StreamRemovals removals;

    StreamsWork(CommandContext context, ParentCheck parents, Candidates candidates, Reply reply, State state) {
        super(KIND.name(), state.request());
        this.context = context;
        this.candidates = candidates;
        this.reply = reply;
        this.isDryRun = state.isDryRun();
        this.streams = state.streams();
        this.verdicts = new ParentVerdicts(parents, request.commandId(), state.verdicts());
        this.askedBy = state.askedBy();
        this.round = state.round();
        this.next = state.next();
        this.asked = StreamRefusals.asksForAncestors(request.command()) ? next : streams.size();
        this.counts = state.counts();
        PruneCondition condition = condition(request.command());
        this.mostDeletes = askedBy == null ? request.maxDeletes() : state.mostDeletes();
        this.pruning = condition == null
                ? null
                : new StreamPruning(context, condition, isDryRun, mostDeletes != null, state.pruning());
    }

    /**
     * Progress of the work as it is written down.
     *
     * @param isDryRun true to count only, whatever the command says
     * @param verdicts the verdicts on the ancestors, by stream
     * @param askedBy the partition that gathers the answers; null if this one tells the sender itself
     * @param round comes back with the answer
     * @param mostDeletes the most events that may go by order of the gathering partition; null: as many as there are
     * @param next the first stream that has not been gone about
     * @param pruning progress of the prune of that stream; null if it has not begun
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
            CommandCounts counts,
            @Nullable String pruning) {

        /** State of a command on one stream. */
        static State ofOne(CommandRequest request) {
            String stream = ((Command.OfStream) request.command()).stream().value();
            return new State(
                    request,
                    request.isDryRun(),
                    List.of(stream),
                    Map.of(),
                    null,
                    0,
                    null,
                    0,
                    CommandCounts.NOTHING,
                    null);
        }

        /** State of a part of a command over many streams. */
        static State ofPart(CarryOut order, int askedBy) {
            return new State(
                    order.request(),
                    order.isDryRun(),
                    order.streams(),
                    Map.of(),
                    askedBy,
                    order.round(),
                    order.mostDeletes(),
                    0,
                    CommandCounts.NOTHING,
                    null);
        }
    }

    private static @Nullable PruneCondition condition(Command command) {
        if (command instanceof Command.PruneStream prune) {
            return prune.condition();
        }
        return command instanceof Command.PruneStreams prune ? prune.condition() : null;
    }

    /** Takes an answer about the ancestors of one of its streams. */
    void tell(ParentQuestion answer) {
        verdicts.tell(answer);
    }

    @Override
    Progress step(long nowMs, SweepBudget budget) {
        Progress progress = goOn(nowMs, budget);
        if (progress == Progress.WAITING && askedBy == null && !hasSaidWhy) {
            hasSaidWhy = true;
            reply.running(
                    request, "waits to hear whether an ancestor of " + streams.get(next) + " is open", counts, nowMs);
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
        try {
            while (next < streams.size()) {
                if (budget.isSpent()) {
                    return Progress.MORE;
                }
                Progress progress = goAboutNext(nowMs, budget);
                if (progress != Progress.DONE) {
                    return progress;
                }
                next++;
                budget.spendStep();
            }
        } finally {
            closeRemovals();
        }
        finish(nowMs);
        return Progress.DONE;
    }

    /** Asks for the ancestors of streams that have some, before work on the first; false if the budget ended that. */
    private boolean askAll(long nowMs, SweepBudget budget) {
        for (; asked < streams.size(); asked++) {
            if (budget.isSpent()) {
                return false;
            }
            StreamState stream = context.store().stream(new StreamName(streams.get(asked)));
            StreamName parent = stream == null ? null : stream.parent();
            if (stream != null && parent != null && refusal(stream) == null) {
                verdicts.of(stream, parent, nowMs);
            }
            budget.spendStep();
        }
        return true;
    }

    private Progress goAboutNext(long nowMs, SweepBudget budget) {
        StreamName name = new StreamName(streams.get(next));
        StreamState stream = context.store().stream(name);
        return stream == null
                ? goAbout(name, nowMs, budget)
                : context.guard().call(stream, nowMs, () -> goAbout(name, nowMs, budget), this::failed);
    }

    /** Counts the deletes up to the failure of a stream, and goes on with the next stream. */
    private Progress failed(String problem) {
        CommandCounts broken = pruning == null ? null : pruning.breakOff();
        if (broken == null) {
            skip(Refusal.FAILED, problem);
        } else {
            note(Refusal.FAILED, problem);
            counts = counts.plus(broken).plus(FAILED_ONE);
        }
        return Progress.DONE;
    }

    /** Goes about a stream when its turn comes; everything is decided anew then. */
    private Progress goAbout(StreamName name, long nowMs, SweepBudget budget) {
        StreamState stream = context.store().stream(name);
        if (stream != null && StreamRefusals.isUncertain(stream)) {
            return Progress.LATER;
        }
        boolean isOfMany = request.command() instanceof Command.OfStreams;
        if (stream != null && isOfMany && !candidates.findCompletion(stream, request, budget)) {
            return Progress.MORE;
        }
        if (stream == null || !isStillMeant(stream)) {
            boolean isMissed = stream == null && request.command() instanceof Command.DeleteStream;
            return leave(isMissed ? Refusal.NOT_FOUND : null, "there is no stream " + name);
        }
        Refusal refused = refusal(stream);
        if (refused != null) {
            return leave(
                    refused,
                    StreamRefusals.explain(stream, refused, context.policies().get()));
        }
        StreamName parent = stream.parent();
        if (parent != null && StreamRefusals.asksForAncestors(request.command())) {
            Verdict verdict = verdicts.of(stream, parent, nowMs);
            if (verdict == null) {
                return Progress.WAITING;
            }
            if (verdict.refusal() != null) {
                return leave(verdict.refusal(), verdict.explain());
            }
        }
        return pruning == null ? delete(stream, nowMs) : prune(pruning, stream, nowMs, budget);
    }

    /** Returns true if the command still means the stream, which may have gone on since it was named as a candidate. */
    private boolean isStillMeant(StreamState stream) {
        return request.command() instanceof Command.OfStream || candidates.matches(stream, request);
    }

    private @Nullable Refusal refusal(StreamState stream) {
        return StreamRefusals.of(stream, request.command(), context);
    }

    /** Leaves the stream alone; if it was being pruned, the deletes up to then count, and the rest stays. */
    private Progress leave(@Nullable Refusal reason, String why) {
        CommandCounts broken = pruning == null ? null : pruning.breakOff();
        if (broken != null) {
            counts = counts.plus(broken);
        } else if (reason != null) {
            skip(reason, why);
        }
        return Progress.DONE;
    }

    private void skip(Refusal reason, String why) {
        note(reason, why);
        counts = counts.plus(CommandCounts.skipped(reason));
    }

    private void note(Refusal reason, String why) {
        if (refusal == null) {
            refusal = reason;
            detail = why;
        }
    }

    private Progress delete(StreamState stream, long nowMs) {
        RemovalCause cause = cause();
        if (isTooMany(stream.totalEvents())) {
            return Progress.DONE;
        }
        counts = counts.plus(new CommandCounts(
                1,
                1,
                stream.executionCount(),
                stream.totalEvents(),
                stream.protectedEvents(),
                stream.totalBytes(),
                Map.of()));
        if (!isDryRun) {
            context.store().retire(stream, cause, request.commandId(), request.actor(), request.reason(), nowMs);
            context.schedule().forget(stream);
            context.guard().forget(stream.stream());
        }
        return Progress.DONE;
    }

    /** Cause of the deletes of whole streams. */
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
        if (!isDryRun && request.command() instanceof Command.PruneStreams) {
            context.store().beginPruneOfMany(stream, request.commandId());
        }
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

    private void closeRemovals() {
        if (removals != null) {
            removals.close();
            removals = null;
        }
    }

    private void finish(long nowMs) {
        if (askedBy != null) {
            CarriedOut answer = new CarriedOut(counts, round);
            context.send(askedBy, request.commandId(), Errand.Step.CARRIED_OUT, answer, nowMs);
        } else if (refusal != null) {
            reply.refused(request, refusal, detail, counts, nowMs);
        } else {
            reply.done(request, counts, nowMs);
        }
    }

    @Override
    void fail(String problem, long nowMs) {
        failed(problem);
        finish(nowMs);
    }

    @Override
    Object state() {
        return new State(
                request,
                isDryRun,
                streams,
                verdicts.all(),
                askedBy,
                round,
                mostDeletes,
                next,
                counts,
                pruning == null ? null : pruning.progress());
    }
}
