package dev.ebb.topology.command;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandCounts;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.Errand;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.erase.EraseCondition;
import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.events.Found;
import dev.ebb.store.layout.EventSieve;
import dev.ebb.store.search.EventSearch;
import dev.ebb.store.search.EventSearch.Match;
import dev.ebb.store.state.StreamState;
import dev.ebb.topology.erase.CopyErasure;
import dev.ebb.topology.erase.EraseTally;
import dev.ebb.topology.wire.ErrandBodies.Swept;
import dev.ebb.topology.wire.Fence;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Erases all events of one partition that match, first from the store, then their copies. The copies are read up to an
 * end that lies behind everything that was sent before: an event that a sweep took away ahead of the search has its copy
 * there. Matching events that are written meanwhile go as well, until the work is done. After a crash it begins anew and
 * adds to its former counts. Not thread-safe.
 */
final class EraseWork extends Work {

    static final Kind<State> KIND = new Kind<>("erase", State.class, EraseWork::new);

    private final Command.EraseEvents command;
    private final int askedBy;
    private final EraseTally tally;
    private final EventSearch search;
    private long fence;
    private boolean isFenced;

    /** Copies of events that have left the store; null before the store is read. */
    private @Nullable CopyErasure copies;

    /** True if an event had gone when its turn came: something else took it away, and may have made a copy of it. */
    private boolean hasGone;

    private @Nullable StreamRemovals removals;

    EraseWork(WorkParts parts, State state) {
        super(KIND.name(), parts, state.request());
        this.command = (Command.EraseEvents) request.command();
        this.askedBy = state.askedBy();
        this.fence = state.fence();
        this.tally = new EraseTally(state.erased(), state.copies());
        this.search = context.store().search(new EventSieve(command.where()), command::isAbout);
    }

    /**
     * Progress of the work as it is written down; a dry run begins anew after a crash.
     *
     * @param askedBy the partition that leads the command
     * @param erased counts of what is gone
     * @param copies number of copies that are gone
     * @param fence number of the last fence
     */
    record State(CommandRequest request, int askedBy, CommandCounts erased, long copies, long fence) {

        static State of(CommandRequest request, int askedBy) {
            return new State(request, askedBy, CommandCounts.NOTHING, 0, 0);
        }
    }

    @Override
    void answered(int partition, Object answer, long nowMs) {
        isFenced = ((Fence) answer).round() == fence;
    }

    @Override
    Progress step(long nowMs, SweepBudget budget) {
        search.slice(budget);
        boolean isDecided = decideFound(nowMs, budget);
        endSlice();
        if (search.isThrough() && isDecided) {
            return goOnWithCopies(nowMs, budget);
        }
        return budget.isSpent() ? Progress.MORE : Progress.LATER;
    }

    /** Decides about the events that were found; false if some must wait. */
    private boolean decideFound(long nowMs, SweepBudget budget) {
        int waiting = 0;
        while (search.found() > waiting && !budget.isSpent()) {
            Match next = Objects.requireNonNull(search.poll());
            budget.spendDelete();
            if (!decide(next, nowMs)) {
                search.putBack(next);
                waiting++;
            }
        }
        return search.found() == 0;
    }

    /** Decides about an event; false if that is not possible yet. */
    private boolean decide(Match match, long nowMs) {
        StreamState stream = context.store().stream(match.stream());
        if (stream == null) {
            hasGone = true;
        } else if (!command.isForced() && stream.isBeingSorted()) {
            // It is not known yet whether its status protects it (M-3).
            if (stream.quarantine() == null) {
                return false;
            }
            tally.left(match.stream(), Refusal.NOT_READY, List.of());
        } else if (!context.guard().attempt(stream, nowMs, () -> decide(stream, match, nowMs))) {
            tally.left(match.stream(), Refusal.FAILED, List.of());
        }
        return true;
    }

    private void decide(StreamState stream, Match match, long nowMs) {
        Found found = context.store().find(stream, new EventId(match.id()));
        if (found == null) {
            hasGone = true;
        } else if (matches(context.store().read(found).event())) {
            PolicySet policies = context.policies().get();
            boolean isProtected = context.store().facts(found).isProtected();
            if (policies.isHeld(match.stream())) {
                tally.left(
                        match.stream(),
                        Refusal.HELD,
                        policies.holdsOn(match.stream()).stream()
                                .map(Hold::caseId)
                                .toList());
            } else if (isProtected && !command.isForced()) {
                tally.left(match.stream(), Refusal.PROTECTED, List.of());
            } else {
                remove(stream, found, isProtected, nowMs);
            }
        }
    }

    private boolean matches(Event event) {
        return command.isAbout(event.stream()) && EraseCondition.areAllMetBy(event, command.where());
    }

    private void remove(StreamState stream, Found found, boolean isProtected, long nowMs) {
        if (!request.isDryRun()) {
            StreamRemovals sent = removals(nowMs);
            context.store().remove(found, RemovalCause.ERASE, removed -> sent.removed(stream, removed));
            context.schedule().touch(stream);
        }
        tally.event(stream.stream(), isProtected, found.event().sizeBytes());
    }

    private StreamRemovals removals(long nowMs) {
        StreamRemovals current = removals;
        if (current == null) {
            current = StreamRemovals.ofCommand(context, request, nowMs);
            removals = current;
        }
        return current;
    }

    private void endSlice() {
        if (removals != null) {
            removals.close();
            removals = null;
        }
    }

    private Progress goOnWithCopies(long nowMs, SweepBudget budget) {
        CopyErasure current = copies;
        if (current == null) {
            return isFenced ? beginCopies() : raiseFence(nowMs);
        }
        String problem = current.problem();
        if (problem == null && !current.slice(nowMs, budget)) {
            return Progress.LATER;
        }
        endCopies();
        if (problem == null && hasGone) {
            return raiseFence(nowMs);
        }
        finish(problem, nowMs);
        return Progress.DONE;
    }

    /** Streams that a command has deleted may leave copies behind while they are emptied, so that comes first. */
    private Progress raiseFence(long nowMs) {
        if (context.store().hasRetired() && !request.isDryRun()) {
            return Progress.LATER;
        }
        hasGone = false;
        isFenced = false;
        fence++;
        send(context.partition(), Errand.Step.COMMITTED, new Fence(fence), nowMs);
        return Progress.WAITING;
    }

    private Progress beginCopies() {
        copies = new CopyErasure(
                context.copies(),
                context.outbox(),
                context.partition(),
                context.policies(),
                this::matches,
                tally,
                request.isDryRun());
        return Progress.LATER;
    }

    private void endCopies() {
        if (copies != null) {
            copies.close();
            copies = null;
        }
        isFenced = false;
    }

    private void finish(@Nullable String problem, long nowMs) {
        search.close();
        String detail = tally.detail(search.damaged());
        Swept answer = problem == null
                ? Swept.without(tally.counts(), null, detail)
                : Swept.without(tally.counts(), Refusal.NOT_READY, problem);
        send(askedBy, Errand.Step.SWEPT, answer, nowMs);
    }

    @Override
    void fail(String problem, long nowMs) {
        endCopies();
        search.close();
        Swept answer = Swept.without(tally.counts(), Refusal.FAILED, problem);
        send(askedBy, Errand.Step.SWEPT, answer, nowMs);
    }

    @Override
    Object state() {
        return request.isDryRun()
                ? new State(request, askedBy, CommandCounts.NOTHING, 0, fence)
                : new State(request, askedBy, tally.erased(), tally.copies(), fence);
    }
}
