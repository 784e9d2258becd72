package dev.ebb.topology.erase;

import dev.ebb.domain.Snapshot;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.Errand;
import dev.ebb.domain.command.Outcome.Deleted;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.erase.EraseFindings;
import dev.ebb.domain.erase.EraseLimit;
import dev.ebb.domain.erase.EraseProgress;
import dev.ebb.domain.erase.EraseRest;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.events.Found;
import dev.ebb.store.search.EventSearch;
import dev.ebb.store.search.FoundEvents;
import dev.ebb.store.search.Match;
import dev.ebb.store.search.MatchQueue;
import dev.ebb.store.state.StreamState;
import dev.ebb.topology.crowd.ReaderPlaces;
import dev.ebb.topology.plan.PlanPages;
import dev.ebb.topology.wire.ErrandBodies.SweepNow;
import dev.ebb.topology.wire.ErrandBodies.Swept;
import dev.ebb.topology.wire.Fence;
import dev.ebb.topology.work.StreamRemovals;
import dev.ebb.topology.work.Work;
import dev.ebb.topology.work.WorkParts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Work that erases events of one partition, first from the store, then their copies: all that match, or those of a
 * plan. The copies are read after a pair of fences, so everything that was sent before is among them: an event that a
 * sweep deleted ahead of the search has its copy there. Matching events that are written in the meantime go as well,
 * until the counting begins. After a crash the work continues where it was; the fate of each event is saved, so none
 * counts twice. Not thread-safe.
 */
public final class EraseWork extends Work {

    public static final Kind<State> KIND = new Kind<>("erase", State.class, EraseWork::new);

    private static final long TELL_INTERVAL_MS = 1000;
    private static final int FORGOTTEN_AT_ONCE = 256;

    private final EraseTask task;
    private final int askedBy;
    private final FoundEvents found;
    private final MatchQueue queue;
    private final EraseAllowance allowance;
    private final EraseTurn turn;
    private final ReaderPlaces readers;
    private long fence;
    private long arrived;
    private boolean isFenced;
    private long toldMs;
    private @Nullable Swept answer;

    /** Events that have yet to have their turn; null when all are counted. */
    private @Nullable EraseSource source;

    /** Copies of events that have left the store; null before the store is read, and after the copies are done. */
    private @Nullable CopyErasure copies;

    /** Tally of the fates of all events; null before the copies are done. */
    private @Nullable EraseTally tally;

    /** True if an event was gone at its turn: something else deleted it, and may have made a copy of it. */
    private boolean hasGone;

    /** Reason why the copies cannot be read; null if there is none. */
    private @Nullable String problem;

    private EraseRest rest = EraseRest.NOTHING;
    private boolean hasAskedAgain;
    private @Nullable StreamRemovals removals;

    EraseWork(WorkParts parts, State state) {
        super(KIND.name(), parts, state.request());
        this.task = new EraseTask(
                request,
                state.isCount(),
                context.store(),
                context.guard(),
                context.policies(),
                context.outbox(),
                context.copies());
        this.askedBy = state.askedBy();
        this.readers = parts.readers();
        this.fence = state.fence();
        this.arrived = state.arrived();
        this.isFenced = state.isFenced();
        this.answer = state.answer();
        this.found = context.store().foundBy(request.commandId());
        this.queue = new MatchQueue(found);
        this.allowance = new EraseAllowance(state.limit(), state.taken());
        this.turn = new EraseTurn(
                task,
                found,
                allowance,
                state.erased().eventsDeleted(),
                state.erased().bytesDeleted());
        this.source = answer == null ? EraseSource.of(task, plans, queue, state.search(), state.at()) : null;
    }

