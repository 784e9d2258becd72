package dev.ebb.runtime.writes;

import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.Refusal;
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

    private static final int OWN = -1;

    private final long maxWeight;
    private final Map<String, Report> byId = new LinkedHashMap<>(16, 0.75f, true);
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition isChanged = lock.newCondition();
    private volatile Consumer<String> whenFinal = commandId -> {};
    private long weight;
    private boolean isClosed;

    /** @param partition the partition of the topic that the result comes from; {@link #OWN} if it is from this instance */
    private record Report(CommandResult result, int partition) {

        boolean isReplacedBy(CommandResult other) {
            return !result.isFinal() || other.isFinal() || result.refusal() == Refusal.BUSY;
        }
    }

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
            if (known == null || known.isReplacedBy(result)) {
                replace(known, new Report(result, partition));
            }
            isChanged.signalAll();
        } finally {
            lock.unlock();
        }
        if (result.isFinal()) {
            whenFinal.accept(result.commandId());
        }
    }

    /** Adds the result of this instance unless one of that command is known; a refusal for lack of room is over. */
    void putIfAbsent(CommandResult result) {
        lock.lock();
        try {
            Report known = byId.get(result.commandId());
            if (known == null || known.result.refusal() == Refusal.BUSY) {
                replace(known, new Report(result, OWN));
                isChanged.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Replaces the result of a command.
     *
     * @param result the new one; null to forget the command
     */
    void settle(String commandId, int partition, @Nullable CommandResult result) {
        lock.lock();
        try {
            Report known = byId.get(commandId);
            if (result != null) {
                replace(known, new Report(result, partition));
            } else if (known != null) {
                weight -= weight(known);
                byId.remove(commandId);
            }
            isChanged.signalAll();
        } finally {
            lock.unlock();
        }
    }

    public Optional<CommandResult> find(String commandId) {
        lock.lock();
        try {
            return result(commandId);
        } finally {
            lock.unlock();
        }
    }

    /** Returns the partition of the topic that the result comes from; empty if it is from this instance, or unknown. */
    OptionalInt partitionOf(String commandId) {
        lock.lock();
        try {
            Report known = byId.get(commandId);
            return known == null || known.partition == OWN ? OptionalInt.empty() : OptionalInt.of(known.partition);
        } finally {
            lock.unlock();
        }
    }

    /** Returns the known result once it is final, the wait is over or this object is closed. */
    public Optional<CommandResult> await(String commandId, Duration wait) {
        lock.lock();
        try {
            long leftNanos = wait.toNanos();
            while (!isFinal(byId.get(commandId)) && leftNanos > 0 && !isClosed) {
                leftNanos = isChanged.awaitNanos(leftNanos);
            }
            return result(commandId);
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

    private Optional<CommandResult> result(String commandId) {
        return Optional.ofNullable(byId.get(commandId)).map(Report::result);
    }

    private void replace(@Nullable Report known, Report report) {
        byId.put(report.result.commandId(), report);
        weight += weight(report) - (known == null ? 0 : weight(known));
        Iterator<Report> eldest = byId.values().iterator();
        while (weight > maxWeight && byId.size() > 1) {
            weight -= weight(eldest.next());
            eldest.remove();
        }
    }

    private static boolean isFinal(@Nullable Report report) {
        return report != null && report.result.isFinal();
    }

    private static long weight(Report report) {
        return 1L + report.result.parts().size();
    }
}
