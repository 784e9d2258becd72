package dev.ebb.store;

import dev.ebb.store.state.StreamState;
import dev.ebb.store.state.StreamTable;
import org.jspecify.annotations.Nullable;

/**
 * Goes through the streams of a partition in slices, in the order in which they were made: those that were there when
 * the walk began, except streams that have gone since. Belongs to the thread of the task.
 */
public final class StreamWalk {

    private final StreamTable streams;
    private final int endSid;
    private int sid;

    StreamWalk(StreamTable streams, int afterSid) {
        this.streams = streams;
        this.sid = afterSid;
        this.endSid = streams.lastSid();
    }

    /** The next stream; null if there are no more. */
    public @Nullable StreamState next() {
        StreamState next = streams.after(sid);
        if (next == null || next.sid() > endSid) {
            return null;
        }
        sid = next.sid();
        return next;
    }

    /** The number of the stream that came last: a walk from it on, or from the number behind it, goes on where this one is. */
    public int lastSid() {
        return sid;
    }
}
