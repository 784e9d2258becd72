package dev.ebb.runtime.reads;

import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A count that is made on request. It stands for a second, or for twenty times as long as it took if that is more, so
 * that frequent callers cannot keep an instance busy with counts alone; meanwhile callers do not wait. Thread-safe.
 */
public final class StandingCount<T> implements AutoCloseable {

    /** Longest wait of a caller for a new count. */
    public static final Duration PATIENCE = Duration.ofSeconds(5);

    private static final long FRESH_MS = 1000;
    private static final long REST = 20;

    private final LongFunction<T> count;
    private final Clock clock;
    private final ExecutorService counter;
    private final Duration patience;
    private volatile boolean isClosed;
    private @Nullable Made<T> made;
    private @Nullable CompletableFuture<Made<T>> running;
    private long freshUntilMs;

    /**
     * @param count makes a new count as of the given moment, epoch milliseconds
     * @param counter runs one count at a time; closed with this object
     * @param patience longest wait of a caller for a new count
     */
    public StandingCount(LongFunction<T> count, Clock clock, ExecutorService counter, Duration patience) {
        this.count = count;
        this.clock = clock;
        this.counter = counter;
        this.patience = patience;
    }

    private record Made<T>(T value, long atMs) {}

    /** Returns a thread for one count at a time, which does not keep the process from ending. */
    public static ExecutorService thread(String name) {
        return Executors.newSingleThreadExecutor(task -> {
            Thread daemon = new Thread(task, name);
            daemon.setDaemon(true);
            return daemon;
        });
    }

    /**
     * Returns the standing count, a new one, or the former one if a new one takes long; empty if there is none yet.
     * Rethrows the exception of a count; a failed count does not stand.
     */
    public Optional<T> get() {
        try {
            return Optional.of(
                    begun().get(patience.toMillis(), TimeUnit.MILLISECONDS).value());
        } catch (TimeoutException | RejectedExecutionException e) {
            return former();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new IllegalStateException("the count has failed", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return former();
        }
    }

    /** Drops a count that is of no use any more, so that the next caller gets a new one. */
    public synchronized void drop(T useless) {
        Made<T> known = made;
        if (known != null && known.value() == useless) {
            made = null;
        }
    }

    /** Returns true if the count is no longer wanted. */
    public boolean isClosed() {
        return isClosed;
    }

    @Override
    public void close() {
        isClosed = true;
        counter.shutdownNow();
    }

    /** Returns the count that answers: a standing one, a running one, or a new one. */
    private synchronized CompletableFuture<Made<T>> begun() {
        Made<T> known = made;
        long now = clock.millis();
        if (known != null && now < freshUntilMs && now >= known.atMs()) {
            return CompletableFuture.completedFuture(known);
        }
        CompletableFuture<Made<T>> begun = running;
        if (begun == null) {
            begun = CompletableFuture.supplyAsync(this::make, counter);
            running = begun;
            // Registered after the field is set, since the count may be done already.
            var unused = begun.whenComplete((result, failure) -> end(result));
        }
        return begun;
    }

    private Made<T> make() {
        long now = clock.millis();
        return new Made<>(count.apply(now), now);
    }

    private synchronized void end(@Nullable Made<T> ended) {
        running = null;
        if (ended != null) {
            made = ended;
            long tookMs = clock.millis() - ended.atMs();
            freshUntilMs = ended.atMs() + Math.max(FRESH_MS, REST * tookMs);
        }
    }

    private synchronized Optional<T> former() {
        return Optional.ofNullable(made).map(Made::value);
    }
}
