package dev.ebb.domain.undo;

import dev.ebb.domain.Snapshot;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The outcome of an undo, or of a part of it: the events that come back, and those that do not (T-2).
 *
 * @param events number of events that are back, or would come back
 * @param bytes size of these events, in bytes
 * @param streams number of streams of these events
 * @param executions number of declared executions that are back, or would come back
 * @param notReturned number of events that do not come back, by reason
 * @param named the first of the events that do not come back, at most {@link #MOST_NAMED}
 */
public record UndoOutcome(
        long events, long bytes, long streams, long executions, Map<NotReturned, Long> notReturned, List<Left> named) {

    /** Maximum number of events that are named. */
    public static final int MOST_NAMED = 20;

    /** No event comes back, and none was found that should. */
    public static final UndoOutcome NOTHING = new UndoOutcome(0, 0, 0, 0, Map.of(), List.of());

    /** An event that does not come back, and the reason. */
    public record Left(String stream, String id, NotReturned reason) {

        public Left {
            Objects.requireNonNull(stream, "an event has a stream");
            Objects.requireNonNull(id, "an event has an id");
            Objects.requireNonNull(reason, "an event that does not come back has a reason");
        }
    }

    public UndoOutcome {
        notReturned = Snapshot.of(notReturned);
        named = List.copyOf(named);
    }

    /** Returns the number of events that do not come back for the given reason. */
    public long count(NotReturned reason) {
        return notReturned.getOrDefault(reason, 0L);
    }

    /** Returns the sum of both, which have no stream in common. */
    public UndoOutcome plus(UndoOutcome other) {
        Map<NotReturned, Long> sums = new EnumMap<>(NotReturned.class);
        sums.putAll(notReturned);
        other.notReturned.forEach((reason, number) -> sums.merge(reason, number, Long::sum));
        return new UndoOutcome(
                events + other.events,
                bytes + other.bytes,
                streams + other.streams,
                executions + other.executions,
                sums,
                Stream.concat(named.stream(), other.named.stream())
                        .limit(MOST_NAMED)
                        .toList());
    }
}
