package dev.ebb.store.state;

/** Looks into the search for due events, for tests. */
public final class HeapProbe {

    private HeapProbe() {}

    /** Time at which the execution falls due, as known to the search for due events. */
    public static long knownDueMs(StreamState stream, Segment segment) {
        return stream.executions() == null || segment == stream.root()
                ? stream.nextDueMs(segment)
                : stream.executions().index(stream).dueMs(segment.number());
    }

    /**
     * When sweeps look at the execution at the latest: nothing of it may go before, epoch milliseconds. A sweep that has
     * taken the stream out comes to it in any case, and gives it back with its due time. A stream that is not in memory
     * wakes up in time, see {@link IndexProbe#isFiled}.
     */
    public static long looksAfterMs(StreamState stream, long execution) {
        Segment segment = stream.segment(execution);
        if (segment != null && (stream.heapPlace().isTaken || !stream.isCached())) {
            return knownDueMs(stream, segment);
        }
        return segment == null || stream.heapPlace().heap == null
                ? Long.MAX_VALUE
                : Math.max(stream.heapPlace().dueMs, knownDueMs(stream, segment));
    }
}
