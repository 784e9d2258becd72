package dev.ebb.store;

import dev.ebb.store.state.StreamState;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Streams by ascending numbers, each read when its turn comes; they may come and go in between. Not thread-safe. */
final class StreamIterator implements Iterator<StreamState> {

    private final IntFunction<@Nullable StreamState> after;
    private int sid;
    private @Nullable StreamState next;

    /** @param after returns the stream after the one with that number; null if there is none */
    StreamIterator(IntFunction<@Nullable StreamState> after) {
        this.after = after;
    }

    @Override
    public boolean hasNext() {
        if (next == null) {
            next = after.apply(sid);
        }
        return next != null;
    }

    @Override
    public StreamState next() {
        if (!hasNext() || next == null) {
            throw new NoSuchElementException();
        }
        StreamState stream = next;
        sid = stream.sid();
        next = null;
        return stream;
    }
}
