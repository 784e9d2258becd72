package dev.ebb.topology.trash;

import dev.ebb.domain.undo.UndoFilter;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Source of the records in the trash, read on a thread other than that of the task. */
public interface TrashSource {

    /**
     * Begins to read the records that the filter means in one partition, up to its present end.
     *
     * @param undoId the undo that reads; after a crash, this id marks the records that the undo has already brought
     *     back
     * @param guard tells genuine records from others; made now, and used by the reading alone
     */
    Reading read(int partition, UndoFilter filter, String undoId, TrashGuard guard);

    /**
     * Notes that a task of the partition begins.
     *
     * @param guards makes guards that know the seals of the task; for any thread
     */
    default void opened(int partition, Supplier<TrashGuard> guards) {}

    /**
     * Begins to compare the records of one partition with those that are promised (T-16). As a rule this is a look at
     * the first record: records go from the beginning of a topic, whatever removes them. Only if that record is not the
     * one of the last audit, and later than the first one that is promised, are all records read.
     *
     * @param guard knows the records that are promised, all of which can be read by now
     * @param lastHead the number of the first record at the last audit; {@link Audit#UNKNOWN} if there was none, {@link
     *     Audit#ALL} to read all records whatever the first one is
     * @return null if the instance has another audit at work: one after the other reads
     */
    default @Nullable Audit audit(int partition, TrashGuard guard, long lastHead) {
        return Audit.NONE;
    }

    /** Running audit. Belongs to one thread. */
    interface Audit extends AutoCloseable {

        /** No first record is known. */
        long UNKNOWN = -1;

        /** Stands for a first record that is never there. */
        long ALL = -2;

        /** Returns true once the audit has ended. */
        boolean isDone();

        /**
         * Returns the number of the first record, at the end; {@link Long#MAX_VALUE} if there is none, {@link #UNKNOWN} if
         * it cannot be read.
         */
        long head();

        /** Returns what was found of the promised records; null if it was enough to look at the first record. */
        @Nullable
        FoundTrash found();

        /** Returns the reason why the audit has failed; null if it has not. */
        default @Nullable String problem() {
            return null;
        }

        @Override
        void close();

        /** Audit that looks at nothing. */
        Audit NONE = new Audit() {

            @Override
            public boolean isDone() {
                return true;
            }

            @Override
            public long head() {
                return UNKNOWN;
            }

            @Override
            public @Nullable FoundTrash found() {
                return null;
            }

            @Override
            public void close() {}
        };
    }

    /** Running reading. Belongs to one thread. */
    interface Reading extends AutoCloseable {

        /** Returns true once the records that are meant are known; until then nothing may be taken. */
        boolean isIndexed();

        /**
         * Returns the executions that are meant, each in its newest form, and those that events carry; known once the
         * reading is indexed.
         */
        List<Trashed> executions();

        /** Returns the next events, no more than the given number; an empty list does not mean the end. */
        List<Trashed> take(int most);

        /** Returns the records that were refused; complete once the reading is done. */
        default Forged forged() {
            return Forged.NONE;
        }

        /** Returns what was found of the records that the trash has promised; known once the reading is indexed. */
        default FoundTrash found() {
            return FoundTrash.NOTHING;
        }

        /** Returns true if all has been read and taken. */
        boolean isDone();

        /** Returns the reason why the reading cannot go on; null if there is none. */
        @Nullable
        String problem();

        @Override
        void close();
    }

    /** Source of an empty trash. */
    TrashSource NONE = (partition, filter, undoId, guard) -> new Nothing();

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
