package dev.ebb.runtime.streams;

import dev.ebb.port.NotReadyException;
import dev.ebb.port.StatusView;
import dev.ebb.runtime.life.LifecycleObserver;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.StateRestoreListener;

/** Progress of the stores that are being rebuilt from their changelogs. Thread-safe. */
public final class RestoreProgress implements StateRestoreListener {

    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    /** Least duration with a meaningful rate, which a restoration that has just begun does not have. */
    private static final long MIN_NANOS = Duration.ofMillis(100).toNanos();

    private final Map<StorePartition, Restore> running = new ConcurrentHashMap<>();
    private final Map<String, Long> ends = new ConcurrentHashMap<>();
    private final LongSupplier nanoClock;
    private final LifecycleObserver observer;

    /**
     * @param nanoClock a clock that never goes back, in nanoseconds
     * @param observer is called for each store that had something to restore, when the store is ready
     */
    public RestoreProgress(LongSupplier nanoClock, LifecycleObserver observer) {
        this.nanoClock = nanoClock;
        this.observer = observer;
    }

    /** Returns the reason why a partition that this instance keeps or will keep cannot be read, with its progress. */
    NotReadyException notReady(int partition) {
        List<StatusView.RestoreView> stores =
                views().stream().filter(view -> view.partition() == partition).toList();
        if (stores.isEmpty()) {
            String moving = "partition " + partition + " is being restored or moved";
            return NotReadyException.moving(moving, RETRY_AFTER, stores);
        }
        String progress = stores.stream()
                .map(view -> view.done() + " of " + view.total() + " records of its " + view.store() + " store, "
                        + view.perSecond() + " a second")
                .collect(Collectors.joining("; "));
        return NotReadyException.moving(
                "partition " + partition + " is being restored: " + progress, RETRY_AFTER, stores);
    }

    /** Returns the stores that are being rebuilt now, as they are shown. */
    public List<StatusView.RestoreView> views() {
        long now = nanoClock.getAsLong();
        return running().stream()
                .map(restore -> new StatusView.RestoreView(
                        restore.store(),
                        restore.partition(),
                        restore.done(),
                        restore.total(),
                        perSecond(restore, now - restore.startedNanos())))
                .toList();
    }

    private static long perSecond(Restore restore, long nanos) {
        return nanos < MIN_NANOS ? 0 : (long) (restore.done() * 1e9 / nanos);
    }

    /** Returns the stores that are being rebuilt now, by name and partition. */
    public List<Restore> running() {
        return running.values().stream()
                .sorted((a, b) -> a.store().equals(b.store())
                        ? Integer.compare(a.partition(), b.partition())
                        : a.store().compareTo(b.store()))
                .toList();
    }

    /**
     * Returns the end of the changelog of a one-partition store when the store was last restored to its end; 0 if it
     * never was.
     */
    public long end(String store) {
        return ends.getOrDefault(store, 0L);
    }

    @Override
    public void onRestoreStart(TopicPartition partition, String store, long startingOffset, long endingOffset) {
        running.put(
                new StorePartition(store, partition.partition()),
                new Restore(
                        store,
                        partition.partition(),
                        0,
                        Math.max(0, endingOffset - startingOffset),
                        endingOffset,
                        nanoClock.getAsLong()));
    }

    /** Counts the records of a batch; compaction leaves fewer records than offsets. */
    @Override
    public void onBatchRestored(TopicPartition partition, String store, long batchEndOffset, long numRestored) {
        running.computeIfPresent(
                new StorePartition(store, partition.partition()), (key, restore) -> restore.plus(numRestored));
    }

    @Override
    public void onRestoreEnd(TopicPartition partition, String store, long totalRestored) {
        Restore restore = running.remove(new StorePartition(store, partition.partition()));
        if (restore != null) {
            ends.put(store, restore.end());
        }
        if (restore != null && totalRestored > 0) {
            Duration took = Duration.ofNanos(nanoClock.getAsLong() - restore.startedNanos());
            observer.restored(store, partition.partition(), totalRestored, took);
        }
    }

    @Override
    public void onRestoreSuspended(TopicPartition partition, String store, long totalRestored) {
        running.remove(new StorePartition(store, partition.partition()));
    }

    /**
     * One store that is being rebuilt.
     *
     * @param done number of records that were read
     * @param total number of offsets to read
     * @param end the offset behind the last one
     * @param startedNanos time of the beginning, by the clock of this object
     */
    public record Restore(String store, int partition, long done, long total, long end, long startedNanos) {

        public long remaining() {
            return Math.max(0, total - done);
        }

        private Restore plus(long records) {
            return new Restore(store, partition, done + records, total, end, startedNanos);
        }
    }

    private record StorePartition(String store, int partition) {}
}
