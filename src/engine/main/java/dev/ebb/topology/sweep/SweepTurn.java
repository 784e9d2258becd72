package dev.ebb.topology.sweep;

import dev.ebb.store.state.StreamState;

/**
 * Stream in a sweep or a command, with the number of removals that it may still have there. What arrives due while
 * a stream is swept must not prolong that without end: a stream that has lost as many events and executions as it held
 * when its first slice ended is left to the next sweep. Not thread-safe.
 */
public final class SweepTurn {

    private static final long UNKNOWN = -1;

    private final StreamState stream;
    private long left = UNKNOWN;
    private boolean hasLost;

    public SweepTurn(StreamState stream) {
        this.stream = stream;
    }

    public StreamState stream() {
        return stream;
    }

    /** Notes that the stream loses something; returns true the first time. */
    boolean loses() {
        boolean isFirst = !hasLost;
        hasLost = true;
        return isFirst;
    }

    /**
     * Notes the end of a slice that was too short for the stream.
     *
     * @param removed the number of events and executions that went in it
     * @return true if the stream has had its share
     */
    public boolean endSlice(long removed) {
        left = left == UNKNOWN ? stream.totalEvents() + stream.executionCount() : left - removed;
        return left <= 0;
    }
}
