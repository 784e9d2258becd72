package dev.ebb.runtime;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.StateRestoreListener;

/** How far the stores are that are being rebuilt from their changelogs. Thread-safe. */
final class RestoreProgress implements StateRestoreListener {

    private final Map<StorePartition, Restore> running = new ConcurrentHashMap<>();

    /** The stores that are being rebuilt now, by name and partition. */
    List<Restore> running() {
        return running.values().stream()
                .sorted((a, b) -> a.store().equals(b.store())
                        ? Integer.compare(a.partition(), b.partition())
                        : a.store().compareTo(b.store()))
                .toList();
    }

    @Override
    public void onRestoreStart(TopicPartition partition, String store, long startingOffset, long endingOffset) {
        running.put(
                new StorePartition(store, partition.partition()),
                new Restore(store, partition.partition(), 0, Math.max(0, endingOffset - startingOffset)));
    }

    /** A batch counts its records; compaction leaves fewer of them than the offsets promised. */
    @Override
    public void onBatchRestored(TopicPartition partition, String store, long batchEndOffset, long numRestored) {
        running.computeIfPresent(
                new StorePartition(store, partition.partition()), (key, restore) -> restore.plus(numRestored));
    }

    @Override
    public void onRestoreEnd(TopicPartition partition, String store, long totalRestored) {
        running.remove(new StorePartition(store, partition.partition()));
    }

    @Override
    public void onRestoreSuspended(TopicPartition partition, String store, long totalRestored) {
        running.remove(new StorePartition(store, partition.partition()));
    }

    /**
     * One store that is being rebuilt.
     *
     * @param done records that were read
     * @param total offsets that there were to read
     */
    record Restore(String store, int partition, long done, long total) {

        long remaining() {
            return Math.max(0, total - done);
        }

        private Restore plus(long records) {
            return new Restore(store, partition, done + records, total);
        }
    }

    private record StorePartition(String store, int partition) {}
}
