package dev.ebb.store;

import dev.ebb.store.index.SidRange;
import dev.ebb.store.state.StreamState;
import dev.ebb.store.state.StreamTable;
import org.jspecify.annotations.Nullable;

/**
 * A walk through the streams of a partition in slices, in the order of their creation: the streams that existed when
 * the walk began, except those that have gone since. Belongs to the thread of the task.
 */
public final class StreamWalk {

    private final StreamTable streams;
    private final SidRange sids;
    private final int endSid;
    private int sid;

    StreamWalk(StreamTable streams, int afterSid) {
        this.streams = streams;
        this.sids = streams.sids();
        this.sid = afterSid;
        this.endSid = streams.lastSid();
    }

    /** Returns the next stream; null if there are no more. */
    public @Nullable StreamState next() {
        StreamState next = streams.after(sids, sid);
        if (next == null || next.sid() > endSid) {
            return null;
        }
        sid = next.sid();
        return next;
    }

    /**
     * Returns the number of the last stream returned. A walk from this number repeats that stream; a walk from the next
     * number continues after it.
     */
    public int lastSid() {
        return sid;
    }
}
