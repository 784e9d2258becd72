package dev.ebb.port.history;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.retention.ArchivedEvent;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Reads deleted events whose policy asked for an archive copy. Thread-safe. */
public interface ArchiveQueries {

    /** Returns deleted events that match, the last deleted first. */
    HistoryPage<ArchivedRecord> list(ArchiveFilter filter, @Nullable String after, int limit);

    /**
     * Selection of deleted events.
     *
     * @param stream only events of this stream; null for all
     * @param namespace only events of streams of this namespace; null for all
     * @param cause only events deleted for this cause; null for all
     * @param by only events deleted by the sweep or command with this id; null for all
     * @param time only events deleted in this range
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
