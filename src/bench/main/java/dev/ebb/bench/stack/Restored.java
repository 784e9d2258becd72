package dev.ebb.bench.stack;

import java.time.Duration;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.StateRestoreListener;

/** Knows the beginning of the first restore, and whether all have ended; without global stores. Thread-safe. */
public final class Restored implements StateRestoreListener {

    private long beginNanos;
    private int started;
    private int ended;

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
        }
    }

    private static boolean isOfTask(TopicPartition changelog) {
        return changelog.topic().endsWith("-changelog");
    }

    /** Returns true if every restore that has begun has ended. */
    public synchronized boolean isDone() {
        return started > 0 && started == ended;
    }

    /** Returns the time from the beginning of the first restore until now. */
    public synchronized Duration sinceBegin() {
        return Duration.ofNanos(System.nanoTime() - beginNanos);
    }
}
