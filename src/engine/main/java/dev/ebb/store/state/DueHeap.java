package dev.ebb.store.state;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The streams of one sweep group by the time at which their first event falls due: a binary heap in which each
 * knows its place, so that a change of its due time costs the logarithm of the number of streams. Not thread-safe.
 *
 * @param <E> a stream
 */
final class DueHeap<E extends HeapEntry<E>> {

    private final List<E> nodes = new ArrayList<>();

    /** The stream that falls due first; null if there is none. */
    @Nullable
    E first() {
        return nodes.isEmpty() ? null : nodes.get(0);
    }

    /** Puts the stream at that time, whether or not the heap had it before. */
    void put(E stream, long dueMs) {
        if (stream.heap() == this) {
            long before = stream.heapDueMs();
            stream.waitUntil(dueMs);
            if (dueMs < before) {
                up(stream.heapIndex());
            } else if (dueMs > before) {
                down(stream.heapIndex());
            }
            return;
        }
        if (stream.heap() != null) {
            stream.heap().remove(stream);
        }
        stream.waitIn(this, nodes.size());
        stream.waitUntil(dueMs);
        nodes.add(stream);
        up(stream.heapIndex());
    }

    void remove(E stream) {
        int index = stream.heapIndex();
        E last = nodes.remove(nodes.size() - 1);
        stream.waitIn(null, 0);
        if (last != stream) {
            place(last, index);
            up(index);
            down(last.heapIndex());
        }
    }

    /** Number of streams that fall due before that time; stops counting at the limit. */
    int countBefore(long timeMs, int limit) {
        return countBefore(0, timeMs, limit);
    }

    private int countBefore(int index, long timeMs, int limit) {
        if (limit <= 0 || index >= nodes.size() || nodes.get(index).heapDueMs() >= timeMs) {
            return 0;
        }
        int count = 1 + countBefore(2 * index + 1, timeMs, limit - 1);
        return count + countBefore(2 * index + 2, timeMs, limit - count);
    }

    private void up(int from) {
        int index = from;
        E stream = nodes.get(index);
        while (index > 0) {
            int parent = (index - 1) / 2;
            if (nodes.get(parent).heapDueMs() <= stream.heapDueMs()) {
                break;
            }
            place(nodes.get(parent), index);
            index = parent;
        }
        place(stream, index);
    }

    private void down(int from) {
        int index = from;
        E stream = nodes.get(index);
        while (true) {
            int child = 2 * index + 1;
            if (child >= nodes.size()) {
                break;
            }
            if (child + 1 < nodes.size()
                    && nodes.get(child + 1).heapDueMs() < nodes.get(child).heapDueMs()) {
                child++;
            }
            if (nodes.get(child).heapDueMs() >= stream.heapDueMs()) {
                break;
            }
            place(nodes.get(child), index);
            index = child;
        }
        place(stream, index);
    }

    private void place(E stream, int index) {
        nodes.set(index, stream);
        stream.waitIn(this, index);
    }
}
