package dev.ebb.topology.trash;

import dev.ebb.domain.undo.UndoFilter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Source of the records in the trash, read on a thread other than that of the task. */
public interface TrashSource {

    /**
     * Begins to read the records that the filter means in one partition, up to its present end.
     *
     * @param undoId the undo that reads; after a crash, this id marks the records that the undo has already brought
     *     back
     * @param preview sees each event before any is returned; if it then has enough, the reading ends and returns none
     */
    Reading read(int partition, UndoFilter filter, String undoId, Preview preview);

    /** Running reading. Belongs to one thread. */
    interface Reading extends AutoCloseable {

        /** Returns true once the records that are meant are known; until then nothing may be taken. */
        boolean isIndexed();

        /** Returns the executions that are meant, each in its newest form; known once the reading is indexed. */
        List<Trashed> executions();

        /** Returns the next events, no more than the given number; an empty list does not mean the end. */
        List<Trashed> take(int most);

        /** Returns true if all has been read and taken. */
        boolean isDone();

        /** Returns the reason why the reading cannot go on; null if there is none. */
        @Nullable
        String problem();

        @Override
        void close();
    }

    /** Source of an empty trash. */
    TrashSource NONE = (partition, filter, undoId, preview) -> new Nothing();

    /** Reading that finds nothing. */
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