    /**
     * Progress of the work as it is saved.
     *
     * @param askedBy the partition that leads the command
     * @param isCount true to count the events of the store only, for the brake
     * @param limit the most events that may go; null for any number
     * @param taken number of the events that are gone, by namespace; empty without a limit
     * @param erased number and size of the events that are gone
     * @param fence number of the last fence
     * @param arrived number of the last fence that has come back
     * @param isFenced true if this fence was the second of a pair, and no event has gone since that would need another
     *     pair
     * @param search place in the search; null for its beginning
     * @param at place in the plan; null for its beginning
     * @param answer the answer, once everything is counted; null before
     */
    public record State(
            CommandRequest request,
            int askedBy,
            boolean isCount,
            @Nullable EraseLimit limit,
            Map<String, Long> taken,
            Deleted erased,
            long fence,
            long arrived,
            boolean isFenced,
            EventSearch.@Nullable At search,
            PlanPages.@Nullable At at,
            @Nullable Swept answer) {

        public static State of(SweepNow order, int askedBy) {
            return new State(
                    order.request(),
                    askedBy,
                    order.isCount(),
                    order.limit(),
                    Map.of(),
                    Deleted.NOTHING,
                    0,
                    0,
                    false,
                    null,
                    null,
                    null);
        }
    }

    @Override
    public void answered(int partition, Object fenceThatCame, long nowMs) {
        arrived = ((Fence) fenceThatCame).round();
        isFenced = arrived == fence && !isFirst(fence);
    }

    @Override
    public Progress step(long nowMs, SweepBudget budget) {
        EraseSource events = source;
        if (events == null) {
            return forget(nowMs);
        }
        if (tally != null) {
            return count(tally, events, nowMs, budget);
        }
        askAgain();
        events.slice(budget);
        boolean isDecided = takeTurns(nowMs, budget);
        endSlice();
        if (events.isThrough() && isDecided) {
            return task.isCount() || !task.isErasure() ? beginTally(events) : goOnWithCopies(events, nowMs, budget);
        }
        tell(events, nowMs);
        return budget.isSpent() ? Progress.MORE : Progress.LATER;
    }

    /** Has waiting records tried again: those whose schemas are known by now are still taken in and looked at. */
    private void askAgain() {
        if (!hasAskedAgain && !request.isDryRun() && !task.isPlanned()) {
            context.parking().get().groups().askAgain();
        }
        hasAskedAgain = true;
    }

    /** Decides on the events that were found; returns false if some must wait. */
    private boolean takeTurns(long nowMs, SweepBudget budget) {
        List<Match> waiting = new ArrayList<>();
        while (queue.size() > 0 && !budget.isSpent()) {
            Match next = Objects.requireNonNull(queue.poll());
            budget.spendDelete();
            EraseTurn.Outcome outcome = turn.take(next, (stream, event) -> remove(stream, event, nowMs), nowMs);
            hasGone |= outcome == EraseTurn.Outcome.GONE;
            if (outcome == EraseTurn.Outcome.WAITS) {
                waiting.add(next);
            } else {
                queue.settle(next);
            }
        }
        waiting.forEach(queue::addWaiting);
        return queue.size() == 0;
    }

    private void remove(StreamState stream, Found event, long nowMs) {
        StreamRemovals sent = removals == null ? StreamRemovals.ofCommand(context, request, nowMs) : removals;
        removals = sent;
        context.store().remove(event, task.cause(), removed -> sent.removed(stream, removed));
        context.schedule().touch(stream);
    }

    private void endSlice() {
        queue.endSlice();
        if (removals != null) {
            removals.close();
            removals = null;
        }
    }

    private void tell(EraseSource events, long nowMs) {
        if (nowMs - toldMs >= TELL_INTERVAL_MS) {
            toldMs = nowMs;
            long stored = task.isPlanned()
                    ? 0
                    : Math.max(events.read(), context.store().storedEvents());
            EraseProgress progress = new EraseProgress(events.read(), stored, turn.events(), turn.bytes());
            send(askedBy, Errand.Step.ERASING, progress, nowMs);
        }
    }

