package dev.ebb.topology.undo;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.Errand;
import dev.ebb.domain.command.Outcome.Undone;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.policy.PolicyEdition;
import dev.ebb.domain.retention.Origin;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.topology.crowd.ReaderPlaces;
import dev.ebb.topology.parts.PartitionParts;
import dev.ebb.topology.trash.TrashGuard;
import dev.ebb.topology.trash.TrashSince;
import dev.ebb.topology.trash.TrashSource.Reading;
import dev.ebb.topology.wire.ErrandBodies.Returning;
import dev.ebb.topology.wire.ErrandBodies.SweepNow;
import dev.ebb.topology.wire.ErrandBodies.Swept;
import dev.ebb.topology.wire.Fence;
import dev.ebb.topology.work.Work;
import dev.ebb.topology.work.WorkParts;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Work that undoes the deletes of one partition, or counts the events that this would bring back. The trash is read
 * after a pair of fences, so that it holds everything that was deleted before the undo, and after a crash nothing that
 * is already back. Not thread-safe.
 */
public final class UndoWork extends Work.Awaiting {

    public static final Kind<State> KIND = new Kind<>("undo", State.class, UndoWork::new);

    private static final long PROGRESS_MS = Duration.ofSeconds(1).toMillis();

    private final Command.UndoDeletes command;
    private final int askedBy;
    private final long pointMs;
    private final ReaderPlaces readers;
    private UndoTally tally;
    private long fence;
    /** Number of fences that have come back since the work was made. */
    private int passed;

    /** True until the last fence is back. False after a crash: the fence may still answer, but without effect. */
    private boolean isAwaited;

    private long toldMs;

    /** Changes of the trash from the first fence on; null before that, and if nothing comes back. */
    private @Nullable TrashSince changes;

    /** Guards that know the trash as it was before the first fence; null before that. */
    private @Nullable Supplier<TrashGuard> guards;

    /** Pass through the trash; null before the fences. */
    private @Nullable UndoPass pass;

    UndoWork(WorkParts parts, State state) {
        super(KIND.name(), parts, state.request(), withNamed(state.request(), state.awaited()));
        this.command = (Command.UndoDeletes) request.command();
        this.askedBy = state.askedBy();
        this.readers = parts.readers();
        this.pointMs = state.pointMs();
        this.tally = new UndoTally(state.returned());
        this.fence = state.fence();
    }

    /**
     * Progress of the work as it is saved; a count starts over after a crash.
     *
     * @param askedBy the partition that leads the command
     * @param pointMs the time at which the undo began, epoch milliseconds: deletes that could be undone then are undone
     * @param returned the events that are back
     * @param fence number of the last fence
     * @param awaited the work waits for these policies and for the version that the command names; null for neither
     */
    public record State(
            CommandRequest request,
            int askedBy,
            long pointMs,
            Undone returned,
            long fence,
            @Nullable PolicyEdition awaited) {

        public static State of(SweepNow order, int askedBy) {
            return new State(order.request(), askedBy, order.pointMs(), Undone.NOTHING, 0, order.awaited());
        }
    }

    /** Returns the awaited policies, not older than the version that the command names. */
    private static @Nullable PolicyEdition withNamed(CommandRequest request, @Nullable PolicyEdition awaited) {
        Long named = ((Command.UndoDeletes) request.command()).policyVersion();
        PolicyEdition known = awaited == null ? PolicyEdition.NONE : awaited;
        return named == null ? awaited : known.withVersion(named);
    }

    @Override
    public void answered(int partition, Object answer, long nowMs) {
        if (isAwaited && ((Fence) answer).round() == fence) {
            isAwaited = false;
            passed++;
        }
    }

    @Override
    public Progress step(long nowMs, SweepBudget budget) {
        Progress waiting = awaitPolicies(nowMs);
        if (waiting != null) {
            return waiting;
        }
        if (passed < Fence.PAIR) {
            return raiseFence(nowMs);
        }
        if (!readers.take(this)) {
            return Progress.LATER;
        }
        UndoPass current = begun(nowMs);
        String problem = current.problem();
        if (problem != null) {
            end(Refusal.NOT_READY, problem, nowMs);
            return Progress.DONE;
        }
        if (current.slice(nowMs, budget)) {
            answer(null, "", nowMs);
            return Progress.DONE;
        }
        tellProgress(nowMs);
        return budget.isSpent() ? Progress.MORE : Progress.LATER;
    }

    /** Raises the next fence. Deleted streams are emptied first, since this puts their events into the trash. */
    private Progress raiseFence(long nowMs) {
        if (isAwaited) {
            // A fence from before a crash may have woken the work; if another fence were raised now, the awaited one
            // would no longer count.
            return Progress.WAITING;
        }
        if (context.store().hasRetired()) {
            return Progress.LATER;
        }
        if (guards == null) {
            guards = context.outbox().trash().book().guards(command.filter());
        }
        if (changes == null && !request.isDryRun()) {
            changes = new TrashSince(context.outbox().trash());
        }
        isAwaited = true;
        fence++;
        send(context.partition(), Errand.Step.COMMITTED, new Fence(fence), nowMs);
        return Progress.WAITING;
    }

    private UndoPass begun(long nowMs) {
        UndoPass current = pass;
        if (current == null) {
            current = pass(nowMs);
            pass = current;
            toldMs = nowMs;
        }
        return current;
    }

    private UndoPass pass(long nowMs) {
        TrashSince since = changes;
        if (since == null) {
            long untilMs = nowMs + context.undoNoticeMs();
            var count = new UndoCount(context.store(), context.policies().get(), read(), pointMs, untilMs);
            tally = count.tally();
            return count;
        }
        PartitionParts here = new PartitionParts(
                context.store(),
                context.schedule(),
                context.outbox(),
                context.guard(),
                context.observer(),
                context.partition());
        Origin origin = request.origin();
        return new UndoReturn(here, context.policies(), read(), since, origin, pointMs, context.undoNoticeMs(), tally);
    }

    private Reading read() {
        var guard = Objects.requireNonNull(guards, "no fence was raised").get();
        return context.trash().read(context.partition(), command.filter(), request.commandId(), guard);
    }

    private void tellProgress(long nowMs) {
        if (!request.isDryRun() && nowMs - toldMs >= PROGRESS_MS) {
            toldMs = nowMs;
            send(askedBy, Errand.Step.RETURNING, new Returning(tally.returned()), nowMs);
        }
    }

    private void answer(@Nullable Refusal refusal, String detail, long nowMs) {
        Swept answer = Swept.without(tally.outcome(), refusal, detail);
        send(askedBy, Errand.Step.SWEPT, answer, nowMs);
    }

    @Override
    public void close() {
        if (pass != null) {
            pass.close();
        }
        readers.giveBack(this);
        if (changes != null) {
            changes.close();
        }
    }

    @Override
    public void end(Refusal refusal, String detail, long nowMs) {
        answer(refusal, detail, nowMs);
    }

    @Override
    public Object state() {
        Undone returned = request.isDryRun() ? Undone.NOTHING : tally.returned();
        return new State(request, askedBy, pointMs, returned, fence, awaited());
    }
}
