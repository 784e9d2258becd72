package dev.ebb.topology;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandCounts;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.Errand;
import dev.ebb.domain.command.PruneCondition;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.Pruning;
import dev.ebb.store.StreamState;
import dev.ebb.topology.ErrandBodies.CarriedOut;
import dev.ebb.topology.ErrandBodies.ParentQuestion;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Deletes or prunes some streams of one partition, one after the other: first it asks for the ancestors of those that have
 * some, then each stream is looked at anew and gone about. Not thread-safe.
 */
final class StreamsWork implements Work {

    static final String KIND = "streams";

    private final CommandContext context;
    private final ParentCheck parents;
    private final Reply reply;
    private final CommandRequest request;
    private final boolean isDryRun;
    private final List<String> streams;
    private final Map<String, Verdict> verdicts;
    private final @Nullable Integer askedBy;
    private final int round;
    private int next;
    private CommandCounts counts;
    private @Nullable Refusal refusal;
    private String detail = "";
    private @Nullable Pruning pruning;
    private boolean hasCounted;
    private @Nullable StreamRemovals removals;

    StreamsWork(CommandContext context, ParentCheck parents, Reply reply, State state) {
        this.context = context;
        this.parents = parents;
        this.reply = reply;
        this.request = state.request();
        this.isDryRun = state.isDryRun();
        this.streams = state.streams();
        this.verdicts = new HashMap<>(state.verdicts());
        this.askedBy = state.askedBy();
        this.round = state.round();
        this.next = state.next();
        this.counts = state.counts();
        this.pruning = state.pruning() == null
                ? null
                : Pruning.decode(Base64.getDecoder().decode(state.pruning()));
    }

    /**
     * How far it is, as it is written down.
     *
     * @param isDryRun whether to count only, whatever the command says
     * @param verdicts what is known of the ancestors, by stream
     * @param askedBy the partition that gathers the answers; null if this one tells the sender itself
     * @param round comes back with the answer
     * @param next the first stream that has not been gone about
     * @param pruning how far a prune of that stream is; null if it has not begun
     */
    record State(
            CommandRequest request,
            boolean isDryRun,
            List<String> streams,
            Map<String, Verdict> verdicts,
            @Nullable Integer askedBy,
            int round,
            int next,
            CommandCounts counts,
            @Nullable String pruning) {

        static State of(
                CommandRequest request, boolean isDryRun, List<String> streams, @Nullable Integer askedBy, int round) {
            return new State(request, isDryRun, streams, Map.of(), askedBy, round, 0, CommandCounts.NOTHING, null);
        }
    }

    /**
     * What is known of the ancestors of a stream.
     *
     * @param parent the parent that was asked
     * @param isAnswered whether the answer has come
     * @param refusal why the stream must stay; null if nothing keeps it
     * @param by whoever settled it
     */
    record Verdict(
            String parent, boolean isAnswered, @Nullable Refusal refusal, String by) {}

    @Override
    public CommandRequest request() {
        return request;
    }

    /** An answer about the ancestors of one of its streams. */
    void tell(ParentQuestion answer) {
        Verdict asked = verdicts.get(answer.child());
        if (asked != null && asked.parent().equals(answer.parent())) {
            verdicts.put(answer.child(), new Verdict(answer.parent(), true, answer.refusal(), answer.stream()));
        }
    }

