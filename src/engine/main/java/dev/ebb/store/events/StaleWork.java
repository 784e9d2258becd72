package dev.ebb.store.events;

import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.layout.EventKeys;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Counts the events that have been protected for longer than a threshold (O-6), by stream. Each event is read once,
 * when it crosses the threshold, and counted out when its protection ends. Not thread-safe.
 */
public final class StaleWork {

    private final KeyValueStore<Bytes, byte[]> events;
    private final SidCounts bySid = new SidCounts();

    /** All pinned events that have been protected since before this time are counted. */
    private long watermarkMs;

    /** No uncounted event has been protected since before this time, unless one comes. */
    private long nextSinceMs;

    public StaleWork(KeyValueStore<Bytes, byte[]> events) {
        this.events = events;
    }

    public void clear() {
        bySid.clear();
        watermarkMs = 0;
        nextSinceMs = 0;
    }

    /** Notes that an event has come to the waiting range (1) or has left it (-1). */
    void pinned(int sid, long sinceMs, int sign) {
        if (sinceMs < watermarkMs) {
            bySid.add(sid, sign);
        }
    }

    /**
     * Adds the events that have been protected since before {@code beforeMs} to the count; returns false if the budget
     * ended the slice.
     *
     * @param aheadMs how far beyond {@code beforeMs} the slice looks for the next event, in milliseconds; a look costs
     *     more the further it goes, past the entries of events that are no longer protected
     */
    public boolean advance(long beforeMs, long aheadMs, SweepBudget budget) {
        nextSinceMs = Math.max(beforeMs, watermarkMs);
        if (beforeMs <= watermarkMs) {
            return true;
        }
        nextSinceMs = beforeMs + aheadMs;
        try (var entries = events.range(EventKeys.waitingFrom(watermarkMs), EventKeys.waitingFrom(nextSinceMs))) {
            watermarkMs = count(entries, beforeMs, budget);
        }
        return watermarkMs == beforeMs;
    }

    /** Returns the time up to which all events are counted. */
    private long count(KeyValueIterator<Bytes, byte[]> entries, long beforeMs, SweepBudget budget) {
        while (entries.hasNext()) {
            Bytes key = entries.next().key;
            long sinceMs = EventKeys.sinceOfWaiting(key);
            if (sinceMs >= beforeMs) {
                nextSinceMs = Math.min(nextSinceMs, sinceMs);
                return beforeMs;
            }
            // Events of one millisecond are counted in one slice, so that the watermark can lie between two
            // milliseconds.
            if (budget.isSpent() && sinceMs > watermarkMs) {
                return sinceMs;
            }
            watermarkMs = sinceMs;
            bySid.add(EventKeys.sidOfWaiting(key), 1);
            budget.spendStep();
        }
        return beforeMs;
    }

    /**
     * Returns a time before which no uncounted event became protected, unless such an event comes; epoch milliseconds.
     */
    public long nextSinceMs() {
        return nextSinceMs;
    }

    /** Returns the number of counted events by the number of the stream; a live view. */
    public SidCounts bySid() {
        return bySid;
    }

    /** Forgets the stream with this number, which is gone. */
    public void forget(int sid) {
        bySid.remove(sid);
    }
}
