package dev.ebb.runtime;

import dev.ebb.store.StateFormatException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongSupplier;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler;
import org.jspecify.annotations.Nullable;

/**
 * Replaces a stream thread that failed, since most failures pass; one that comes again and again would only wear the
 * disk out with restores, so after that the instance ends and whoever runs it decides. State that this version must not
 * read ends it at once. Thread-safe.
 */
final class ThreadReplacement implements StreamsUncaughtExceptionHandler {

    private static final int LIMIT = 5;
    private static final Duration WINDOW = Duration.ofMinutes(10);

    private final LifecycleObserver observer;
    private final LongSupplier nanoClock;
    private final Deque<Long> failures = new ArrayDeque<>();
    private volatile boolean isRefused;

    ThreadReplacement(LifecycleObserver observer, LongSupplier nanoClock) {
        this.observer = observer;
        this.nanoClock = nanoClock;
    }

    /** Whether the instance met state that it must not read. */
    boolean isRefused() {
        return isRefused;
    }

    @Override
    public StreamThreadExceptionResponse handle(Throwable failure) {
        StateFormatException refusal = refusal(failure);
        if (refusal != null) {
            // Another thread would meet the same. An instance of a newer version can take over.
            isRefused = true;
            observer.refused(String.valueOf(refusal.getMessage()));
            return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
        }
        if (failure instanceof VirtualMachineError || isTooMany()) {
            observer.failed(failure);
            return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
        }
        observer.threadReplaced(failure);
        return StreamThreadExceptionResponse.REPLACE_THREAD;
    }

    private static @Nullable StateFormatException refusal(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof StateFormatException refusal) {
                return refusal;
            }
        }
        return null;
    }

    private synchronized boolean isTooMany() {
        long now = nanoClock.getAsLong();
        while (!failures.isEmpty() && now - failures.peek() > WINDOW.toNanos()) {
            failures.poll();
        }
        failures.add(now);
        return failures.size() > LIMIT;
    }
}
