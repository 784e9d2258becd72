package dev.ebb.topology.trash;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Changes of the trash since this object was made: an erasure, or another undo, may take records out beside the undo
 * that reads, and executions may go. Not thread-safe.
 */
public final class TrashSince implements AutoCloseable {

    private final Trash trash;
    private final Set<Long> takenOut = new HashSet<>();

    /** The newest form of each execution that has gone since. */
    private final Map<TrashKey, Trashed> executions = new HashMap<>();

    private final Trash.Watch watch = new Trash.Watch() {
        @Override
        public void takenOut(long offset) {
            if (!isOwn) {
                takenOut.add(offset);
            }
        }

        @Override
        public void went(Trashed execution) {
            executions.put(execution.key().name(), execution);
        }
    };

    private boolean isOwn;

    public TrashSince(Trash trash) {
        this.trash = trash;
        trash.watch(watch);
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

    /** Returns true if the record of that offset was taken out, by another work than {@link #without}. */
    public boolean isTakenOut(long offset) {
        return takenOut.contains(offset);
    }

    /** Returns the execution in the form in which it went since, from the same stream; itself if it did not. */
    public Trashed newest(Trashed execution) {
        Trashed since = executions.get(execution.key().name());
        return since != null && since.sid() == execution.sid() && since.isLaterThan(execution) ? since : execution;
    }

    @Override
    public void close() {
        trash.unwatch(watch);
    }
}
