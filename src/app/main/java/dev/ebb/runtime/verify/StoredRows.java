package dev.ebb.runtime.verify;

import dev.ebb.domain.BadCursorException;
import dev.ebb.domain.command.RowKey;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.Execution;
import dev.ebb.domain.event.StreamName;
import dev.ebb.serde.mirror.MirrorRows;
import dev.ebb.serde.mirror.MirrorTable;
import dev.ebb.serde.mirror.RowImage;
import dev.ebb.store.read.ReadOnlyEventStore;
import dev.ebb.store.read.StatusFilter;
import dev.ebb.store.read.StreamContext;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Contents of one partition, as the rows that its sinks should have written: none for the events of a stream without
 * rows. Each image is made from the row in JSON, which has the values of every form. Due events count as rows like any
 * others. Not thread-safe.
 */
record StoredRows(ReadOnlyEventStore store) {

    private static final MirrorRows ROWS = new MirrorRows();

    /**
     * Shows rows, stream by stream in the order of their names.
     *
     * @param cursor result of an earlier visit; null to begin
     * @param visitor returns false to end the visit before that row
     * @return where to continue if the visitor has ended the visit; null if there are no more rows
     */
    @Nullable
    List<String> visit(MirrorTable table, @Nullable List<String> cursor, Predicate<RowImage> visitor) {
        StreamName after = cursor == null ? null : new StreamName(cursor.get(0));
        List<String> end = cursor == null ? null : visitRest(table, cursor, visitor);
        Iterator<StreamContext> streams = store.contexts(after, null).iterator();
        while (end == null && streams.hasNext()) {
            end = visit(table, streams.next(), null, visitor);
        }
        return end;
    }

    /** Continues within the stream of the cursor, if the cursor names a place there. */
    private @Nullable List<String> visitRest(MirrorTable table, List<String> cursor, Predicate<RowImage> visitor) {
        StreamContext stream =
                cursor.size() > 1 ? store.context(new StreamName(cursor.get(0))).orElse(null) : null;
        return stream == null ? null : visit(table, stream, cursor.get(1), visitor);
    }

    /** Shows the rows of one stream; the cursor is the store's cursor of events. */
    @Nullable
    String visitEvents(StreamName name, @Nullable String cursor, Predicate<RowImage> visitor) {
        List<String> end = store.context(name)
                .map(stream -> visit(MirrorTable.EVENTS, stream, cursor, visitor))
                .orElse(null);
        return end == null ? null : end.get(1);
    }

    /** Returns a cursor with the stream and the place in it at which to continue. */
    private static @Nullable List<String> visit(
            MirrorTable table, StreamContext stream, @Nullable String from, Predicate<RowImage> visitor) {
        String next = table == MirrorTable.EVENTS
                ? visitEvents(stream, from, visitor)
                : visitExecutions(stream, from == null ? 0 : Long.parseLong(from), visitor);
        return next == null ? null : List.of(stream.stream().value(), next);
    }

    private static @Nullable String visitEvents(
            StreamContext stream, @Nullable String from, Predicate<RowImage> visitor) {
        if (!stream.hasRows()) {
            return null;
        }
        try {
            return stream.visit(
                    StatusFilter.ALL,
                    from,
                    event -> visitor.test(RowImage.of(MirrorTable.EVENTS, ROWS.eventRow(event))));
        } catch (IllegalArgumentException e) {
            throw new BadCursorException();
        }
    }

    private static @Nullable String visitExecutions(StreamContext stream, long from, Predicate<RowImage> visitor) {
        for (Execution execution : stream.executions()) {
            if (execution.isDeclared() && execution.number() >= from && !visitor.test(image(stream, execution))) {
                return Long.toString(execution.number());
            }
        }
        return null;
    }

    private static RowImage image(StreamContext stream, Execution execution) {
        return RowImage.of(MirrorTable.EXECUTIONS, ROWS.executionRow(stream.stream(), execution, stream.parent()));
    }

    /** Returns the row of the event that is stored with that key; empty if there is none, and if its stream has none. */
    Optional<RowImage> find(String stream, RowKey key) {
        if (StreamName.problem(stream) != null || EventId.problem(key.eventId()) != null) {
            return Optional.empty();
        }
        StreamName name = new StreamName(stream);
        return store.find(name, new EventId(key.eventId()))
                .filter(event ->
                        store.context(name).filter(StreamContext::hasRows).isPresent())
                .filter(event -> Instant.ofEpochMilli(event.storedAt()).equals(key.instant()))
                .map(event -> RowImage.of(MirrorTable.EVENTS, ROWS.eventRow(event)));
    }

    /** Returns the rows of the executions of the stream. */
    List<RowImage> executions(String stream) {
        List<RowImage> images = new ArrayList<>();
        if (StreamName.problem(stream) == null) {
            store.context(new StreamName(stream)).ifPresent(context -> visitExecutions(context, 0, images::add));
        }
        return images;
    }

    /** Returns true if rows of a deleted stream of that name are still to be removed. */
    boolean isBeingEmptied(String stream) {
        return StreamName.problem(stream) == null && store.isBeingEmptied(new StreamName(stream));
    }

    /** Returns true if rows of the stream still come or go, because its policy has changed (F-13). */
    boolean isTurning(String stream) {
        return StreamName.problem(stream) == null
                && store.context(new StreamName(stream))
                        .filter(StreamContext::isTurningRows)
                        .isPresent();
    }
}
