package dev.ebb.store;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * When a stream was completed, as purge asks for it. It is known without looking at an event, unless the event that was
 * completed last has gone: then the others are looked at once. Not thread-safe.
 */
final class Completion {

    private final EventTable events;

    Completion(EventTable events) {
        this.events = events;
    }

    /** The latest completion of its executions, or without any of its events, epoch milliseconds; -1 if nothing ever was. */
    long of(StreamState stream) {
        if (stream.executions != null || stream.root.execution.isDeclared()) {
            return stream.segments().stream()
                    .map(segment -> segment.execution.completedAt())
                    .mapToLong(Completion::orNever)
                    .max()
                    .orElse(-1);
        }
        if (stream.isCompletionStale) {
            stream.completedMs = ofEvents(stream);
            stream.isCompletionStale = false;
        }
        return stream.completedMs;
    }

    private static long orNever(@Nullable Long completedAt) {
        return completedAt == null ? -1 : completedAt;
    }

    /** The latest completion of the events of its execution 0; -1 if it has none. */
    long ofEvents(StreamState stream) {
        long latest = -1;
        for (Range range : List.of(Range.ORDERED, Range.TIMED, Range.INFINITE)) {
            if (stream.root.count(range) > 0) {
                latest = Math.max(latest, latest(stream, range));
            }
        }
        return latest;
    }

    private long latest(StreamState stream, Range range) {
        long latest = -1;
        long left = stream.root.count(range);
        try (var entries = events.store()
                .range(ReadOnlyEventStore.startOf(stream, stream.root, range), EventKeys.sentinel(range, stream.sid))) {
            while (left > 0 && entries.hasNext()) {
                var entry = entries.next();
                if (EventKeys.isSentinel(entry.key)) {
                    break;
                }
                latest = Math.max(
                        latest,
                        orNever(StoredEventCodec.decodeHeader(entry.value).completedAt()));
                left--;
            }
        }
        return latest;
    }
}
