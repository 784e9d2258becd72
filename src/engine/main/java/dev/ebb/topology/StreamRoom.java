package dev.ebb.topology;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/** Memory for streams of an instance, which its tasks share evenly. Thread-safe. */
final class StreamRoom {

    private final long bytes;
    private final Set<String> tasks = ConcurrentHashMap.newKeySet();
    private volatile long share;

    /** @param bytes the memory of the instance, in bytes */
    StreamRoom(long bytes) {
        this.bytes = bytes;
        this.share = bytes;
    }

    /** Notes that a task begins; returns its share in bytes, which changes when tasks begin and end. */
    LongSupplier enter(String task) {
        tasks.add(task);
        divide();
        return () -> share;
    }

    /** Notes that a task has ended. */
    void leave(String task) {
        tasks.remove(task);
        divide();
    }

    private void divide() {
        share = bytes / Math.max(1, tasks.size());
    }
}
