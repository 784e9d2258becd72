package dev.ebb.store;

import dev.ebb.domain.retention.RetentionDecider;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The streams that are swept at one interval. Not thread-safe. */
public final class SweepGroup {

    /** Punctuations come a little early or late; a sweep is not put off to the next one for that. */
    private static final long TOLERANCE_MS = 50;

    private final long intervalMs;
    private final DueHeap heap = new DueHeap();
    private final Set<StreamState> overCap = new LinkedHashSet<>();
    private long nextFireMs;

    SweepGroup(long intervalMs) {
        this.intervalMs = intervalMs;
    }

    /** The next stream with something due at that time; null if there is none. It stays until it is touched again. */
    public @Nullable StreamState nextDue(long nowMs) {
        StreamState first = heap.first();
        return first != null && RetentionDecider.isPast(first.heapDueMs, nowMs) ? first : null;
    }

    /** Takes out the stream that went over a cap first; null if there is none. */
    public @Nullable StreamState pollOverCap() {
        Iterator<StreamState> streams = overCap.iterator();
        if (!streams.hasNext()) {
            return null;
        }
        StreamState stream = streams.next();
        streams.remove();
        return stream;
    }

    /** Notes that a sweep which began then has ended: the next one comes an interval later. */
    public void swept(long startedMs) {
        nextFireMs = startedMs + intervalMs;
    }

    /** When the group is swept next, epoch milliseconds; 0 if it never was. */
    public long nextFireMs() {
        return nextFireMs;
    }

    boolean isDue(long nowMs) {
        return nowMs + Math.min(TOLERANCE_MS, intervalMs / 2) >= nextFireMs;
    }

    long backlog(long nowMs, int limit) {
        return (long) heap.countBefore(nowMs, limit) + overCap.size();
    }

    DueHeap heap() {
        return heap;
    }

    void enqueue(StreamState stream) {
        overCap.add(stream);
    }

    void dequeue(StreamState stream) {
        overCap.remove(stream);
    }
}
