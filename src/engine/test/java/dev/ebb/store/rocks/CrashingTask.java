package dev.ebb.store.rocks;

import static dev.ebb.store.rocks.TestChangelog.text;
import static dev.ebb.store.rocks.TestChangelog.utf8;

import dev.ebb.domain.event.StreamName;
import dev.ebb.store.gather.EventLog.Known;
import dev.ebb.store.gather.GatheringStore;
import dev.ebb.store.gather.LoggingContext;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.TaskCorruptedException;
import org.apache.kafka.streams.processor.BatchingStateRestoreCallback;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.FlushOptions;
import org.rocksdb.RocksDBException;

/**
 * A task with one store and its changelog, as Kafka Streams would run it: transactions, restorations, and crashes, after
 * which the store is opened on the files that lay there at that moment.
 */
final class CrashingTask implements AutoCloseable {

    static final TopicPartition CHANGELOG = new TopicPartition("events-changelog", 0);

    private static final StreamName STREAM = new StreamName("a/1");

    /** Some seven changes, so that a long transaction writes some of them before its end. */
    private static final int GATHERED_BYTES = 1200;

    private final File folder;
    private final SharedMemory memory;
    private final List<BatchingStateRestoreCallback> callbacks = new ArrayList<>();

    private final TestChangelog changelog = new TestChangelog();
    private CommittedOffsets offsets = new CommittedOffsets();
    private @Nullable Database database;
    private GatheringStore store;
    private int lives;
    private boolean wasWiped;

    /** With an empty store that is open. */
    CrashingTask(File folder, SharedMemory memory) {
        this.folder = folder;
        this.memory = memory;
        this.store = open();
    }

    /** Writes or deletes as for an event. A value is an id and a mark, such as {@code 7-3}; null deletes. */
    void put(String key, @Nullable String value) {
        if (value == null) {
            store.leave(Bytes.wrap(utf8(key)));
        } else {
            store.put(STREAM, Bytes.wrap(utf8(key)), utf8(value), Known.AS_IT_WAS);
        }
    }

    /** Ends the transaction; the producer tells it. */
    void commit() {
        store.flushCache();
        long last = changelog.commit();
        if (last >= 0) {
            offsets.committed(CHANGELOG, last);
        }
    }

    /** Kafka Streams tells the offset of the last record, as it does before it closes a store. */
    void keepOffset() {
        keepRestored(changelog.end() - 2L);
    }

    /** Its changelog is damaged. */
    void forgetOffsets() {
        store.commit(Map.of());
    }

    /** A second has gone by. */
    void writeFiles() {
        offsets.writeFiles();
    }

    /** Ten minutes have gone by. */
    void askForFiles() {
        offsets.askForFiles();
    }

