package dev.ebb.topology.observe;

import dev.ebb.domain.erase.EraseRest;
import dev.ebb.domain.erase.Place;
import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.undo.Deletion;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Copies of events that have gone, on topics that are partitioned like the events. */
public interface Copies {

    /**
     * Begins to look for copies in one partition of all such topics, up to their ends as they are now. Reads beside the
     * caller, who asks from time to time how far it is.
     *
     * @param isMeant tells the copies that are looked for; called by another thread
     */
    Search search(int partition, Predicate<Event> isMeant);

    /**
     * Begins to ask for all places where bytes of events may remain that were erased at that time (T-11); the answer
     * comes from the settings that the topics have.
     *
     * @param rest bytes that the erasure could not look at
     */
    CompletionStage<List<Place>> places(EraseRest rest, long erasedMs);

    /** Topics with copies. */
    enum Kind {
        /** Events that retention or a command deleted, where their policy asks for a copy. */
        ARCHIVE,
        /** Events that can be brought back for a while. */
        TRASH
    }

    /**
     * A copy of an event.
     *
     * @param id the id of the event
     * @param storedAt time at which the event was stored, epoch milliseconds
     * @param key the Kafka key of its record
     * @param offset the offset of its record
     * @param isAlone true if the key is that of this copy alone, so that a record without a value takes it away and no
     *     other
     * @param waiting account of a copy in the trash; null for other copies
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Copy(
            Kind kind,
            StreamName stream,
            String id,
            long storedAt,
            byte[] key,
            long offset,
            boolean isAlone,
            @Nullable Waiting waiting) {}

    /**
     * Account of an event in the trash.
     *
     * @param bytes its size
     */
    record Waiting(Deletion deletion, long bytes) {}

    /** A running search. Belongs to one thread. */
    interface Search extends AutoCloseable {

        /** Copies that were found since the last call, at most so many. */
        List<Copy> take(int most);

        /** Returns true if all has been read and taken. */
        boolean isDone();

        /** Reason why it cannot go on; null if there is none. */
        @Nullable
        String problem();

        /** Copies that were found and cannot be read. */
        default List<EraseRest.Unread> unread() {
            return List.of();
        }

        @Override
        void close();
    }

    /** No topic has copies. */
    Copies NONE = new Copies() {
        @Override
        public Search search(int partition, Predicate<Event> isMeant) {
            return new Nothing();
        }

        @Override
        public CompletionStage<List<Place>> places(EraseRest rest, long erasedMs) {
            return CompletableFuture.completedStage(List.of());
        }
    };

    /** Finds nothing. */
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
