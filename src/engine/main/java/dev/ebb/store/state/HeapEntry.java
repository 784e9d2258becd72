package dev.ebb.store.state;

import org.jspecify.annotations.Nullable;

/**
 * Entry of a {@link DueHeap} that knows its own place. Only the heap changes it. Not thread-safe.
 *
 * @param <E> the entry itself
 */
interface HeapEntry<E extends HeapEntry<E>> {

    /** The heap that the entry waits in; null if it waits nowhere. */
    @Nullable
    DueHeap<E> heap();

    /** The entry's place in the heap; of no meaning while it waits nowhere. */
    int heapIndex();

    /** The time that the entry waits for, epoch milliseconds. */
    long heapDueMs();

    /** Notes that the entry waits at that place; nowhere any more if the heap is null. */
    void waitIn(@Nullable DueHeap<E> heap, int index);

    /** Notes that the entry waits for that time, epoch milliseconds. */
    void waitUntil(long dueMs);
}
