package dev.ebb.store.state;

import dev.ebb.store.layout.EventHeader;
import dev.ebb.store.layout.Location;

/** A pass through a stream in slices that receives the changes of the stream in between. Not thread-safe. */
public interface StreamPass {

    /**
     * Notes that an event has come to a place or has left it, even if the pass itself did that.
     *
     * @param execution the number of the event's execution
     * @param sign 1 if the event has come, -1 if it has left
     */
    void note(long execution, EventHeader event, Location location, int sign);

    /** Notes that events may lie elsewhere than before, or are recounted: the pass begins again. */
    void rearranged();
}
