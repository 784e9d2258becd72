package dev.ebb.port.history;

import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.retention.ArchivedEvent;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Reads deleted events where a policy asked for their archive. Thread-safe. */
public interface ArchiveQueries {

    /** Those that match, the last deleted first. */
    HistoryPage<ArchivedRecord> list(ArchiveFilter filter, @Nullable String after, int limit);

    /** What lies at these places, in no particular order; a place without a deleted event is left out. */
    List<ArchivedRecord> read(Collection<RejectedRecord.Id> places);

    /** Whether the event would be protected by its own status if it came now. */
    boolean isProtected(Event event);

    /**
     * Which deleted events are asked for.
     *
     * @param stream of this stream; null for all
     * @param namespace of streams of this namespace; null for all
     * @param cause deleted for this cause; null for all
     * @param by deleted by the sweep or command of this id; null for all
     * @param time deleted at that time
     */
    record ArchiveFilter(
            @Nullable StreamName stream,
            @Nullable String namespace,
            @Nullable String cause,
            @Nullable String by,
            TimeRange time)
            implements Predicate<ArchivedEvent> {

        @Override
        public boolean test(ArchivedEvent archived) {
            StreamName name = archived.event().event().stream();
            return (stream == null || stream.equals(name))
                    && (namespace == null || namespace.equals(name.namespace()))
                    && (cause == null || cause.equals(archived.cause().name()))
                    && (by == null || by.equals(archived.sweepId()) || by.equals(archived.commandId()))
                    && time.contains(archived.deletedAtMs());
        }
    }
}
