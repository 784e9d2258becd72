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
 * only warns lose nothing either way; a sweep says in a report of its own what they would lose. After a crash it goes on
 * with what is left and adds to what it had counted. Not thread-safe.
 */
final class SweepWork implements Work {

    static final String KIND = "sweep";

    private final CommandContext context;
    private final CommandRequest request;
    private final long pointMs;
    private final int askedBy;
    private final long startedMs;
    private final Map<RemovalCause, Tally> deleted = new EnumMap<>(RemovalCause.class);
    private final Map<RemovalCause, Tally> warned = new EnumMap<>(RemovalCause.class);
    private final List<Part> parts;
    private final Map<RemovalCause, Tally> ofStream = new EnumMap<>(RemovalCause.class);
    private CommandCounts counts;
    private @Nullable Deque<StreamState> left;
    private @Nullable StreamState current;
    private @Nullable StreamForecast forecast;
    private @Nullable PolicySet planned;
    private @Nullable String counted;
    private long warnedStreams;
    private boolean isOnlyWarned;
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
        this.counted = state.counted();
    }

    /**
     * How far it is, as it is written down; a dry run begins anew after a crash.
     *
     * @param counted the last stream that was counted as one that lost events; null before the first
     */
    record State(
            CommandRequest request,
            long pointMs,
            int askedBy,
            long startedMs,
            CommandCounts counts,
            List<Part> parts,
            Map<RemovalCause, Tally> deleted,
            @Nullable String counted) {

        static State of(CommandRequest request, long pointMs, int askedBy, long nowMs) {
            return new State(request, pointMs, askedBy, nowMs, CommandCounts.NOTHING, List.of(), new HashMap<>(), null);
        }
    }

    @Override
    public String kind() {
        return KIND;
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
                if (current == null || !maySweep(current)) {
                    current = null;
                    if (streams.isEmpty()) {
                        break;
                    }
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
        PolicySet policies = planned();
        EffectivePolicy policy = policies.effective(stream.stream());
        isOnlyWarned = !policy.isEnforced();
        if (!maySweep(stream) || (isOnlyWarned && request.isDryRun())) {
            return;
        }
        current = stream;
        isDueDone = false;
        forecast = isOnlyWarned || request.isDryRun()
                ? context.store().forecast(stream, policy, policies.isHeld(stream.stream()), pointMs)
                : null;
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

    /** Asked anew in each slice: in between the stream may have been deleted, held or given another arrangement. */
    private boolean maySweep(@Nullable StreamState stream) {
        return stream != null
                && context.store().stream(stream.stream()) == stream
                && context.schedule().mayBeSwept(stream);
    }

    /** Returns false if the budget ended it. */
    private boolean sweep(StreamState stream, StreamRemovals removals, SweepBudget budget) {
        boolean isDone = forecast == null
                ? remove(stream, removals, budget)
                : forecast.step(budget, (from, removed) -> add(removed));
        if (isDone) {
            current = null;
            forecast = null;
        }
        count(stream);
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
        add(ofStream, removed.cause(), new Tally(1, removed.event().sizeBytes()));
    }

    /** Adds what this slice has found in the stream, which a later one may go on with. */
    private void count(StreamState stream) {
        if (ofStream.isEmpty()) {
            return;
        }
        String name = stream.stream().value();
        boolean isNew = !name.equals(counted);
        counted = name;
        if (isOnlyWarned) {
            warnedStreams += isNew ? 1 : 0;
            ofStream.forEach((cause, tally) -> add(warned, cause, tally));
        } else {
            counts = counts.plus(new CommandCounts(isNew ? 1 : 0, 0, 0, 0, 0, 0, Map.of()));
            ofStream.forEach((cause, tally) -> countDeleted(name, cause, tally));
        }
        ofStream.clear();
    }

    private void countDeleted(String stream, RemovalCause cause, Tally tally) {
        add(deleted, cause, tally);
        counts = counts.plus(new CommandCounts(0, 0, 0, tally.events(), 0, tally.bytes(), Map.of()));
        for (int i = parts.size() - 1; i >= 0 && parts.get(i).stream().equals(stream); i--) {
            Part part = parts.get(i);
            if (part.cause() == cause) {
                parts.set(i, new Part(stream, cause, part.events() + tally.events(), part.bytes() + tally.bytes()));
                return;
            }
        }
        if (parts.size() < CommandResult.MAX_PARTS) {
            parts.add(new Part(stream, cause, tally.events(), tally.bytes()));
        }
    }

    private static void add(Map<RemovalCause, Tally> tallies, RemovalCause cause, Tally tally) {
        tallies.merge(cause, tally, (one, other) -> one.plus(other.events(), other.bytes()));
    }

    private void finish(long nowMs) {
        long version = context.policies().get().version();
        if (!request.isDryRun()) {
            report(PolicyMode.ENFORCE, counts.streamsProcessed(), deleted, version, nowMs);
            report(PolicyMode.WARN, warnedStreams, warned, version, nowMs);
        }
        Swept answer = new Swept(counts, parts, version, null, "");
        context.send(askedBy, request.commandId(), Errand.Step.SWEPT, answer, nowMs);
    }

    private void report(PolicyMode mode, long streams, Map<RemovalCause, Tally> found, long policyVersion, long nowMs) {
        if (found.isEmpty()) {
            return;
        }
        SweepReport report = new SweepReport(
                request.commandId(),
                context.partition(),
                Trigger.COMMAND,
                new SweepPoint(pointMs, policyVersion),
                startedMs,
                nowMs,
                streams,
                found,
                0,
                0,
                mode,
                false);
        context.outbox().report(report);
        context.observer().swept(report);
    }

    @Override
    public Object state() {
        return request.isDryRun()
                ? State.of(request, pointMs, askedBy, startedMs)
                : new State(
                        request,
                        pointMs,
                        askedBy,
                        startedMs,
                        counts,
                        new ArrayList<>(parts),
                        new HashMap<>(deleted),
                        counted);
    }
}
