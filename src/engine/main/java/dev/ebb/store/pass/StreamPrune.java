package dev.ebb.store.pass;

import dev.ebb.domain.command.PruneCondition;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.arrival.Completion;
import dev.ebb.store.events.EventTable;
import dev.ebb.store.events.Found;
import dev.ebb.store.events.HeadWalk.Candidate;
import dev.ebb.store.events.RemovalListener;
import dev.ebb.store.layout.Range;
import dev.ebb.store.state.Executions;
import dev.ebb.store.state.Passage.Outcome;
import dev.ebb.store.state.Segment;
import dev.ebb.store.state.StreamState;
import dev.ebb.store.state.StreamTable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Takes old parts out of a stream that lives on. In a stream with executions it takes whole executions, never the
 * current one and none that is not terminal or holds a protected event; in a stream without executions it takes
 * eligible events. Each event is decided when its turn comes: no newcomer goes, and as many as must stay are present at
 * that moment, whatever else deletes from the stream meanwhile. Not thread-safe.
 */
public final class StreamPrune {

    private final StreamTable streams;
    private final EventTable events;
    private final Completion completion;

    public StreamPrune(StreamTable streams, EventTable events, Completion completion) {
        this.streams = streams;
        this.events = events;
        this.completion = completion;
    }

    /** Begins a prune. */
    public Pruning begin(StreamState stream, PruneCondition condition, boolean isDryRun) {
        if (condition.isEmpty()) {
            return new Pruning(stream.sid(), condition, isDryRun, 0, Pruning.NO_EXECUTIONS, 0);
        }
        long keepLast = keepLast(condition);
        if (stream.executions() == null) {
            long most = Math.max(0, stream.root().eligibleEvents() - keepLast);
            return new Pruning(stream.sid(), condition, isDryRun, stream.nextSeq(), Pruning.NO_EXECUTIONS, most);
        }
        return new Pruning(
                stream.sid(), condition, isDryRun, stream.nextSeq(), lastToGo(stream, keepLast), Pruning.ALL);
    }

    private static long keepLast(PruneCondition condition) {
        return condition.keepLast() == null ? 0 : condition.keepLast();
    }

    /**
     * Returns the highest execution that is neither the current one nor among the last {@code keepLast}; {@link
     * Pruning#NO_EXECUTIONS} if there is none.
     */
    private static long lastToGo(StreamState stream, long keepLast) {
        List<Segment> segments =
                stream.segments().stream().filter(Segment::isKnown).toList();
        long index = segments.size() - 1 - Math.max(1, Math.min(keepLast, segments.size()));
        return index < 0 ? Pruning.NO_EXECUTIONS : segments.get((int) index).number();
    }

    /** Continues the prune; returns true if nothing more goes, false if the budget ended the slice. */
    public boolean run(StreamState stream, Pruning pruning, SweepBudget budget, RemovalListener listener) {
        boolean isDone = pruning.isOfEvents()
                ? stream.executions() != null || pruneEvents(stream, pruning, budget, listener)
                : stream.executions() == null || pruneExecutions(stream, pruning, budget, listener);
        if (isDone) {
            pruning.leave();
        }
        return isDone;
    }

    private boolean pruneExecutions(StreamState stream, Pruning pruning, SweepBudget budget, RemovalListener listener) {
        PrunePass pass = pruning.passThrough(stream);
        Segment segment = stream.segmentFrom(pruning.execution());
        while (segment != null && segment.number() <= pruning.lastExecution()) {
            if (budget.isSpent() || !pruneIfItMayGo(segment, pruning, pass, budget, listener)) {
                return false;
            }
            stream.completion().keep(null);
            pruning.pass(segment.number());
            budget.spendDelete();
            segment = stream.segmentFrom(pruning.execution());
        }
        return true;
    }

    /** Returns false if the budget ended the slice. */
    private boolean pruneIfItMayGo(
            Segment segment, Pruning pruning, PrunePass pass, SweepBudget budget, RemovalListener listener) {
        if (!segment.isKnown() || !mayGo(segment.stream(), segment, pruning.condition())) {
            return true;
        }
        return findCompletion(segment, pruning, budget)
                && (!isOldEnough(segment, pruning) || pruneExecution(segment, pruning, pass, budget, listener));
    }

    /** Returns true if a prune under this condition may take the event now, whatever it would take first. */
    public boolean mayTake(Found found, PruneCondition condition) {
        Segment segment = found.segment();
        StreamState stream = segment.stream();
        return stream.executions() == null
                ? found.location().range() != Range.INFINITE
                        && stream.root().eligibleEvents() > keepLast(condition)
                        && isBefore(found.event().completedAt(), condition)
                : mayGo(stream, segment, condition)
                        && (segment.execution().completedAt() == null
                                || isBefore(segment.execution().completedAt(), condition));
    }

    private static boolean isBefore(@Nullable Long completedAt, PruneCondition condition) {
        Long before = condition.completedBeforeMs();
        return before == null || (completedAt != null && completedAt < before);
    }

