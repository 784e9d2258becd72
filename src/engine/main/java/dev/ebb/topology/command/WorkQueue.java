package dev.ebb.topology.command;

import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.Errand;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.topology.command.Work.Progress;
import dev.ebb.topology.fault.StreamGuard;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * All work of one partition: saved when it is added, done in slices, and forgotten when it is done. A crash in its
 * middle loses nothing and repeats nothing (O-11). Not thread-safe.
 */
final class WorkQueue {

    private final CommandContext context;
    private final CommandNotes notes;
    private final Map<String, Work> works = new LinkedHashMap<>();
    private final Set<Work> ready = new LinkedHashSet<>();

    /** Begins with the work that a former task has left. */
    WorkQueue(WorkParts parts) {
        this.context = parts.context();
        this.notes = parts.notes();
        Works.all().forEach(kind -> resume(kind, parts));
    }

    private <S> void resume(Work.Kind<S> kind, WorkParts parts) {
        notes.pending(kind.name(), kind.type()).forEach(state -> {
            Work work = kind.make(parts, state);
            works.put(work.name(), work);
            ready.add(work);
        });
    }

    /** Adds the work in place of work of the same kind and command: under at least once, an order may come again. */
    void add(Work work) {
        Work former = works.put(work.name(), work);
        if (former != null) {
            ready.remove(former);
            former.close();
        }
        wake(work);
    }

    /** Returns true if there is work of that kind for the command. */
    boolean holds(Work.Kind<?> kind, String commandId) {
        return works.containsKey(CommandNotes.name(kind.name(), commandId));
    }

    /** Hands an answer to the work that waits for it; an answer for which no work waits any more is ignored. */
    void answered(Work.Kind<?> kind, Errand errand, Object answer, long nowMs) {
        Work work = works.get(CommandNotes.name(kind.name(), errand.commandId()));
        if (work != null) {
            work.answered(errand.sender(), answer, nowMs);
            wake(work);
        }
    }

    /** Wakes the work and saves it before the transaction ends, whether or not its turn comes in that transaction. */
    private void wake(Work work) {
        notes.save(work.name(), work.state());
        ready.add(work);
    }

    /** Continues the work that is ready, one piece after the other. */
    void slice(long nowMs, SweepBudget budget) {
        List<Work> later = new ArrayList<>();
        while (!ready.isEmpty() && !budget.isSpent()) {
            Work work = ready.iterator().next();
            ready.remove(work);
            Progress progress = step(work, nowMs, budget);
            if (progress == Progress.DONE) {
                forget(work);
            } else {
                notes.save(work.name(), work.state());
            }
            if (progress == Progress.MORE) {
                ready.add(work);
            } else if (progress == Progress.LATER) {
                later.add(work);
            }
            budget.spendStep();
        }
        ready.addAll(later);
    }

    private Progress step(Work work, long nowMs, SweepBudget budget) {
        String failure = context.failures().get(context.partition(), work.name());
        if (failure != null) {
            work.fail(failure, nowMs);
            return Progress.DONE;
        }
        try {
            return work.step(nowMs, budget);
        } catch (RuntimeException e) {
            failed(work, e, nowMs);
            return Progress.DONE;
        }
    }

    /** Ends the work if the failure is the command's alone; one in the middle of a write ends it at the next try. */
    private void failed(Work work, RuntimeException failure, long nowMs) {
        if (!StreamGuard.isOfOne(failure) || context.guard().hasTorn()) {
            throw failure;
        }
        String reason = StreamGuard.reason(failure);
        if (context.store().isTorn()) {
            context.failures().remember(context.partition(), work.name(), reason);
            throw failure;
        }
        context.observer().commandFailed(context.partition(), work.request.commandId(), failure);
        work.fail(reason, nowMs);
    }

    private void forget(Work work) {
        work.close();
        context.failures().forget(context.partition(), work.name());
        works.remove(work.name());
        notes.forget(work.name());
    }

    /** Ends what the work runs on other threads; the work itself stays saved. */
    void close() {
        works.values().forEach(Work::close);
    }

    /** Returns the commands for which there is work. */
    Stream<CommandRequest> requests() {
        return works.values().stream().map(work -> work.request);
    }

    /** Returns true if there is more to do at once. */
    boolean isBusy() {
        return !ready.isEmpty();
    }
}