    private Progress goOnWithCopies(EraseSource events, long nowMs, SweepBudget budget) {
        CopyErasure current = copies;
        if (current == null) {
            boolean isAwaited = arrived < fence;
            return isFenced ? beginCopies() : isAwaited ? Progress.WAITING : raiseFence(nowMs);
        }
        problem = current.problem();
        if (problem == null && !current.slice(nowMs, budget)) {
            return Progress.LATER;
        }
        rest = new EraseRest(waiting(), current.unread(), current.rejected());
        endCopies();
        if (problem == null && hasGone) {
            return raiseFence(nowMs);
        }
        return beginTally(events);
    }

    /**
     * Begins to count. Records written from now on come after the erasure: otherwise the work on a busy stream would
     * never end.
     */
    private Progress beginTally(EraseSource events) {
        events.close();
        tally = new EraseTally(task, found);
        return Progress.MORE;
    }

    /**
     * Returns true if the fence is the first of its pair, which has an odd number; the second has the next even one.
     */
    private static boolean isFirst(long number) {
        return number % Fence.PAIR == 1;
    }

    /** Raises the next fence of a pair. Deleted streams are emptied first, since that may leave more copies behind. */
    private Progress raiseFence(long nowMs) {
        if (context.store().hasRetired() && !request.isDryRun()) {
            return Progress.LATER;
        }
        fence++;
        hasGone &= !isFirst(fence);
        isFenced = false;
        send(context.partition(), Errand.Step.COMMITTED, new Fence(fence), nowMs);
        return Progress.WAITING;
    }

    /** Begins to read the copies once a reader has a place. */
    private Progress beginCopies() {
        if (readers.take(this)) {
            copies = new CopyErasure(task, found, context.partition());
        }
        return Progress.LATER;
    }

    private void endCopies() {
        if (copies != null) {
            copies.close();
            copies = null;
        }
        readers.giveBack(this);
        isFenced = false;
    }

    private List<EraseRest.Waiting> waiting() {
        return WaitingRecords.of(context.store().parked(), context.partition(), task);
    }

    private Progress count(EraseTally current, EraseSource events, long nowMs, SweepBudget budget) {
        if (current.slice(nowMs, budget)) {
            EraseFindings findings = current.findings(events.damaged(), rest);
            Refusal refusal = problem == null ? null : Refusal.NOT_READY;
            String detail = problem == null ? "" : problem;
            answer = task.isCount()
                    ? Swept.ofCount(current.brake())
                    : new Swept(current.counts(), refusal, detail, current.plan(), findings, false, null);
            source = null;
        }
        return Progress.MORE;
    }

    @Override
    public void close() {
        endCopies();
        closeSource();
    }

    private void closeSource() {
        if (source != null) {
            source.close();
            source = null;
        }
    }

    /** Forgets the saved findings, and answers. */
    private Progress forget(long nowMs) {
        String planId = request.plan();
        if (!found.forget(FORGOTTEN_AT_ONCE) || (planId != null && !plans.forgetPart(planId))) {
            return Progress.MORE;
        }
        send(askedBy, Errand.Step.SWEPT, Objects.requireNonNull(answer), nowMs);
        return Progress.DONE;
    }

    @Override
    public void fail(String why, long nowMs) {
        endCopies();
        closeSource();
        plans.noteRest(request.commandId(), nowMs);
        send(askedBy, Errand.Step.SWEPT, Swept.without(gone(), Refusal.FAILED, why), nowMs);
    }

    /** Returns the events that have gone so far; the streams are counted at the end. */
    private Deleted gone() {
        return Deleted.events(turn.events(), turn.bytes());
    }

    @Override
    public Object state() {
        EraseSource events = source;
        return new State(
                request,
                askedBy,
                task.isCount(),
                allowance.limit(),
                Snapshot.of(allowance.taken()),
                gone(),
                fence,
                arrived,
                isFenced,
                events == null ? null : events.search(),
                events == null ? null : events.at(),
                answer);
    }
}