    /** Flushes as RocksDB does when its memory is used up. */
    void flush() {
        store.range(null, null).close();
        try (FlushOptions now = new FlushOptions()) {
            database.db.flush(now, List.of(database.records, database.lookups, database.offsets));
        } catch (RocksDBException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Waits for files that are being written. */
    void awaitFiles() {
        try {
            database.db.pauseBackgroundWork();
            while (waiting(database.records) + waiting(database.offsets) > 0) {
                database.db.continueBackgroundWork();
                database.db.pauseBackgroundWork();
            }
            database.db.continueBackgroundWork();
        } catch (RocksDBException e) {
            throw new IllegalStateException(e);
        }
    }

    private long waiting(ColumnFamilyHandle family) throws RocksDBException {
        return database.db.getLongProperty(family, "rocksdb.num-immutable-mem-table");
    }

    long number(String property) {
        try {
            return database.db.getLongProperty(database.records, property);
        } catch (RocksDBException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Kills the process and opens the store again.
     *
     * @return the offset that the store goes on from; null if all must be restored
     */
    @Nullable
    Long crash() {
        File files = new File(taskFolder(), "rocksdb/events");
        lives++;
        try {
            database.db.disableFileDeletions();
            database.db.pauseBackgroundWork();
            copy(files, new File(taskFolder(), "rocksdb/events"));
            database.db.continueBackgroundWork();
        } catch (RocksDBException e) {
            throw new IllegalStateException(e);
        }
        store.close();
        return reopen();
    }

    /** Closes the store and opens it again. */
    @Nullable
    Long restart() {
        store.close();
        return reopen();
    }

    private @Nullable Long reopen() {
        changelog.abort();
        offsets = new CommittedOffsets();
        wasWiped = false;
        Long offset = openOrRefuse();
        if (offset == null) {
            // Kafka Streams deletes the folder.
            lives++;
            store = open();
        }
        return offset;
    }

    private @Nullable Long openOrRefuse() {
        try {
            store = open();
        } catch (TaskCorruptedException e) {
            wasWiped = true;
            return null;
        }
        Long offset = store.committedOffset(CHANGELOG);
        if (offset == null) {
            store.close();
        }
        return offset;
    }

    /** Returns true if the store was refused at the last start. */
    boolean wasWiped() {
        return wasWiped;
    }

    /** Restores records from behind that offset on, from the first one if it is null, and at most so many offsets. */
    int restore(@Nullable Long from, int most, int batch) {
        int next = from == null ? 0 : from.intValue() + 1;
        int end = Math.min(changelog.end(), next + most);
        while (next < end) {
            int to = Math.min(end, next + batch);
            restore(changelog.read(next, to));
            next = to;
        }
        return next - 1;
    }

    /** Restores all behind the offset, while the changelog is being compacted. */
    void restoreCompacted(long from, int batch, Random random) {
        List<KeyValue<byte[], byte[]>> left = changelog.readCompacted((int) from + 1, random);
        for (int next = 0; next < left.size(); next += batch) {
            restore(left.subList(next, Math.min(left.size(), next + batch)));
        }
    }

    void keepRestored(long offset) {
        store.commit(Map.of(CHANGELOG, offset));
    }

    private void restore(List<KeyValue<byte[], byte[]>> records) {
        callbacks.get(callbacks.size() - 1).restoreAll(records);
    }

    int end() {
        return changelog.end();
    }

    /** All that is stored, entries included. */
    Map<String, String> contents() {
        Map<String, String> contents = new TreeMap<>();
        try (KeyValueIterator<Bytes, byte[]> entries = store.all()) {
            entries.forEachRemaining(entry -> contents.put(text(entry.key.get()), text(entry.value)));
        }
        return contents;
    }

    /** All that should be stored when the committed records up to that offset are; nothing if it is null. */
    Map<String, String> expected(@Nullable Long offset) {
        return changelog.contents(offset == null ? 0 : offset.intValue() + 1, new TestDerivation());
    }

    private GatheringStore open() {
        DerivingStore beneath = new DerivingStore("events", new TestDerivation(), (name, derivation, context, lock) -> {
            RocksTable table = RocksTable.open(name, derivation, context, lock);
            database = table.database;
            return table;
        });
        GatheringStore opened = new GatheringStore(beneath, GATHERED_BYTES);
        StateStoreContext context = TaskContexts.in(taskFolder(), StreamsConfig.EXACTLY_ONCE_V2, memory, offsets);
        opened.init(LoggingContext.of(context, callbacks::add, (key, value, ms) -> changelog.add(key, value)), opened);
        opened.committedOffset(CHANGELOG);
        return opened;
    }

    private File taskFolder() {
        return new File(folder, "life-" + lives);
    }

    @Override
    public void close() {
        store.close();
    }

    private static void copy(File folder, File target) {
        try (Stream<Path> files = Files.list(folder.toPath())) {
            Files.createDirectories(target.toPath());
            for (Path file : files.toList()) {
                Files.copy(file, target.toPath().resolve(file.getFileName()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
