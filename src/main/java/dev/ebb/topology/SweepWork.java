package dev.ebb.topology;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandCounts;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.CommandResult.Part;
import dev.ebb.domain.command.Errand;
import dev.ebb.domain.event.Execution;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.policy.PolicyMode;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.domain.retention.SweepPoint;
import dev.ebb.domain.retention.SweepReport;
import dev.ebb.domain.retention.SweepReport.Tally;
import dev.ebb.domain.retention.SweepReport.Trigger;
import dev.ebb.store.RemovalListener;
import dev.ebb.store.Removed;
import dev.ebb.store.StreamForecast;
import dev.ebb.store.StreamState;
import dev.ebb.topology.ErrandBodies.Swept;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Sweeps one partition by hand (O-5): the streams of its scope, at once, whatever interval and window say. A dry run goes
 * the very same way on a shadow of each stream, by the policies in force or by those of a file (O-14). Streams whose policy
 * only warns lose nothing either way. After a crash it goes on with what is left and adds to what it had counted. Not
 * thread-safe.
 */
final class SweepWork implements Work {

    static final String KIND = "sweep";

    private final CommandContext context;
    private final CommandRequest request;
    private final long pointMs;
    private final int askedBy;
    private final long startedMs;
    private final Map<RemovalCause, Tally> deleted = new EnumMap<>(RemovalCause.class);
    private final List<Part> parts;
    private final Map<RemovalCause, Tally> ofStream = new EnumMap<>(RemovalCause.class);
    private CommandCounts counts;
    private @Nullable Deque<StreamState> left;
    private @Nullable StreamState current;
    private @Nullable StreamForecast forecast;
    private @Nullable PolicySet planned;
    private boolean isDueDone;

    SweepWork(CommandContext context, State state) {
        this.context = context;
        this.request = state.request();
        this.pointMs = state.pointMs();
        this.askedBy = state.askedBy();
        this.startedMs = state.startedMs();
        this.counts = state.counts();
        this.parts = new ArrayList<>(state.parts());
        this.deleted.putAll(state.deleted());
    }

    /** How far it is, as it is written down; a dry run begins anew after a crash. */
    record State(
            CommandRequest request,
            long pointMs,
            int askedBy,
            long startedMs,
            CommandCounts counts,
            List<Part> parts,
            Map<RemovalCause, Tally> deleted) {

        static State of(CommandRequest request, long pointMs, int askedBy, long nowMs) {
            return new State(request, pointMs, askedBy, nowMs, CommandCounts.NOTHING, List.of(), new HashMap<>());
        }
    }

    @Override
    public CommandRequest request() {
        return request;
    }

    @Override
    public Progress step(long nowMs, SweepBudget budget) {
        Deque<StreamState> streams = left;
        if (streams == null) {
            streams = new ArrayDeque<>(streams());
            left = streams;
        }
        try (StreamRemovals removals = StreamRemovals.ofSweep(context, request, nowMs)) {
            while (current != null || !streams.isEmpty()) {
                if (budget.isSpent()) {
                    return Progress.MORE;
                }
                if (current == null) {
                    begin(streams.remove());
                }
                if (current != null && !sweep(current, removals, budget)) {
                    return Progress.MORE;
                }
                budget.spendStep();
            }
        }
        finish(nowMs);
        return Progress.DONE;
    }

    private List<StreamState> streams() {
        Scope scope = ((Command.SweepNow) request.command()).scope();
        if (scope.kind() == Scope.Kind.STREAM) {
            StreamState stream = context.store().stream(new StreamName(scope.name()));
            return stream == null ? List.of() : List.of(stream);
        }
        boolean isAll = scope.kind() == Scope.Kind.ALL;
        return context.store().streams().stream()
                .filter(stream -> isAll || stream.stream().namespace().equals(scope.name()))
                .toList();
    }

    private void begin(StreamState stream) {
        boolean isGone = context.store().stream(stream.stream()) != stream;
        if (isGone
                || stream.isHeld()
                || stream.isMoving()
                || !context.schedule().mayBeSwept(stream)) {
            return;
        }
        current = stream;
        isDueDone = false;
        PolicySet policies = planned();
        EffectivePolicy policy = policies.effective(stream.stream());
        if (request.isDryRun() && !policy.isEnforced()) {
            current = null;
        } else if (request.isDryRun()) {
            forecast = context.store().forecast(stream, policy, policies.isHeld(stream.stream()), pointMs);
        } else if (!stream.policy().isEnforced()) {
            current = null;
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

    /** Returns false if the budget ended it. */
    private boolean sweep(StreamState stream, StreamRemovals removals, SweepBudget budget) {
        boolean isDone = forecast == null
                ? remove(stream, removals, budget)
                : forecast.step(budget, (from, removed) -> add(removed));
        if (isDone) {
            current = null;
            forecast = null;
            count(stream.stream().value());
        }
        return isDone;
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

    private RemovalListener listener(StreamRemovals removals) {
        return new RemovalListener() {
            @Override
            public void removed(StreamState from, Removed removed) {
                add(removed);
                removals.removed(from, removed);
            }

            @Override
            public void executionRemoved(StreamState from, Execution execution) {
                removals.executionRemoved(from, execution);
            }
        };
    }

    private void add(Removed removed) {
        Tally one = new Tally(1, removed.event().sizeBytes());
        ofStream.merge(removed.cause(), one, (a, b) -> a.plus(b.events(), b.bytes()));
    }

    private void count(String stream) {
        ofStream.forEach((cause, tally) -> {
            deleted.merge(cause, tally, (a, b) -> a.plus(b.events(), b.bytes()));
            counts = counts.plus(new CommandCounts(0, 0, 0, tally.events(), 0, tally.bytes(), Map.of()));
            if (parts.size() < CommandResult.MAX_PARTS) {
                parts.add(new Part(stream, cause, tally.events(), tally.bytes()));
            }
        });
        boolean hasFound = !ofStream.isEmpty();
        ofStream.clear();
        counts = counts.plus(new CommandCounts(hasFound ? 1 : 0, 0, 0, 0, 0, 0, Map.of()));
    }

    private void finish(long nowMs) {
        long version = context.policies().get().version();
        if (!request.isDryRun() && !deleted.isEmpty()) {
            SweepReport report = new SweepReport(
                    request.commandId(),
                    context.partition(),
                    Trigger.COMMAND,
                    new SweepPoint(pointMs, version),
                    startedMs,
                    nowMs,
                    counts.streamsProcessed(),
                    deleted,
                    0,
                    0,
                    PolicyMode.ENFORCE,
                    false);
            context.outbox().report(report);
            context.observer().swept(report);
        }
        Swept answer = new Swept(counts, parts, version, null, "");
        context.send(askedBy, request.commandId(), Errand.Step.SWEPT, answer, nowMs);
    }

    @Override
    public void save(CommandNotes notes) {
        State state = request.isDryRun()
                ? State.of(request, pointMs, askedBy, startedMs)
                : new State(
                        request, pointMs, askedBy, startedMs, counts, new ArrayList<>(parts), new HashMap<>(deleted));
        notes.save(KIND, request.commandId(), state);
    }

    @Override
    public void forget(CommandNotes notes) {
        notes.forget(KIND, request.commandId());
    }
}
