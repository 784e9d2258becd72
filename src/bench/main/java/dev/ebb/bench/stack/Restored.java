package dev.ebb.bench.stack;

import dev.ebb.bench.harness.VoidRunException;
import java.time.Duration;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.StateRestoreListener;
import org.jspecify.annotations.Nullable;

/** Time from the beginning of the first restore to the end of the last, without global stores. Thread-safe. */
public final class Restored implements StateRestoreListener {

    private final long madeNanos = System.nanoTime();
    private long beginNanos;
    private long endNanos;
    private int started;
    private int ended;
    private @Nullable Throwable failure;

    @Override
    public synchronized void onRestoreStart(TopicPartition changelog, String store, long from, long to) {
        if (isOfTask(changelog)) {
            started++;
            beginNanos = started == 1 ? System.nanoTime() : beginNanos;
        }
    }

    @Override
    public void onBatchRestored(TopicPartition changelog, String store, long end, long count) {}

    @Override
    public synchronized void onRestoreEnd(TopicPartition changelog, String store, long total) {
        if (isOfTask(changelog)) {
            ended++;
            endNanos = System.nanoTime();
        }
    }

    private static boolean isOfTask(TopicPartition changelog) {
        return changelog.topic().endsWith("-changelog");
    }

    public synchronized void failed(Throwable reason) {
        failure = reason;
    }

    /** Returns true if every restore that has begun has ended. */
    public synchronized boolean isDone() {
        return started > 0 && started == ended;
    }

    public synchronized Duration took() {
        return Duration.ofNanos(endNanos - beginNanos);
    }

    /** Returns the time from the beginning of the first restore until now. */
    public synchronized Duration sinceBegin() {
        return Duration.ofNanos(System.nanoTime() - beginNanos);
    }

    /** @throws VoidRunException if the restore can no longer end */
    public synchronized void check(Duration limit) {
        if (failure != null) {
            throw new VoidRunException("restoring failed: " + failure, failure);
        }
        if (System.nanoTime() - madeNanos > limit.toNanos()) {
            throw new VoidRunException("the state was not restored within " + limit.toSeconds() + " s");
        }
    }
}
