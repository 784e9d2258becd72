package dev.ebb.store;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The executions of one sweep group by the time at which their first event falls due: a binary heap in which each
 * knows its place, so that a change of its due time costs the logarithm of the number of streams. Not thread-safe.
 */
final class DueHeap {

    private final List<Segment> nodes = new ArrayList<>();

    /** The segment that falls due first; null if there is none. */
    @Nullable
    Segment first() {
        return nodes.isEmpty() ? null : nodes.get(0);
    }

    /** Puts the segment at that time, whether or not it was here before. */
    void put(Segment segment, long dueMs) {
        if (segment.heap == this) {
            long before = segment.heapDueMs;
            segment.heapDueMs = dueMs;
            if (dueMs < before) {
                up(segment.heapIndex);
            } else if (dueMs > before) {
                down(segment.heapIndex);
            }
            return;
        }
        if (segment.heap != null) {
            segment.heap.remove(segment);
        }
        segment.heap = this;
        segment.heapDueMs = dueMs;
        segment.heapIndex = nodes.size();
        nodes.add(segment);
        up(segment.heapIndex);
    }

    void remove(Segment segment) {
        int index = segment.heapIndex;
        Segment last = nodes.remove(nodes.size() - 1);
        segment.heap = null;
        segment.heapIndex = Segment.NOT_IN_HEAP;
        if (last != segment) {
            place(last, index);
            up(index);
            down(last.heapIndex);
        }
    }

    /** How many streams fall due before that time; stops counting at the limit. */
    int countBefore(long timeMs, int limit) {
        return countBefore(0, timeMs, limit);
    }

    private int countBefore(int index, long timeMs, int limit) {
        if (limit <= 0 || index >= nodes.size() || nodes.get(index).heapDueMs >= timeMs) {
            return 0;
        }
        int count = 1 + countBefore(2 * index + 1, timeMs, limit - 1);
        return count + countBefore(2 * index + 2, timeMs, limit - count);
    }

    private void up(int from) {
        int index = from;
        Segment segment = nodes.get(index);
        while (index > 0) {
            int parent = (index - 1) / 2;
            if (nodes.get(parent).heapDueMs <= segment.heapDueMs) {
                break;
            }
            place(nodes.get(parent), index);
            index = parent;
        }
        place(segment, index);
    }

    private void down(int from) {
        int index = from;
        Segment segment = nodes.get(index);
        while (true) {
            int child = 2 * index + 1;
            if (child >= nodes.size()) {
                break;
            }
            if (child + 1 < nodes.size() && nodes.get(child + 1).heapDueMs < nodes.get(child).heapDueMs) {
                child++;
            }
            if (nodes.get(child).heapDueMs >= segment.heapDueMs) {
                break;
            }
            place(nodes.get(child), index);
            index = child;
        }
        place(segment, index);
    }

    private void place(Segment segment, int index) {
        nodes.set(index, segment);
        segment.heapIndex = index;
    }
}
