package dev.ebb.store.rocks;

import dev.ebb.store.rocks.CommittedOffsets.Changelog;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.FlushOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/**
 * Keeps the files of a table at a committed state, with the offset of the changelog that it stands for, so that a start
 * after a crash reads the records behind it and no others.
 *
 * <p>Without a write-ahead log the files hold exactly what was flushed. So the table flushes between two transactions:
 * by the first write after a commit, all that was written before is committed. The write buffers are closed at once and
 * written to their files beside the work. RocksDB itself flushes at any time when its memory is used up; its files then
 * bear the mark of an open store, which is restored from nothing, until the next transaction has ended.
 *
 * <p>What a task restores, or follows as a standby, is committed anyway. Its files may be ahead of their offset, since
 * records that come once more leave the same state. Used under the lock of the store.
 */
final class Checkpoints implements AutoCloseable {

    /** Bytes in memory that make files of a good size: many small ones would be merged more often. */
    private static final long FILE_BYTES = 16L << 20;

    /** Write buffers of a family that may wait for their files: behind one more than these, writers would wait. */
    private static final int MAX_WAITING = 1;

    private final Database database;
    private final WriteBuffer buffer;
    private final SharedMemory memory;
    private final FlushOptions inBackground =
            new FlushOptions().setWaitForFlush(false).setAllowWriteStall(true);

    private @Nullable TopicPartition partition;
    private @Nullable Changelog changelog;

    /** The last committed offset that was seen. */
    private long seen;

    /** True from the first write of a transaction until it is known to be committed and marked so. */
    private boolean isOpen;

    /** True if an offset is there, or known, that stands for what is committed. */
    private boolean hasOffset;

    /** True if the next files are worth it however small they are, as soon as they have an offset. */
    private boolean isDue;

    /** Bytes of this table among the unwritten ones of the shared memory. */
    private long unwritten;

    Checkpoints(Database database, WriteBuffer buffer, SharedMemory memory) {
        this.database = database;
        this.buffer = buffer;
        this.memory = memory;
        memory.joined();
    }

    /** Goes by the committed offsets of that changelog from now on. */
    void follow(TopicPartition newPartition, Changelog newChangelog) {
        if (changelog != newChangelog) {
            partition = newPartition;
            changelog = newChangelog;
            seen = newChangelog.committed();
            // A task is restored from nothing if one of its stores has no offset, so the smallest one must have one
            // soon.
            hasOffset = database.offset(newPartition) != null;
            isDue |= !hasOffset;
        }
    }

    /** Comes before each write of a task. */
    void beforeWrite() {
        if (changelog != null && changelog.committed() != seen) {
            seen = changelog.committed();
            hasOffset = true;
            if (isWorthFiles()) {
                seal();
                flush();
            }
        }
        if (!isOpen) {
            database.markOpen();
            isOpen = true;
        }
    }

    /** Comes before each batch of restored records. */
    void beforeRestoring() {
        if (isWorthFiles()) {
            buffer.drain();
            flush();
        }
    }

    /** Keeps offsets that stand for all that was written; without any, nothing is known of it. */
    void commit(Map<TopicPartition, Long> offsets) {
        buffer.drain();
        if (offsets.isEmpty()) {
            database.forgetOffsets();
            hasOffset = false;
            return;
        }
        offsets.forEach(database::saveOffset);
        hasOffset = true;
        markClosed();
        if (isWorthFiles()) {
            flush();
        }
    }

    /** Writes files if they are worth it and all is committed. Else the next transaction begins with that. */
    void writeFiles() {
        if (isCommitted()) {
            hasOffset |= isOpen;
            if (isWorthFiles()) {
                settle();
                flush();
            }
        }
    }

    /** Makes the next files worth it, however small they are. */
    void askForFiles() {
        isDue = true;
    }

    /** Marks all that was written as committed, if it is. */
    void settle() {
        buffer.drain();
        if (isOpen && isCommitted()) {
            seal();
        }
    }

    private boolean isCommitted() {
        return !isOpen || (changelog != null && changelog.committed() != seen);
    }

    /** Marks all that was written as committed. */
    private void seal() {
        buffer.drain();
        if (changelog != null && partition != null) {
            database.saveOffset(partition, changelog.committed());
        }
        markClosed();
    }

    private void markClosed() {
        database.markClosed();
        isOpen = false;
        seen = changelog == null ? seen : changelog.committed();
    }

    private boolean isWorthFiles() {
        long before = unwritten;
        unwritten = number(database.records, "rocksdb.cur-size-active-mem-table")
                + number(database.lookups, "rocksdb.cur-size-active-mem-table");
        long all = memory.addUnwritten(unwritten - before);
        boolean isWorth = (isDue && hasOffset)
                || unwritten >= FILE_BYTES
                || memory.isAboveShare(unwritten, all)
                || (isOpen && number(database.offsets, "rocksdb.num-entries-active-mem-table") == 0);
        return isWorth && number(database.records, "rocksdb.num-immutable-mem-table") <= MAX_WAITING;
    }

    private long number(ColumnFamilyHandle family, String property) {
        try {
            return database.db.getLongProperty(family, property);
        } catch (RocksDBException e) {
            throw database.failure(e);
        }
    }

    private void flush() {
        try {
            database.db.flush(inBackground, List.of(database.records, database.lookups, database.offsets));
        } catch (RocksDBException e) {
            if (!isBusy(e)) {
                throw database.failure(e);
            }
            isDue = true;
            return;
        }
        isDue = !hasOffset;
        forgetUnwritten();
    }

    /** Writers wait for the disk, and so would this one. */
    private static boolean isBusy(RocksDBException e) {
        return e.getStatus() != null && e.getStatus().getCode() == Status.Code.TryAgain;
    }

    private void forgetUnwritten() {
        memory.addUnwritten(-unwritten);
        unwritten = 0;
    }

    @Override
    public void close() {
        forgetUnwritten();
        memory.left();
        inBackground.close();
    }
}
