package dev.ebb.undo;

import dev.ebb.runtime.kafka.PartitionReading;
import dev.ebb.topology.trash.FoundTrash;
import dev.ebb.topology.trash.TrashGuard;
import dev.ebb.topology.trash.TrashIndex;
import dev.ebb.topology.trash.TrashSource;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Audit of one partition of the trash: a look at its first record, and at all of them only if that one is new. Ends as
 * failed once it finds no record for a long time, since others wait for their turn: the end of a topic that was made
 * anew may never be reached.
 */
final class TrashAuditing extends PartitionReading implements TrashSource.Audit {

    /** Time without a record after which the audit has failed. */
    static final Duration PATIENCE = Duration.ofMinutes(10);

    private final TrashGuard guard;
    private final long lastHead;
    private final LongSupplier nanoTime;

    /** Time of the last record, or of the start. */
    private volatile long movedNanos;

    private long head = UNKNOWN;
    private @Nullable FoundTrash found;
    private boolean isRead;

    /**
     * @param guard knows the records that are promised
     * @param lastHead the number of the first record at the last audit, or {@link #ALL}
     * @param nanoTime a clock that never jumps
     */
    TrashAuditing(TopicPartition partition, TrashGuard guard, long lastHead, LongSupplier nanoTime) {
        super("audit", partition);
        this.guard = guard;
        this.lastHead = lastHead;
        this.nanoTime = nanoTime;
        this.movedNanos = nanoTime.getAsLong();
    }

    @Override
    protected void read(Consumer<byte[], byte[]> log) throws InterruptedException {
        boolean isThere = isThere(log);
        long end = isThere ? end(log) : 0;
        Long first = isThere ? first(log, end, this::serial) : null;
        long serial = first == null ? Long.MAX_VALUE : first;
        if (!guard.mustReadAll(serial, lastHead)) {
            end(serial, null);
            return;
        }
        TrashIndex index = TrashIndex.ofAudit(guard);
        if (!isThere || scan(log, end, record -> note(index, record))) {
            end(serial, index.found());
        }
    }

    private @Nullable Long serial(ConsumerRecord<byte[], byte[]> record) {
        movedNanos = nanoTime.getAsLong();
        long serial = guard.serial(record.key(), record.value(), record.headers());
        return serial < 0 ? null : (Long) serial;
    }

    private void note(TrashIndex index, ConsumerRecord<byte[], byte[]> record) {
        movedNanos = nanoTime.getAsLong();
        index.note(record.offset(), record.key(), record.value(), record.headers());
    }

    private synchronized void end(long serial, @Nullable FoundTrash all) {
        if (!isClosed()) {
            head = serial;
            found = all;
            isRead = true;
        }
    }

    /** Returns true if it reads no more. */
    synchronized boolean isOver() {
        return isDone() || isClosed();
    }

    /** An audit that fails is made again an hour later. */
    @Override
    public synchronized boolean isDone() {
        if (!isRead && problem() == null && nanoTime.getAsLong() - movedNanos >= PATIENCE.toNanos()) {
            fail("the audit has found no record for " + PATIENCE.toMinutes() + " minutes");
            close();
        }
        return isRead || problem() != null;
    }

    @Override
    public synchronized long head() {
        return head;
    }

    @Override
    public synchronized @Nullable FoundTrash found() {
        return found;
    }
}
