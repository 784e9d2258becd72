package dev.ebb.runtime.writes;

import dev.ebb.domain.command.CommandResult;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;

/** Latest results of the newest commands, with a wait for final ones. Thread-safe. */
public final class LatestResults {

    private final long maxWeight;
    private final Map<String, CommandResult> byId = new LinkedHashMap<>(16, 0.75f, true);
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition isChanged = lock.newCondition();
    private long weight;
    private boolean isClosed;

    /** @param maxWeight the maximum number of results to keep, where each part of a result counts as one more */
    public LatestResults(long maxWeight) {
        this.maxWeight = maxWeight;
    }

    /** Adds the result; only another final result replaces a final one. */
    void put(CommandResult result) {
        lock.lock();
        try {
            CommandResult known = byId.get(result.commandId());
            if (known == null || !known.isFinal() || result.isFinal()) {
                replace(known, result);
            }
            isChanged.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Adds the result unless one of that command is known. */
    void putIfAbsent(CommandResult result) {
        lock.lock();
        try {
            if (!byId.containsKey(result.commandId())) {
                replace(null, result);
                isChanged.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    public Optional<CommandResult> find(String commandId) {
        lock.lock();
        try {
            return Optional.ofNullable(byId.get(commandId));
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

    private void replace(@Nullable CommandResult known, CommandResult result) {
        byId.put(result.commandId(), result);
        weight += weight(result) - (known == null ? 0 : weight(known));
        Iterator<CommandResult> eldest = byId.values().iterator();
        while (weight > maxWeight && byId.size() > 1) {
            weight -= weight(eldest.next());
            eldest.remove();
        }
    }

    private static boolean isFinal(@Nullable CommandResult result) {
        return result != null && result.isFinal();
    }

    private static long weight(CommandResult result) {
        return 1L + result.parts().size();
    }
}