    @Override
    public Progress step(long nowMs, SweepBudget budget) {
        if (isWaiting(nowMs)) {
            return Progress.WAITING;
        }
        try {
            while (next < streams.size()) {
                if (budget.isSpent()) {
                    return Progress.MORE;
                }
                Outcome outcome = goAbout(new StreamName(streams.get(next)), nowMs, budget);
                if (outcome != Outcome.DONE) {
                    return outcome.progress;
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

    private enum Outcome {
        DONE(Progress.DONE),
        MORE(Progress.MORE),
        MOVING(Progress.LATER),
        ASKED(Progress.WAITING);

        private final Progress progress;

        Outcome(Progress progress) {
            this.progress = progress;
        }
    }

    /** Asks for the ancestors of all streams that have some before it goes about the first. */
    private boolean isWaiting(long nowMs) {
        boolean isWaiting = false;
        for (String name : streams.subList(next, streams.size())) {
            Verdict known = verdicts.get(name);
            if (known == null) {
                isWaiting |= asks(new StreamName(name), nowMs);
            } else {
                isWaiting |= !known.isAnswered();
            }
        }
        return isWaiting;
    }

    private boolean asks(StreamName name, long nowMs) {
        StreamState stream = context.store().stream(name);
        if (stream == null || stream.parent() == null || !needsParents() || refusal(stream) != null) {
            return false;
        }
        verdicts.put(name.value(), new Verdict(stream.parent().value(), false, null, ""));
        parents.ask(request.commandId(), name, stream.parent(), nowMs);
        return true;
    }

    private boolean needsParents() {
        Command command = request.command();
        return command instanceof Command.PurgeStreams
                || (command instanceof Command.DeleteStream delete && !delete.isForced());
    }

    /** Everything is decided anew for each stream when its turn comes. */
    private Outcome goAbout(StreamName name, long nowMs, SweepBudget budget) {
        StreamState stream = context.store().stream(name);
        if (stream == null || !isStillMeant(stream)) {
            boolean isMissed = stream == null && request.command() instanceof Command.DeleteStream;
            if (!hasBroken() && isMissed) {
                skip(Refusal.NOT_FOUND, "there is no stream " + name);
            }
            return Outcome.DONE;
        }
        Refusal refused = refusal(stream);
        if (refused != null) {
            if (!hasBroken()) {
                skip(refused, explain(stream, refused));
            }
            return Outcome.DONE;
        }
        if (needsParents() && stream.parent() != null && !hasLeave(stream, nowMs)) {
            Verdict verdict = verdicts.get(name.value());
            if (verdict == null || !verdict.isAnswered()) {
                return Outcome.ASKED;
            }
            Refusal byParent = verdict.refusal() == null ? Refusal.PARENT_OPEN : verdict.refusal();
            skip(
                    byParent,
                    byParent == Refusal.PARENT_OPEN
                            ? "its ancestor " + verdict.by() + " is open"
                            : "the parents of the stream lead back to it, or are too many");
            return Outcome.DONE;
        }
        return condition() == null ? delete(stream) : prune(stream, nowMs, budget);
    }

    /** Since it was named as a candidate it may have gone on. */
    private boolean isStillMeant(StreamState stream) {
        return request.command() instanceof Command.OfStream || new Candidates(context).matches(stream, request);
    }

    /** Whether it was being pruned: what has gone by then counts, and the rest stays. */
    private boolean hasBroken() {
        Pruning broken = pruning;
        pruning = null;
        hasCounted = false;
        if (broken == null || (broken.isDryRun() && !isDryRun)) {
            return false;
        }
        counts = counts.plus(broken.counts());
        return true;
    }

    /** Whether the ancestors let it go; asks anew if the stream has another parent by now. */
    private boolean hasLeave(StreamState stream, long nowMs) {
        Verdict verdict = verdicts.get(stream.stream().value());
        if (verdict == null || !verdict.parent().equals(String.valueOf(stream.parent()))) {
            verdicts.remove(stream.stream().value());
            asks(stream.stream(), nowMs);
            return false;
        }
        return verdict.isAnswered() && verdict.refusal() == null;
    }

    private @Nullable Refusal refusal(StreamState stream) {
        if (context.policies().get().isHeld(stream.stream())) {
            return Refusal.HELD;
        }
        return stream.isOpen() && !takesOpen() ? Refusal.STREAM_OPEN : null;
    }

    private boolean takesOpen() {
        Command command = request.command();
        return command instanceof Command.PruneStream
                || (command instanceof Command.DeleteStream delete && delete.isForced())
                || (command instanceof Command.PruneStreams prune && prune.includesOpen());
    }

    private String explain(StreamState stream, Refusal refused) {
        return refused == Refusal.HELD
                ? "it is held by "
                        + context.policies().get().holdsOn(stream.stream()).stream()
                                .map(hold -> hold.caseId())
                                .toList()
                : "it is still open: an execution is not terminal, or an event is protected";
    }

    private void skip(Refusal reason, String why) {
        if (refusal == null) {
            refusal = reason;
            detail = why;
        }
        counts = counts.plus(CommandCounts.skipped(reason));
    }

    private @Nullable PruneCondition condition() {
        Command command = request.command();
        if (command instanceof Command.PruneStream prune) {
            return prune.condition();
        }
        return command instanceof Command.PruneStreams prune ? prune.condition() : null;
    }

    private Outcome delete(StreamState stream) {
        if (isTooMany(stream.totalEvents())) {
            return Outcome.DONE;
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
            RemovalCause cause =
                    request.command() instanceof Command.PurgeStreams ? RemovalCause.PURGE : RemovalCause.DELETE;
            context.store().retire(stream, cause, request.commandId(), request.actor(), request.reason());
            context.schedule().forget(stream);
        }
        return Outcome.DONE;
    }

    private Outcome prune(StreamState stream, long nowMs, SweepBudget budget) {
        if (stream.isMoving()) {
            return Outcome.MOVING;
        }
        Pruning current = pruning;
        if (current == null) {
            current = context.store().beginPrune(stream, Objects.requireNonNull(condition()), isCountingFirst());
            pruning = current;
        }
        boolean isDone = context.store().prune(stream, current, budget, removals(nowMs));
        context.schedule().touch(stream);
        if (!isDone) {
            return Outcome.MORE;
        }
        pruning = null;
        if (current.isDryRun() && !isDryRun) {
            if (isTooMany(current.counts().eventsDeleted())) {
                return Outcome.DONE;
            }
            hasCounted = true;
            return Outcome.MORE;
        }
        hasCounted = false;
        counts = counts.plus(current.counts());
        return Outcome.DONE;
    }

    /** What may delete only so much is counted before anything goes. */
    private boolean isCountingFirst() {
        return isDryRun || (request.maxDeletes() != null && askedBy == null && !hasCounted);
    }

    private boolean isTooMany(long events) {
        Long max = request.maxDeletes();
        if (askedBy != null || max == null || counts.eventsDeleted() + events <= max) {
            return false;
        }
        skip(Refusal.TOO_MANY, "it would delete " + events + " events, " + max + " are allowed");
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
    public void save(CommandNotes notes) {
        String pruned = pruning == null ? null : Base64.getEncoder().encodeToString(pruning.encode());
        notes.save(
                KIND,
                request.commandId(),
                new State(
                        request,
                        isDryRun,
                        new ArrayList<>(streams),
                        new HashMap<>(verdicts),
                        askedBy,
                        round,
                        next,
                        counts,
                        pruned));
    }

    @Override
    public void forget(CommandNotes notes) {
        notes.forget(KIND, request.commandId());
    }
}
