package dev.ebb.topology.trash;

import dev.ebb.domain.undo.UndoFilter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads what waits in the trash, beside the thread of the task that asks. */
public interface TrashSource {

    /**
     * Begins to read what the filter means in one partition, up to its end as it is now.
     *
     * @param undoId the undo that reads: after a crash it knows by it what it has brought back before
     * @param preview sees each event before any is given; if it has enough then, the reading ends and gives none
     */
    Reading read(int partition, UndoFilter filter, String undoId, Preview preview);

    /** A running reading. Belongs to one thread. */
    interface Reading extends AutoCloseable {

        /** Returns true once it is known what there is; until then nothing is to be taken. */
        boolean isIndexed();

        /** The executions that are meant, each in its newest form; known once the reading is indexed. */
        List<Trashed> executions();

        /** The next events, at most so many; none does not mean the end. */
        List<Trashed> take(int most);

        /** Returns true if all has been read and taken. */
        boolean isDone();

        /** Reason why it cannot go on; null if there is none. */
        @Nullable
        String problem();

        @Override
        void close();
    }

    /** Nothing waits. */
    TrashSource NONE = (partition, filter, undoId, preview) -> new Nothing();

    /** Finds nothing. */
    final class Nothing implements Reading {

        @Override
        public boolean isIndexed() {
            return true;
        }

        @Override
        public List<Trashed> executions() {
            return List.of();
        }

        @Override
        public List<Trashed> take(int most) {
            return List.of();
        }

        @Override
        public boolean isDone() {
            return true;
        }

        @Override
        public @Nullable String problem() {
            return null;
        }

        @Override
        public void close() {}
    }
}
