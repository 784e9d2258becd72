package dev.ebb.runtime.streams;

import dev.ebb.domain.time.Durations;
import dev.ebb.runtime.life.LifecycleObserver;
import dev.ebb.store.layout.StateFormatException;
import dev.ebb.store.layout.TakenInBeforeException;
import dev.ebb.topology.fault.FailedRecordException;
import dev.ebb.topology.fault.FailedWork;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler;
import org.jspecify.annotations.Nullable;

/**
 * Replaces a stream thread that failed, since most failures pass. A failure that recurs in the same task would only
 * wear out the disk with restores, and so would very many failures of any kind: the instance then ends and leaves the
 * decision to its operator. Failures of several partitions do not add up to the limit of a task, since each may pass by
 * itself; a failure on a single record does not count, since the next thread sets the record aside. State that this
 * version must not read, input that was taken in before, and a machine without memory end the instance at once.
 * Thread-safe.
 */
final class ThreadReplacement implements StreamsUncaughtExceptionHandler {

    /** Maximum number of failures of one kind in one task. */
    private static final int LIMIT = 5;

    /** Maximum number of failures of all kinds in all tasks; more are the fault of the instance. */
    private static final int LIMIT_OF_ALL = 20;

    private static final Duration WINDOW = Duration.ofMinutes(10);

    private final LifecycleObserver observer;
    private final LongSupplier nanoClock;
    private final Map<Cause, Deque<Long>> failures = new LinkedHashMap<>();
    private volatile boolean isRefused;

    ThreadReplacement(LifecycleObserver observer, LongSupplier nanoClock) {
        this.observer = observer;
        this.nanoClock = nanoClock;
    }

    /** Returns true if the instance met state that it must not read, or input that was taken in before. */
    boolean isRefused() {
        return isRefused;
    }

    @Override
    public StreamThreadExceptionResponse handle(Throwable failure) {
        RuntimeException refusal = refusal(failure);
        if (refusal != null) {
            return refuse(refusal);
        }
        Cause cause = Cause.of(failure);
        // Checked first: a record whose depth overflowed the stack says nothing about the machine.
        boolean isOfOneRecord = find(FailedRecordException.class, failure) != null;
        int times = isOfOneRecord ? 0 : count(cause);
        if (!isOfOneRecord && endsInstance(failure, times)) {
            observer.failed(failure);
            return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
        }
        observer.threadReplaced(
                new LifecycleObserver.ThreadFailure(cause.where(), FailedWork.of(failure), times, LIMIT, failure));
        return StreamThreadExceptionResponse.REPLACE_THREAD;
    }

    /** Another thread would fail in the same way, and most likely another instance too. */
    private StreamThreadExceptionResponse refuse(RuntimeException refusal) {
        isRefused = true;
        observer.refused(String.valueOf(refusal.getMessage()));
        return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
    }

    private boolean endsInstance(Throwable failure, int times) {
        return find(VirtualMachineError.class, failure) != null || times > LIMIT || sum() > LIMIT_OF_ALL;
    }

    /** Returns the failures of the last minutes, as the end of a sentence; null if there are none. */
    synchronized @Nullable String recent() {
        forgetOld();
        if (failures.isEmpty()) {
            return null;
        }
        Map<String, Integer> byPlace = new LinkedHashMap<>();
        failures.forEach((cause, times) -> byPlace.merge(cause.where(), times.size(), Integer::sum));
        StringBuilder text = new StringBuilder();
        byPlace.forEach((where, times) -> text.append(text.length() == 0 ? "" : ", ")
                .append(where)
                .append(" (")
                .append(times(times))
                .append(')'));
        return "threads failed in the last " + Durations.format(WINDOW.toMillis()) + ": " + text + "; see the log";
    }

    private static @Nullable RuntimeException refusal(Throwable failure) {
        StateFormatException format = find(StateFormatException.class, failure);
        return format == null ? find(TakenInBeforeException.class, failure) : format;
    }

    private static String times(int times) {
        return times == 1 ? "once" : times + " times";
    }

    private static <T extends Throwable> @Nullable T find(Class<T> type, Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (type.isInstance(cause)) {
                return type.cast(cause);
            }
        }
        return null;
    }

    /** Counts the failure, and returns the number within the window, this one included. */
    private synchronized int count(Cause cause) {
        forgetOld();
        Deque<Long> times = failures.computeIfAbsent(cause, key -> new ArrayDeque<>());
        times.add(nanoClock.getAsLong());
        return times.size();
    }

    private synchronized int sum() {
        return failures.values().stream().mapToInt(Deque::size).sum();
    }

    private void forgetOld() {
        long now = nanoClock.getAsLong();
        failures.values().forEach(times -> times.removeIf(time -> now - time > WINDOW.toNanos()));
        failures.values().removeIf(Deque::isEmpty);
    }

    /**
     * Identity of a failure; equal failures count together.
     *
     * @param where the task, for people
     * @param kind type of the innermost exception
     */
    private record Cause(String where, Class<?> kind) {

        static Cause of(Throwable failure) {
            Throwable first = failure;
            String where = null;
            for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
                first = cause;
                where = where == null && cause instanceof StreamsException streams ? where(streams) : where;
            }
            return new Cause(where == null ? "a thread" : where, first.getClass());
        }

        /** The task of the policies is the only one of its kind. */
        private static @Nullable String where(StreamsException failure) {
            return failure.taskId()
                    .map(task -> task.subtopology() == 0 ? "partition " + task.partition() : "the policies")
                    .orElse(null);
        }
    }
}
