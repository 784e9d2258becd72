package dev.ebb.store.rocks;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Offsets of changelogs up to which all records are committed. Kafka Streams tells them to a store only when it closes
 * it, as far as it works exactly once; a store that knows them earlier needs to restore less after a crash. The
 * producers of an instance say them here, its stores read them. Thread-safe.
 */
public final class CommittedOffsets {

    /** The setting of the Kafka Streams application that carries the offsets. */
    public static final String SETTING = "ebb.committed.offsets";

    private static final long NONE = -1;

    private final Map<TopicPartition, Changelog> changelogs = new ConcurrentHashMap<>();

    /** The offsets that the settings of a Kafka Streams application carry; of none, if they carry none. */
    static CommittedOffsets in(Map<String, Object> settings) {
        return settings.get(SETTING) instanceof CommittedOffsets offsets ? offsets : new CommittedOffsets();
    }

    /**
     * Says that all records of the changelog up to the offset are committed. To be called by the thread that wrote
     * them, before it writes to a store again.
     */
    public void committed(TopicPartition changelog, long offset) {
        of(changelog).committed = offset;
    }

    /**
     * Has stores write files where that is worth it and nothing came in behind the last commit, so that those which rest
     * need not wait for their next record.
     */
    public void writeFiles() {
        changelogs.values().forEach(changelog -> changelog.write(false));
    }

    /**
     * Has all stores write files with their next transaction, or when they rest. So none, however little it takes in,
     * is older after a crash than the tombstones of its changelog.
     */
    public void askForFiles() {
        changelogs.values().forEach(changelog -> changelog.write(true));
    }

    Changelog of(TopicPartition changelog) {
        return changelogs.computeIfAbsent(changelog, partition -> new Changelog());
    }

    /** A partition of a changelog. */
    static final class Changelog {

        private volatile long committed = NONE;
        private volatile @Nullable FileWriter writer;

        /** The last committed offset; negative if there is none. It changes with each transaction that writes here. */
        long committed() {
            return committed;
        }

        /** Sets what writes the files of the store in place of the one before. */
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

    /** Writes the files of a store; called by any thread, and also when the store is closed. */
    @FunctionalInterface
    interface FileWriter {

        /** @param isAsked true to write them however small they are */
        void write(boolean isAsked);
    }
}
