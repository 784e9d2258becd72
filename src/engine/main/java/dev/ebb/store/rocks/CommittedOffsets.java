package dev.ebb.store.rocks;

import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * The offsets of changelogs up to which all records are committed. Under exactly once, Kafka Streams tells a store
 * these offsets only when it closes the store; a store that knows them earlier has less to restore after a crash. The
 * producers of an instance report them here, its stores read them. Thread-safe.
 */
public final class CommittedOffsets {

    /** The setting of the Kafka Streams application that carries the offsets. */
    public static final String SETTING = "ebb.committed.offsets";

    private static final long NONE = -1;

    /** A log is long when it has this many times the records that are stored, beside some of its own. */
    private static final long MOST_DEAD = 2;

    /** The length of a log that is never too long: a restoration reads it in a second. */
    private static final long LEAST = 200_000;

    private final Map<TopicPartition, Changelog> changelogs = new ConcurrentHashMap<>();

    /**
     * Returns the offsets in the settings of a Kafka Streams application; offsets of no changelog if the settings carry
     * none.
     */
    public static CommittedOffsets in(Map<String, Object> settings) {
        return settings.get(SETTING) instanceof CommittedOffsets offsets ? offsets : new CommittedOffsets();
    }

    /**
     * Reports that all records of the changelog up to the offset are committed. Must be called by the thread that wrote
     * them, before it writes to a store again.
     */
    public void committed(TopicPartition changelog, long offset) {
        of(changelog).committed = offset;
    }

    /**
     * Has stores write files where this is worthwhile and nothing has come in since the last commit, so that idle
     * stores need not wait for their next record.
     */
    public void writeFiles() {
        changelogs.values().forEach(changelog -> changelog.write(false));
    }

    /**
     * Has all stores write files with their next transaction, or while they are idle. So after a crash no store,
     * however little it takes in, is older than the tombstones of its changelog.
     */
    public void askForFiles() {
        changelogs.values().forEach(changelog -> changelog.write(true));
    }

    /**
     * Reports where the log of a partition begins.
     *
     * @param isOld true if its first record is older than any may become
     */
    public void beginsAt(TopicPartition changelog, long offset, boolean isOld) {
        of(changelog).begins(offset, isOld);
    }

    /**
     * Reports the last offset of the log of a store that has been restored to its end. Counts until something is
     * committed; only the first report does.
     */
    public void restoredTo(TopicPartition changelog, long offset) {
        of(changelog).restoredTo(offset);
    }

    /** Returns the changelogs that a store of this instance writes or has written; a live view. */
    public Set<TopicPartition> changelogs() {
        return Collections.unmodifiableSet(changelogs.keySet());
    }

    /** Returns the offset before which nothing of the log is needed any more to restore its store; 0 if there is none. */
    public long coveredBefore(TopicPartition changelog) {
        return of(changelog).covered;
    }

    /** Returns the ends of the log of a store. */
    public LogEnds ends(TopicPartition changelog) {
        return of(changelog);
    }

    Changelog of(TopicPartition changelog) {
        return changelogs.computeIfAbsent(changelog, partition -> new Changelog());
    }

    /** A partition of a changelog. */
    static final class Changelog implements LogEnds {

        private volatile long committed = NONE;
        private volatile long restored = NONE;
        private volatile long first = NONE;
        private volatile boolean isOld;
        private volatile long covered;
        private volatile @Nullable FileWriter writer;

        /**
         * Returns the last committed offset; negative if there is none. It changes with each transaction that writes to
         * the changelog.
         */
        long committed() {
            return committed;
        }

        @Override
        public long end() {
            return committed == NONE ? restored : committed;
        }

        private void restoredTo(long offset) {
            if (restored == NONE) {
                restored = offset;
            }
        }

        private void begins(long offset, boolean old) {
            first = offset;
            isOld = old;
        }

        @Override
        public boolean isLong(LongSupplier live) {
            long begin = first;
            long length = end() - begin;
            return begin != NONE
                    && length >= 0
                    && covered <= begin
                    && (isOld || (length >= LEAST && length - LEAST >= MOST_DEAD * live.getAsLong()));
        }

        @Override
        public void cover(long before) {
            covered = before;
        }

        /** Sets the writer of the store's files, replacing the former one. */
        void writeWith(FileWriter newWriter) {
            writer = newWriter;
        }

        private void write(boolean isAsked) {
            FileWriter current = writer;
            if (current != null) {
                current.write(isAsked);
            }
        }
    }

    /** Writes the files of a store. Called by any thread, even while the store is closed. */
    @FunctionalInterface
    interface FileWriter {

        /** @param isAsked true to write files however small they are */
        void write(boolean isAsked);
    }
}
