package dev.ebb.runtime.trash;

import dev.ebb.runtime.kafka.PartitionReading;
import dev.ebb.topology.trash.FoundTrash;
import dev.ebb.topology.trash.TrashGuard;
import dev.ebb.topology.trash.TrashIndex;
import dev.ebb.topology.trash.TrashSource;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** Audit of one partition of the trash: a look at its first record, and at all of them only if that one is new. */
final class TrashAuditing extends PartitionReading implements TrashSource.Audit {

    private final TrashGuard guard;
    private final long lastHead;
    private long head = UNKNOWN;
    private @Nullable FoundTrash found;
    private boolean isRead;

    /**
     * @param guard knows the records that are promised
     * @param lastHead the number of the first record at the last audit, or {@link #ALL}
     */
    TrashAuditing(TopicPartition partition, TrashGuard guard, long lastHead) {
        super("audit", partition);
        this.guard = guard;
        this.lastHead = lastHead;
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
        long serial = guard.serial(record.key(), record.value(), record.headers());
        return serial < 0 ? null : (Long) serial;
    }

    private static void note(TrashIndex index, ConsumerRecord<byte[], byte[]> record) {
        index.note(record.offset(), record.key(), record.value(), record.headers());
    }

    private synchronized void end(long serial, @Nullable FoundTrash all) {
        head = serial;
        found = all;
        isRead = !isClosed();
    }

    /** Returns true if it reads no more. */
    synchronized boolean isOver() {
        return isDone() || isClosed();
    }

    /** An audit that fails is made again an hour later. */
    @Override
    public synchronized boolean isDone() {
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
