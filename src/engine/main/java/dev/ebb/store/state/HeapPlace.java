package dev.ebb.store.state;

import org.jspecify.annotations.Nullable;

/**
 * Place of an entry in the {@link DueHeap} that it waits in. Only the heap changes it. Not thread-safe.
 *
 * @param <E> a stream
 */
final class HeapPlace<E> {

    final E entry;

    /** The heap that the entry waits in; null if it waits nowhere. */
    @Nullable
    DueHeap<E> heap;

    /** Of no meaning while the entry waits nowhere. */
    int index;

    /** The time that the entry waits for, epoch milliseconds. */
    long dueMs;

    HeapPlace(E entry) {
        this.entry = entry;
    }

    /** Takes the entry out of its heap, if it waits in one. */
    void leave() {
        if (heap != null) {
            heap.remove(this);
        }
    }
}
