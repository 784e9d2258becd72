package dev.ebb.runtime.writes;

import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.Outcome;
import dev.ebb.port.CommandDesk.Report;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;

/** Latest results of the newest commands, with a wait for final ones. Thread-safe. */
public final class LatestResults {

    private final long maxWeight;
    private final Map<String, Report> byId = new LinkedHashMap<>(16, 0.75f, true);
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition isChanged = lock.newCondition();
    private volatile Consumer<String> whenFinal = commandId -> {};
    private long reports;
    private long weight;
    private boolean isClosed;

    /** @param maxWeight the maximum number of results to keep, where each part of a result counts as one more */
    public LatestResults(long maxWeight) {
        this.maxWeight = maxWeight;
    }

    /** Has the listener told the ids of commands with a final result, on the thread that adds the result. */
    void whenFinal(Consumer<String> listener) {
        whenFinal = listener;
    }

    /**
     * Adds the result; only another final result replaces a final one, unless that said that there was no room for the
     * command.
     *
     * @param partition the partition of the topic that the result comes from
     */
    void put(CommandResult result, int partition) {
        lock.lock();
        try {
            Report known = byId.get(result.commandId());
            if (known == null || isReplaced(known.result(), result)) {
                replace(known, result, OptionalInt.of(partition));
            }
            isChanged.signalAll();
        } finally {
            lock.unlock();
        }
        if (result.isFinal()) {
            whenFinal.accept(result.commandId());
        }
    }

    private static boolean isReplaced(CommandResult known, CommandResult by) {
        return !known.isFinal() || by.isFinal() || known.isTurnedAway();
    }

    /**
     * Adds the result of this instance unless one of that command is known; a refusal for lack of room is over.
     *
     * @return the report that was added; empty if one is known
     */
    Optional<Report> putIfAbsent(CommandResult result) {
        lock.lock();
        try {
            Report known = byId.get(result.commandId());
            if (known != null && !known.result().isTurnedAway()) {
                return Optional.empty();
            }
            Report added = replace(known, result, OptionalInt.empty());
            isChanged.signalAll();
            return Optional.of(added);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Replaces the report, unless another one has taken its place.
     *
     * @param result the new one; null to forget the command
     * @return false if another report has taken its place
     */
    boolean settle(Report former, int partition, @Nullable CommandResult result) {
        lock.lock();
        try {
            String commandId = former.result().commandId();
            Report known = byId.get(commandId);
            if (known != null && known.number() != former.number()) {
                return false;
            }
            if (result != null) {
                replace(known, result, OptionalInt.of(partition));
            } else if (known != null) {
                weight -= weight(known);
                byId.remove(commandId);
            }
            isChanged.signalAll();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Forgets a report of this instance, unless another one has taken its place. */
    void takeBack(Report own) {
        settle(own, 0, null);
    }

    public Optional<CommandResult> find(String commandId) {
        return await(commandId, Duration.ZERO);
    }

    /** Returns the known result once it is final, the wait is over or this object is closed. */
    public Optional<CommandResult> await(String commandId, Duration wait) {
        return report(commandId, wait).map(Report::result);
    }

    /** Returns the last report once it is final, the wait is over or this object is closed. */
    Optional<Report> report(String commandId, Duration wait) {
        lock.lock();
        try {
            long leftNanos = wait.toNanos();
            while (!isFinal(byId.get(commandId)) && leftNanos > 0 && !isClosed) {
                leftNanos = isChanged.awaitNanos(leftNanos);
            }
            return Optional.ofNullable(byId.get(commandId));
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until the condition holds.
     *
     * @param isSo the condition, checked again after each result; must only look up results of this object
     * @return false if the wait was over or this object was closed before
     */
    public boolean awaitUntil(BooleanSupplier isSo, Duration wait) {
        lock.lock();
        try {
            long leftNanos = wait.toNanos();
            while (!isSo.getAsBoolean()) {
                if (leftNanos <= 0 || isClosed) {
                    return false;
                }
                leftNanos = isChanged.awaitNanos(leftNanos);
            }
            return true;
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        } finally {
            lock.unlock();
        }
    }

    /** Ends all waits. */
    public void close() {
        lock.lock();
        try {
            isClosed = true;
            isChanged.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private Report replace(@Nullable Report known, CommandResult result, OptionalInt partition) {
        Report report = new Report(result, partition, reports);
        reports++;
        byId.put(result.commandId(), report);
        weight += weight(report) - (known == null ? 0 : weight(known));
        Iterator<Report> eldest = byId.values().iterator();
        while (weight > maxWeight && byId.size() > 1) {
            weight -= weight(eldest.next());
            eldest.remove();
        }
        return report;
    }

    private static boolean isFinal(@Nullable Report report) {
        return report != null && report.result().isFinal();
    }

    private static long weight(Report report) {
        return report.result().outcome() instanceof Outcome.Swept swept
                ? 1L + swept.parts().biggest().size()
                : 1L;
    }
}