    /** Forgets an execution that may go and has no events; returns false if it must stay or is unknown. */
    public boolean dropEmptied(StreamState stream, long number, PruneCondition condition, RemovalListener listener) {
        Segment segment = stream.segment(number);
        boolean isEmpty = segment != null && segment.isKnown() && segment.totalEvents() == 0;
        if (segment == null || !isEmpty || !mayGo(stream, segment, condition)) {
            return false;
        }
        drop(segment, listener);
        return true;
    }

    private void drop(Segment segment, RemovalListener listener) {
        events.beginWriting();
        listener.executionRemoved(segment.stream(), segment.execution());
        streams.removeSegment(segment);
        events.endWriting();
    }

    /**
     * Returns true if the execution may go now. Executions above it may have gone since the prune began, so the ones
     * that must stay are counted at this moment.
     */
    private static boolean mayGo(StreamState stream, Segment segment, PruneCondition condition) {
        Executions known = stream.executions();
        long last = Math.max(1, keepLast(condition));
        boolean isAmongLast = known == null
                || segment.number() >= known.lowestOfLast(last, stream.root().isKnown());
        return segment.execution().isTerminal() && !isAmongLast && segment.count(Range.PINNED) == 0;
    }

    /**
     * Finds the completion of the implicit execution, which declares none, from its events; returns false if the budget
     * ended the slice.
     */
    private boolean findCompletion(Segment segment, Pruning pruning, SweepBudget budget) {
        Long completedBefore = pruning.condition().completedBeforeMs();
        return completedBefore == null
                || segment.execution().completedAt() != null
                || completion.findRoot(segment.stream(), completedBefore, budget);
    }

    private static boolean isOldEnough(Segment segment, Pruning pruning) {
        Long completedBefore = pruning.condition().completedBeforeMs();
        Long completedAt = segment.execution().completedAt();
        if (completedBefore == null) {
            return true;
        }
        return completedAt == null
                ? Completion.isRootBefore(segment.stream(), completedBefore)
                : completedAt < completedBefore;
    }

    /**
     * Prunes an execution. An execution with newcomers loses the events before them and lives on. An execution that
     * became terminal after the count of the events that may go stays if it holds more than is left of that count.
     * Events that come to an execution while it goes stay as well.
     */
    private boolean pruneExecution(
            Segment segment, Pruning pruning, PrunePass pass, SweepBudget budget, RemovalListener listener) {
        if (pruning.isDryRun()) {
            return PruneForecast.show(events.store(), segment, pruning, pass, budget, listener);
        }
        if (pass.enterExecution(segment.number()) && segment.totalEvents() > pruning.left()) {
            pass.weigh(pruning.left());
        }
        if (!pass.isWeighed(events.store(), segment, budget)) {
            return false;
        }
        return pass.isTooHeavy() || empty(segment, pruning, pass, budget, listener);
    }

    private boolean empty(
            Segment segment, Pruning pruning, PrunePass pass, SweepBudget budget, RemovalListener listener) {
        boolean isDone = pass.slice(events.store(), segment, budget, (range, key, value) -> {
            budget.spendDelete();
            return take(Candidate.of(range, key, value), segment, pruning, listener);
        });
        if (segment.totalEvents() > 0) {
            return isDone;
        }
        pruning.countExecution(segment, 0, 0);
        drop(segment, listener);
        return true;
    }

    private Outcome take(Candidate candidate, Segment segment, Pruning pruning, RemovalListener listener) {
        if (candidate.event().seq() >= pruning.firstNewcomer()) {
            return Outcome.STAYS;
        }
        if (pruning.left() == 0) {
            return Outcome.END;
        }
        if (pruning.left() != Pruning.ALL) {
            pruning.spend();
        }
        remove(candidate, segment, pruning, listener);
        return Outcome.GONE;
    }

    private void remove(Candidate candidate, Segment segment, Pruning pruning, RemovalListener listener) {
        events.remove(segment, candidate, RemovalCause.PRUNE, listener);
        pruning.countEvent(candidate.event());
    }

    private boolean pruneEvents(StreamState stream, Pruning pruning, SweepBudget budget, RemovalListener listener) {
        PrunePass pass = pruning.passThrough(stream);
        if (pruning.left() == 0) {
            return true;
        }
        if (!pass.findNewcomers(events.store(), budget)) {
            return false;
        }
        if (pass.enterEvents()) {
            pruning.beginEvents();
            listener.began(stream, 0);
        }
        return pass.slice(events.store(), stream.root(), budget, (range, key, value) -> {
            if (pruning.left() == 0 || pass.ahead() <= keepLast(pruning.condition())) {
                return Outcome.END;
            }
            Candidate candidate = Candidate.of(range, key, value);
            return look(candidate, stream.root(), pruning, budget, listener);
        });
    }

    private Outcome look(
            Candidate candidate, Segment root, Pruning pruning, SweepBudget budget, RemovalListener listener) {
        budget.spendDelete();
        if (!pruning.takes(candidate.event())) {
            return Outcome.STAYS;
        }
        pruning.spend();
        if (pruning.isDryRun()) {
            pruning.countEvent(candidate.event());
            PruneForecast.tell(candidate, root, listener);
            return Outcome.STAYS;
        }
        remove(candidate, root, pruning, listener);
        return Outcome.GONE;
    }
}
