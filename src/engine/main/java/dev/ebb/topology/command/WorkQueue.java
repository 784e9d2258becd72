package dev.ebb.topology.command;

import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.Errand;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.topology.crowd.CommandCrowd;
import dev.ebb.topology.crowd.TwoLines;
import dev.ebb.topology.fault.StreamGuard;
import dev.ebb.topology.order.StreamLines;
import dev.ebb.topology.work.CommandContext;
import dev.ebb.topology.work.CommandNotes;
import dev.ebb.topology.work.Work;
import dev.ebb.topology.work.Work.Progress;
import dev.ebb.topology.work.WorkParts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/**
 * All work of one partition: saved when it is added, done in slices, and forgotten when it is done. A crash in its
 * middle loses nothing and repeats nothing (O-11).
 *
 * <p>Pieces of work take turns, but work on a stream begins only when all earlier work on the stream is done (O-9). Each
 * piece is saved with its number in the order of arrival, so a restart, a revival or a rebalance changes no order. Not
 * thread-safe.
 */
final class WorkQueue {

    private final CommandContext context;
    private final CommandNotes notes;
    private final Map<String, Work> works = new LinkedHashMap<>();
    private final Map<String, Long> numbers = new HashMap<>();

    /** Streams in whose lines the work stands; work leaves those with which it is done. */
    private final Map<Work, List<String>> standing = new HashMap<>();

    private final TwoLines<Work> ready = new TwoLines<>(work -> !CommandCrowd.isBulk(work.request.command()));

    /** Work behind other work on the same stream, by command. */
    private final Map<String, Set<Work>> blocked = new HashMap<>();

    private final StreamLines lines;

    /** Begins with the work that a former task has left. */
    WorkQueue(WorkParts parts) {
        this.context = parts.context();
        this.notes = parts.notes();
        this.lines = parts.lines();
        Works.all()
                .flatMap(kind -> former(kind, parts))
                .sorted(Comparator.comparingLong(former -> former.turn().number()))
                .forEach(this::resume);
    }

    private <S> Stream<CommandNotes.Pending<Work>> former(Work.Kind<S> kind, WorkParts parts) {
        return notes.pending(kind.name(), kind.type()).stream()
                .map(former -> new CommandNotes.Pending<>(former.turn(), kind.make(parts, former.state())));
    }

    private void resume(CommandNotes.Pending<Work> former) {
        Work work = former.state();
        works.put(work.name(), work);
        numbers.put(work.name(), former.turn().number());
        join(work, former.turn().number());
        lines.outlive(work.commandId(), former.turn().outlived());
        makeReady(work);
    }

    /**
     * Adds the work in place of work of the same kind and command: under at least once, an order may come again.
     *
     * @param number the place of the work in the order of arrival, unless its command has a place already: the offset on
     *     the topic of commands, since records that were parked are taken in another order
     */
    void add(Work work, long number) {
        Work former = works.put(work.name(), work);
        numbers.putIfAbsent(work.name(), number);
        join(work, number);
        if (former != null) {
            leave(former);
            former.close();
        }
        wake(work);
    }

    private void join(Work work, long number) {
        standing.put(work, work.streams());
        lines.join(work.commandId(), number, work.streams());
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
        save(work);
        makeReady(work);
    }

    private void save(Work work) {
        long number = Objects.requireNonNull(numbers.get(work.name()), work.name());
        var turn = new CommandNotes.Turn(number, lines.outlivedBy(work.commandId()));
        notes.save(work.name(), turn, work.state());
    }

    /** Makes the work ready, or lets it wait in line; returns true if it is ready. */
    private boolean makeReady(Work work) {
        boolean isFirst = lines.isFirst(work.commandId(), standing(work));
        if (isFirst) {
            ready.add(work);
        } else {
            blocked.computeIfAbsent(work.commandId(), id -> new LinkedHashSet<>())
                    .add(work);
        }
        return isFirst;
    }

    /** Takes the work out of all lines, so that work behind it goes on. */
    private void leave(Work work) {
        ready.remove(work);
        blocked.computeIfPresent(work.commandId(), (id, all) -> {
            all.remove(work);
            return all.isEmpty() ? null : all;
        });
        makeReady(lines.leave(work.commandId(), standing(work)));
        standing.remove(work);
    }

    /** Takes the work out of the lines of those streams with which it is done. */
    private void release(Work work) {
        List<String> before = standing(work);
        List<String> now = work.streams();
        if (now.size() < before.size()) {
            standing.put(work, now);
            makeReady(lines.release(work.commandId(), before.subList(0, before.size() - now.size())));
        }
    }

    private List<String> standing(Work work) {
        return Objects.requireNonNull(standing.get(work), work.name());
    }

    private void makeReady(Set<String> commandIds) {
        for (String commandId : commandIds) {
            Set<Work> next = blocked.remove(commandId);
            if (next != null) {
                next.forEach(this::makeReady);
            }
        }
    }

    /** Continues the work that is ready, one piece after the other. */
    void slice(long nowMs, SweepBudget budget) {
        List<Work> later = new ArrayList<>();
        while (!ready.isEmpty() && !budget.isSpent()) {
            Work work = ready.next();
            if (!makeReady(work)) {
                // Work that came earlier was parked in between.
                continue;
            }
            ready.remove(work);
            Progress progress = step(work, nowMs, budget);
            if (progress == Progress.DONE) {
                forget(work);
            } else {
                save(work);
                release(work);
            }
            saveOutlived();
            if (progress == Progress.MORE) {
                ready.add(work);
            } else if (progress == Progress.LATER) {
                later.add(work);
            }
            budget.spendStep();
            if (progress == Progress.MORE && budget.isSpent()) {
                ready.usedUp();
            }
        }
        ready.addAll(later);
    }

    /** Work behind a delete came for the stream that is gone; its note must say so before a crash. */
    private void saveOutlived() {
        Set<String> changed = lines.takeOutlived();
        if (!changed.isEmpty()) {
            works.values().stream()
                    .filter(work -> changed.contains(work.commandId()))
                    .forEach(this::save);
        }
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
        numbers.remove(work.name());
        leave(work);
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
