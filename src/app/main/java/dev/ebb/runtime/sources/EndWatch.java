package dev.ebb.runtime.sources;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/**
 * Tells whether a source has been read to its end (F-7): no partition has more than some records to read, and each end
 * that was seen is reached within a few seconds. Not thread-safe.
 */
final class EndWatch {

    private final long mostRecords;
    private final Duration mostTime;
    private final Map<TopicPartition, Seen> seen = new HashMap<>();
    private long lag;

    /**
     * @param mostRecords the most records that a partition may have to read
     * @param mostTime the longest time for which a record may wait
     */
    EndWatch(long mostRecords, Duration mostTime) {
        this.mostRecords = mostRecords;
        this.mostTime = mostTime;
    }

    /** An end of a partition, and the time at which it was seen. */
    private record Seen(long end, long atNs) {}

    /**
     * Takes in a measurement; returns true if the source has been read to its end.
     *
     * @param nowNs the time of the measurement, as {@link System#nanoTime} has it
     */
    boolean isAtEnd(Map<TopicPartition, Long> committed, Map<TopicPartition, Long> ends, long nowNs) {
        boolean isAtEnd = true;
        lag = 0;
        for (Map.Entry<TopicPartition, Long> partition : ends.entrySet()) {
            long read = committed.getOrDefault(partition.getKey(), 0L);
            long end = partition.getValue();
            lag += Math.max(0, end - read);
            Seen former = seen.get(partition.getKey());
            if (former == null || read >= former.end) {
                former = new Seen(end, nowNs);
                seen.put(partition.getKey(), former);
            }
            boolean isLate = read < former.end && nowNs - former.atNs > mostTime.toNanos();
            isAtEnd &= end - read <= mostRecords && !isLate;
        }
        return isAtEnd;
    }

    /** Returns the number of offsets up to the ends at the last measurement; markers of transactions have some too. */
    long lag() {
        return lag;
    }
}
