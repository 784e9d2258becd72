package dev.ebb.runtime.history;

import dev.ebb.port.NotReadyException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;

/**
 * Consumers that stay connected between queries, since creating one takes longer than most queries. The number in use
 * at once is limited, because each consumer holds the records that it has fetched. Thread-safe.
 */
public final class WarmReaders implements AutoCloseable {

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);
    private static final Duration TRY_AGAIN = Duration.ofSeconds(1);

    private final Supplier<Consumer<byte[], byte[]>> readers;
    private final Semaphore free;
    private final Duration patience;
    private final Deque<Consumer<byte[], byte[]>> idle = new ArrayDeque<>();
    private boolean isClosed;

    /**
     * @param readers creates a consumer; connects
     * @param atOnce the maximum number of consumers in use at the same time, which is also the number that is kept
     * @param patience longest wait of a query while all consumers are in use
     */
    public WarmReaders(Supplier<Consumer<byte[], byte[]>> readers, int atOnce, Duration patience) {
        this.readers = readers;
        this.free = new Semaphore(atOnce, true);
        this.patience = patience;
    }

    /**
     * Takes a reader for this caller alone, until the lease is closed.
     *
     * @throws NotReadyException if all readers stay in use for longer than the patience
     */
    public Lease take() {
        try {
            if (!free.tryAcquire(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new NotReadyException("others read the topics, as many as may at once", TRY_AGAIN);
            }
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
        try {
            Consumer<byte[], byte[]> kept = keptOne();
            return new Lease(kept == null ? readers.get() : kept);
        } catch (RuntimeException e) {
            free.release();
            throw e;
        }
    }

    /** Closes the kept readers; readers in use are closed on their return. */
    @Override
    public void close() {
        Consumer<byte[], byte[]> kept = lastOne();
        while (kept != null) {
            kept.close(CloseOptions.timeout(CLOSE_TIMEOUT));
            kept = keptOne();
        }
    }

    private synchronized @Nullable Consumer<byte[], byte[]> lastOne() {
        isClosed = true;
        return keptOne();
    }

    private synchronized @Nullable Consumer<byte[], byte[]> keptOne() {
        return idle.pollLast();
    }

    private synchronized boolean keep(Consumer<byte[], byte[]> reader) {
        return !isClosed && idle.add(reader);
    }

    /** The use of one consumer. Not thread-safe. */
    final class Lease implements AutoCloseable {

        private final Consumer<byte[], byte[]> reader;
        private boolean isOver;

        private Lease(Consumer<byte[], byte[]> reader) {
            this.reader = reader;
        }

        Consumer<byte[], byte[]> reader() {
            return reader;
        }

        /** Makes the consumer forget fetched records, and keeps it for the next query unless that fails. */
        @Override
        public void close() {
            if (isOver) {
                return;
            }
            isOver = true;
            try {
                if (!isForgetful() || !keep(reader)) {
                    reader.close(CloseOptions.timeout(CLOSE_TIMEOUT));
                }
            } finally {
                free.release();
            }
        }

        private boolean isForgetful() {
            try {
                reader.unsubscribe();
                return true;
            } catch (RuntimeException e) {
                return false;
            }
        }
    }
}
