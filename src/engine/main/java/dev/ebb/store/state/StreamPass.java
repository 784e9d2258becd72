package dev.ebb.store.state;

import dev.ebb.store.layout.EventHeader;
import dev.ebb.store.layout.Location;

/** Pass through a stream in slices, told of changes of the stream in between. Not thread-safe. */
public interface StreamPass {

    /**
     * Notes that an event has come to a place or has left it, also if the pass itself did that.
     *
     * @param execution the number of its execution
     * @param sign 1 if it has come, -1 if it has left
     */
    void note(long execution, EventHeader event, Location location, int sign);

    /** Events may lie elsewhere than they did, or are counted anew: the pass begins again. */
    void rearranged();
}
