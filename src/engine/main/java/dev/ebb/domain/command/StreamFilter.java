package dev.ebb.domain.command;

import dev.ebb.domain.event.StreamName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A filter for the streams of a command over many streams: all given conditions must hold.
 *
 * @param streams the streams; an empty list matches none; null for any
 * @param completedBeforeMs the time, epoch milliseconds, strictly before which the stream was completed; null for any
 * @param namespace the namespace of the streams; null for any
 * @param limit the maximum number of streams over all partitions, those with the oldest completion first, at least 1
 * @param isAll true if the command concerns every stream when no condition is given
 */
public record StreamFilter(
        @Nullable List<StreamName> streams,
        @Nullable Long completedBeforeMs,
        @Nullable String namespace,
        long limit,
        boolean isAll) {

    /** The limit of a command that names none. */
    public static final long DEFAULT_LIMIT = 1000;

    /** @throws IllegalArgumentException if the limit is not positive */
    public StreamFilter {
        if (limit <= 0) {
            throw new IllegalArgumentException("the limit must be positive, was " + limit);
        }
        streams = streams == null ? null : List.copyOf(streams);
    }

    /** Returns the filter of these values. */
    static StreamFilter of(CommandValues given, CommandField<Long> completedBefore) {
        Long limit = given.find(CommandField.LIMIT);
        return new StreamFilter(
                given.find(CommandField.STREAMS),
                given.find(completedBefore),
                given.find(CommandField.NAMESPACE),
                limit == null ? DEFAULT_LIMIT : limit,
                given.get(CommandField.ALL));
    }

    /** Returns true if no condition is given; such a command is refused unless it asks for all streams. */
    public boolean isEmpty() {
        return streams == null && completedBeforeMs == null && namespace == null;
    }
}
