package dev.ebb.store.state;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The streams of one sweep group, ordered by the time at which their first event falls due: a binary heap in which each
 * stream knows its place, so that a change of a due time costs the logarithm of the number of streams. Not thread-safe.
 *
 * @param <E> a stream
 */
final class DueHeap<E> {

    private final List<HeapPlace<E>> nodes = new ArrayList<>();

    /** Returns the stream that falls due first; null if there is none. */
    @Nullable
    E first() {
        return nodes.isEmpty() ? null : nodes.get(0).entry;
    }

    /**
     * Returns the time at which the first stream falls due, epoch milliseconds; {@link Long#MAX_VALUE} if there is
     * none.
     */
    long firstDueMs() {
        return nodes.isEmpty() ? Long.MAX_VALUE : nodes.get(0).dueMs;
    }

    /** Puts the stream at this time, whether or not it was in the heap before. */
    void put(HeapPlace<E> place, long dueMs) {
        if (place.heap == this) {
            long before = place.dueMs;
            place.dueMs = dueMs;
            if (dueMs < before) {
                up(place.index);
            } else if (dueMs > before) {
                down(place.index);
            }
            return;
        }
        place.leave();
        place.heap = this;
        place.index = nodes.size();
        place.dueMs = dueMs;
        nodes.add(place);
        up(place.index);
    }

    void remove(HeapPlace<E> place) {
        HeapPlace<E> last = nodes.remove(nodes.size() - 1);
        place.heap = null;
        if (last != place) {
            set(last, place.index);
            up(place.index);
            down(last.index);
        }
    }

    /** Returns the number of streams that fall due before this time; stops counting at the limit. */
    int countBefore(long timeMs, int limit) {
        return countBefore(0, timeMs, limit);
    }

    private int countBefore(int index, long timeMs, int limit) {
        if (limit <= 0 || index >= nodes.size() || nodes.get(index).dueMs >= timeMs) {
            return 0;
        }
        int count = 1 + countBefore(2 * index + 1, timeMs, limit - 1);
        return count + countBefore(2 * index + 2, timeMs, limit - count);
    }

    private void up(int from) {
        int index = from;
        HeapPlace<E> place = nodes.get(index);
        while (index > 0) {
            int parent = (index - 1) / 2;
            if (nodes.get(parent).dueMs <= place.dueMs) {
                break;
            }
            set(nodes.get(parent), index);
            index = parent;
        }
        set(place, index);
    }

    private void down(int from) {
        int index = from;
        HeapPlace<E> place = nodes.get(index);
        while (true) {
            int child = 2 * index + 1;
            if (child >= nodes.size()) {
                break;
            }
            if (child + 1 < nodes.size() && nodes.get(child + 1).dueMs < nodes.get(child).dueMs) {
                child++;
            }
            if (nodes.get(child).dueMs >= place.dueMs) {
                break;
            }
            set(nodes.get(child), index);
            index = child;
        }
        set(place, index);
    }

    private void set(HeapPlace<E> place, int index) {
        nodes.set(index, place);
        place.index = index;
    }
}
