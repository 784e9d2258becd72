package dev.ebb.runtime.kafka;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;

/**
 * Reads one partition from its beginning to its end, on a thread of its own, since the thread of a task must not wait
 * for a broker. The methods for the task may be called from another thread.
 */
public abstract class PartitionReading {

    private static final Duration POLL = Duration.ofMillis(200);

    private final TopicPartition partition;
    private final String work;
    private @Nullable String problem;
    private boolean isClosed;

    /** The consumer that reads; null before and after the read. */
    private @Nullable Consumer<byte[], byte[]> reader;

    /** @param work one word for the work, for people and for the name of the thread */
    protected PartitionReading(String work, TopicPartition partition) {
        this.work = work;
        this.partition = partition;
    }

    /** @param readers creates a consumer of committed records; connects */
    public final void start(Supplier<Consumer<byte[], byte[]>> readers) {
        Thread thread = new Thread(() -> run(readers), "ebb-" + work + "-" + partition);
        thread.setDaemon(true);
        thread.start();
    }

    /** Reports every failure, since no other thread waits for this one. */
    public final void run(Supplier<Consumer<byte[], byte[]>> readers) {
        try (Consumer<byte[], byte[]> log = readers.get()) {
            if (begin(log)) {
                log.assign(Set.of(partition));
                readUntilClosed(log);
            }
        } catch (RuntimeException | Error e) {
            fail("the records on " + partition + " cannot be read: " + reason(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            fail("the reading of " + partition + " was interrupted");
        }
    }

    /** Errors of the virtual machine often have no message. */
    private static String reason(Throwable failure) {
        String message = failure.getMessage();
        return message == null ? failure.getClass().getSimpleName() : message;
    }

    private void readUntilClosed(Consumer<byte[], byte[]> log) throws InterruptedException {
        try {
            read(log);
        } catch (WakeupException e) {
            if (!isClosed()) {
                throw e;
            }
        } finally {
            release();
        }
    }

    /** Returns false if the read was closed before it began. */
    private synchronized boolean begin(Consumer<byte[], byte[]> log) {
        reader = isClosed ? null : log;
        return !isClosed;
    }

    /** A consumer must not be woken once it is about to close. */
    private synchronized void release() {
        reader = null;
    }

    /** Reads with one or several {@linkplain #scan scans}. */
    protected abstract void read(Consumer<byte[], byte[]> log) throws InterruptedException;

    /** Takes a record. */
    @FunctionalInterface
    protected interface Visitor {
        void look(ConsumerRecord<byte[], byte[]> record) throws InterruptedException;
    }

    /** Returns the present end of the partition. */
    protected final long end(Consumer<byte[], byte[]> log) {
        return log.endOffsets(Set.of(partition)).getOrDefault(partition, 0L);
    }

    /** Returns the offset before which all records are older than that time, epoch milliseconds. */
    protected final long begin(Consumer<byte[], byte[]> log, long sinceMs, long end) {
        OffsetAndTimestamp first =
                log.offsetsForTimes(Map.of(partition, Math.max(0, sinceMs))).get(partition);
        return first == null ? end : first.offset();
    }

    /** Shows all records up to that end to the visitor; returns false if the read was closed. */
    protected final boolean scan(Consumer<byte[], byte[]> log, long end, Visitor visitor) throws InterruptedException {
        return scan(log, 0, end, visitor);
    }

    /**
     * Shows all records from one offset up to that end to the visitor, beginning with the first one that is there;
     * returns false if the read was closed.
     */
    protected final boolean scan(Consumer<byte[], byte[]> log, long begin, long end, Visitor visitor)
            throws InterruptedException {
        if (begin > 0) {
            log.seek(
                    partition,
                    Math.max(begin, log.beginningOffsets(Set.of(partition)).getOrDefault(partition, 0L)));
        } else {
            log.seekToBeginning(Set.of(partition));
        }
        while (!isClosed() && log.position(partition) < end) {
            for (ConsumerRecord<byte[], byte[]> record : log.poll(POLL)) {
                if (record.offset() < end) {
                    visitor.look(record);
                }
            }
        }
        return !isClosed();
    }

    /**
     * Returns what the finder makes of the first record up to that end of which it makes anything; null if there is
     * none, or the read was closed.
     */
    protected final <T> @Nullable T first(
            Consumer<byte[], byte[]> log, long end, Function<ConsumerRecord<byte[], byte[]>, @Nullable T> finder) {
        log.seekToBeginning(Set.of(partition));
        while (!isClosed() && log.position(partition) < end) {
            for (ConsumerRecord<byte[], byte[]> record : log.poll(POLL)) {
                T found = record.offset() < end ? finder.apply(record) : null;
                if (found != null) {
                    return found;
                }
            }
        }
        return null;
    }

    /** Returns true if the topic has this partition. */
    protected final boolean isThere(Consumer<byte[], byte[]> log) {
        List<PartitionInfo> partitions = log.partitionsFor(partition.topic());
        return partitions != null && partitions.stream().anyMatch(one -> one.partition() == partition.partition());
    }

    protected final synchronized void fail(String reason) {
        problem = reason;
    }

    /** Returns the reason why the read cannot continue; null if there is none. */
    public final synchronized @Nullable String problem() {
        return problem;
    }

    protected final synchronized boolean isClosed() {
        return isClosed;
    }

    /**
     * Ends the read, even while it waits for a broker that is away or for a taker of its records. May be called from
     * any thread, and more than once.
     */
    public final synchronized void close() {
        isClosed = true;
        notifyAll();
        if (reader != null) {
            reader.wakeup();
        }
    }
}
