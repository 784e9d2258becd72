package dev.ebb.topology.trash;

import java.util.HashSet;
import java.util.Set;
import java.util.function.LongConsumer;

/**
 * Records that were taken out of the trash since this object was made: an erasure, or another undo, may go on beside
 * the undo that reads. Not thread-safe.
 */
public final class TakenOut implements AutoCloseable {

    private final Trash trash;
    private final Set<Long> offsets = new HashSet<>();
    private final LongConsumer watch = this::note;
    private boolean isOwn;

    public TakenOut(Trash trash) {
        this.trash = trash;
        trash.watch(watch);
    }

    private void note(long offset) {
        if (!isOwn) {
            offsets.add(offset);
        }
    }

    /** Runs work that takes out records which will not be asked for again. */
    public void without(Runnable work) {
        isOwn = true;
        try {
            work.run();
        } finally {
            isOwn = false;
        }
    }

    public boolean contains(long offset) {
        return offsets.contains(offset);
    }

    @Override
    public void close() {
        trash.unwatch(watch);
    }
}
