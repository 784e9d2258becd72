package dev.ebb.runtime;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongSupplier;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler;

/**
 * Replaces a stream thread that failed, since most failures pass; one that comes again and again would only wear the
 * disk out with restores, so after that the instance ends and whoever runs it decides. Thread-safe.
 */
final class ThreadReplacement implements StreamsUncaughtExceptionHandler {

    private static final int LIMIT = 5;
    private static final Duration WINDOW = Duration.ofMinutes(10);

    private final LifecycleObserver observer;
    private final LongSupplier nanoClock;
    private final Deque<Long> failures = new ArrayDeque<>();

    ThreadReplacement(LifecycleObserver observer, LongSupplier nanoClock) {
        this.observer = observer;
        this.nanoClock = nanoClock;
    }

    @Override
    public StreamThreadExceptionResponse handle(Throwable failure) {
        if (failure instanceof VirtualMachineError || isTooMany()) {
            observer.failed(failure);
            return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
        }
        observer.threadReplaced(failure);
        return StreamThreadExceptionResponse.REPLACE_THREAD;
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
