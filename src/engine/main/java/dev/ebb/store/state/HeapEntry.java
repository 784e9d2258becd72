package dev.ebb.store.state;

import org.jspecify.annotations.Nullable;

/**
 * Entry of a {@link DueHeap} that knows its own place. Only the heap changes it. Not thread-safe.
 *
 * @param <E> the entry itself
 */
interface HeapEntry<E extends HeapEntry<E>> {

    /** The heap that it waits in; null if it waits nowhere. */
    @Nullable
    DueHeap<E> heap();

    /** Its place in the heap; of no meaning while it waits nowhere. */
    int heapIndex();

    /** The time that it waits for, epoch milliseconds. */
    long heapDueMs();

    /** It waits at that place; nowhere any more if the heap is null. */
    void waitIn(@Nullable DueHeap<E> heap, int index);

    /** It waits for that time, epoch milliseconds. */
    void waitUntil(long dueMs);
}
