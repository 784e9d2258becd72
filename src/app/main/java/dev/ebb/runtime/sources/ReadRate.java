package dev.ebb.runtime.sources;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Offsets that a group has committed per second, over the last measurements. Not thread-safe. */
final class ReadRate {

    private static final int MOST_SAMPLES = 10;

    private final Deque<Sample> samples = new ArrayDeque<>();

    private record Sample(int partitions, long read, long atNs) {}

    /**
     * Takes in a measurement.
     *
     * @param committed the offsets of the partitions that have one
     * @param nowNs the time of the measurement, as {@link System#nanoTime} has it
     */
    void measure(Collection<Long> committed, long nowNs) {
        Sample sample = new Sample(
                committed.size(), committed.stream().mapToLong(Long::longValue).sum(), nowNs);
        Sample last = samples.peekLast();
        // The first offset of a partition is not the number of records that were read; nor is a step back.
        if (last != null && (last.partitions != sample.partitions || sample.read < last.read)) {
            samples.clear();
        }
        samples.addLast(sample);
        if (samples.size() > MOST_SAMPLES) {
            samples.removeFirst();
        }
    }

    /** Returns the rate; null before the second measurement. */
    @Nullable
    Long perSecond() {
        Sample first = samples.peekFirst();
        Sample last = samples.peekLast();
        if (first == null || last == null || last.atNs <= first.atNs) {
            return null;
        }
        return Math.round((last.read - first.read) * (double) TimeUnit.SECONDS.toNanos(1) / (last.atNs - first.atNs));
    }
}
