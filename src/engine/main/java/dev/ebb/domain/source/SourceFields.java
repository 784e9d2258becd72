package dev.ebb.domain.source;

import dev.ebb.domain.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The parts of an event and where they stand in a record of a source. A part without a path is not set, and so is one
 * whose path leads to nothing, except {@code stream} and {@code id}, without which a record is a fault (F-2).
 *
 * @param stream the name of the stream
 * @param id the id of an event of a log; null for {@code {partition}-{offset}}, and always for a table
 * @param type the kind of fact; null for none
 * @param status the state of the work; null if no event is ever protected
 * @param occurredAt the producer's time; null if the Kafka timestamp takes its place
 * @param completedAt the time at which the work was done; null if not named
 * @param expiresAt the end of the event's life; null if policies alone decide
 * @param correlationId an id shared with related events; null for none
 * @param metadata free texts by name
 */
public record SourceFields(
        SourceTemplate stream,
        @Nullable SourceTemplate id,
        @Nullable SourceTemplate type,
        @Nullable SourceStatus status,
        @Nullable SourceTime occurredAt,
        @Nullable SourceTime completedAt,
        @Nullable SourceTime expiresAt,
        @Nullable SourcePath correlationId,
        Map<String, SourcePath> metadata) {

    public SourceFields {
        metadata = Snapshot.of(metadata);
    }

    /** Returns all paths in the order of the declaration; one that is used twice is there twice. */
    public List<SourcePath> paths() {
        List<SourcePath> paths = new ArrayList<>(stream.paths());
        for (@Nullable SourceTemplate template : new SourceTemplate[] {id, type}) {
            if (template != null) {
                paths.addAll(template.paths());
            }
        }
        if (status != null) {
            paths.add(status.from());
        }
        for (@Nullable SourceTime time : new SourceTime[] {occurredAt, completedAt, expiresAt}) {
            if (time != null) {
                paths.add(time.from());
            }
        }
        if (correlationId != null) {
            paths.add(correlationId);
        }
        paths.addAll(new TreeMap<>(metadata).values());
        return paths;
    }
}
