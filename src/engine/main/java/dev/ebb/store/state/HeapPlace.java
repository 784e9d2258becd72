package dev.ebb.store.state;

import org.jspecify.annotations.Nullable;

/**
 * The place of an entry in its {@link DueHeap}. Only the heap changes it. Not thread-safe.
 *
 * @param <E> a stream
 */
final class HeapPlace<E> {

    final E entry;

    /** The heap of the entry; null if it is in none. */
    @Nullable
    DueHeap<E> heap;

    /** The index in the heap; of no meaning while the entry is in none. */
    int index;

    /** The time for which the entry waits, epoch milliseconds. */
    long dueMs;

    /** True while a sweep has taken the entry out, which comes back when the sweep is done with it. */
    boolean isTaken;

    HeapPlace(E entry) {
        this.entry = entry;
    }

    /** Removes the entry from its heap, if it is in one. */
    void leave() {
        if (heap != null) {
            heap.remove(this);
        }
    }
}
