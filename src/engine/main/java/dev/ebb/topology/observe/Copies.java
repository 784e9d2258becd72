package dev.ebb.topology.observe;

import dev.ebb.domain.erase.EraseRest;
import dev.ebb.domain.erase.RemainingPlace;
import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.undo.Deletion;
import dev.ebb.topology.trash.TrashGuard;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Copies of deleted events, and rejected records, on topics that are partitioned like the events. */
public interface Copies {

    /**
     * Begins a search for copies in one partition of all such topics, up to their present ends. The search reads on
     * another thread; the caller asks for its results from time to time.
     *
     * @param guard tells genuine records of the trash from others, which have no account; used by the search alone
     * @param wanted tells the copies that are looked for
     */
    Search search(int partition, TrashGuard guard, Wanted wanted);

    /** Tells the records that are looked for; called by another thread. */
    interface Wanted {

        /** Returns true if the event is looked for. */
        boolean isMeant(Event event);

        /**
         * Returns true if a record with that key may be looked for, whose value cannot be read.
         *
         * @param key the Kafka key of the record as text; empty for none
         */
        boolean mayBeMeant(String key);
    }

    /**
     * Begins to collect all places where bytes of events may remain that were erased at that time (T-11); the answer
     * follows from the settings of the topics.
     *
     * @param namespace the namespace to which the erasure was limited; empty for none
     * @param rest the bytes that the erasure could not look at
     */
    CompletionStage<List<RemainingPlace>> places(String namespace, EraseRest rest, long erasedMs);

    /** Kind of topic with copies. */
    enum Kind {
        /** Events that retention or a command deleted, where their policy asks for a copy. */
        ARCHIVE,
        /** Events that can be brought back for a while. */
        TRASH
    }

    /**
     * Copy of an event.
     *
     * @param id the id of the event
     * @param storedAt time at which the event was stored, epoch milliseconds
     * @param key the Kafka key of its record, which no other copy has: a record without a value removes this copy only
     * @param offset the offset of its record
     * @param waiting account of a copy that waits in the trash; null for other copies
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Copy(
            Kind kind,
            StreamName stream,
            String id,
            long storedAt,
            byte[] key,
            long offset,
            @Nullable Waiting waiting) {}

    /**
     * Account of an event in the trash.
     *
     * @param bytes its size
     */
    record Waiting(Deletion deletion, long bytes) {}

    /** Running search. Belongs to one thread. */
    interface Search extends AutoCloseable {

        /** Returns copies that were found since the last call, no more than the given number. */
        List<Copy> take(int most);

        /** Returns true if all has been read and taken. */
        boolean isDone();

        /** Returns the reason why the search cannot go on; null if there is none. */
        @Nullable
        String problem();

        /** Returns the copies that were found but cannot be read. */
        default List<EraseRest.Unread> unread() {
            return List.of();
        }

        /** Returns the rejected records that are looked for, or may be; complete once the search is done. */
        default List<EraseRest.Rejected> rejected() {
            return List.of();
        }

        @Override
        void close();
    }

    /** Copies where no topic has any. */
    Copies NONE = new Copies() {
        @Override
        public Search search(int partition, TrashGuard guard, Wanted wanted) {
            return new Nothing();
        }

        @Override
        public CompletionStage<List<RemainingPlace>> places(String namespace, EraseRest rest, long erasedMs) {
            return CompletableFuture.completedStage(List.of());
        }
    };

    /** Search that finds nothing. */
    final class Nothing implements Search {

        @Override
        public List<Copy> take(int most) {
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
