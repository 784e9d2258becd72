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
 * Keeps the files of a table at a committed state, together with the offset of the changelog for this state, so that a
 * start after a crash reads only the records after it.
 *
 * <p>Without a write-ahead log the files hold exactly what was flushed. So the table flushes between two transactions:
 * at the first write after a commit, everything written before is committed. The write buffers are closed at once and
 * written to their files in the background. RocksDB itself flushes at any time when its memory is used up. Its files
 * then bear the mark of an open store, which is restored from nothing, until the next transaction has ended.
 *
 * <p>Everything that a task restores, or follows as a standby, is already committed. Its files may be ahead of their
 * offset, since records that are repeated leave the same state. Used under the lock of the store.
 */
final class Checkpoints implements AutoCloseable {

    /** The bytes in memory that make files of a good size: many small files would be merged more often. */
    private static final long FILE_BYTES = 16L << 20;

    /** The most write buffers of a family that may wait for their files: with one more, writers would wait. */
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

    /** True if an offset for the committed state is stored or known. */
    private boolean hasOffset;

    /** True if files are to be written next, however small, as soon as they have an offset. */
    private boolean isDue;

    /** The bytes of this table among the unwritten bytes of the shared memory. */
    private long unwritten;

    Checkpoints(Database database, WriteBuffer buffer, SharedMemory memory) {
        this.database = database;
        this.buffer = buffer;
        this.memory = memory;
        memory.joined();
    }

    /** Follows the committed offsets of this changelog from now on. */
    void follow(TopicPartition newPartition, Changelog newChangelog) {
        if (changelog != newChangelog) {
            partition = newPartition;
            changelog = newChangelog;
            seen = newChangelog.committed();
            // A task is restored from nothing if one of its stores has no offset, so even the smallest store must get
            // one soon.
            hasOffset = database.offset(newPartition) != null;
            isDue |= !hasOffset;
        }
    }

    /** Must be called before each write of a task. */
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

    /** Must be called before each batch of restored records. */
    void beforeRestoring() {
        if (isWorthFiles()) {
            buffer.drain();
            flush();
        }
    }

    /** Keeps offsets that stand for everything written so far; an empty map means that nothing is known of it. */
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

    /**
     * Writes files if this is worthwhile and everything is committed. Otherwise the next transaction begins with it.
     */
    void writeFiles() {
        if (isCommitted()) {
            hasOffset |= isOpen;
            if (isWorthFiles()) {
                settle();
                flush();
            }
        }
    }

    /** Has files written next, however small. */
    void askForFiles() {
        isDue = true;
    }

    /** Marks everything written so far as committed, if it is. */
    void settle() {
        buffer.drain();
        if (isOpen && isCommitted()) {
            seal();
        }
    }

    private boolean isCommitted() {
        return !isOpen || (changelog != null && changelog.committed() != seen);
    }

    /** Marks everything written so far as committed. */
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

    /** Returns true if writers are waiting for the disk, as this flush would. */
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
