package dev.ebb.domain.undo;

import dev.ebb.domain.Snapshot;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of an undo, or of a part of it: the events that come back, and those that do not (T-2, T-3).
 *
 * @param events number of events that are back, or would come back
 * @param bytes size of these events, in bytes
 * @param streams number of streams of these events
 * @param executions number of declared executions that are back, or would come back
 * @param notReturned number of events that do not come back, by reason
 * @param named the first of the events that do not come back, at most {@link #MOST_NAMED}
 * @param streamNames some of the streams of the events that come back, at most {@link #MOST_STREAMS}
 * @param notice the notice under which these events stand, or would stand; null if nothing comes back
 */
public record UndoOutcome(
        long events,
        long bytes,
        long streams,
        long executions,
        Map<NotReturned, Long> notReturned,
        List<Left> named,
        List<String> streamNames,
        @Nullable Notice notice) {

    /** Maximum number of events that are named. */
    public static final int MOST_NAMED = 20;

    /** Maximum number of streams that are named, and so the maximum number that a hold can cover by name. */
    public static final int MOST_STREAMS = 100;

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

    /** How much of the deletes that an undo means comes back. */
    public enum Extent {
        /** All of it. A superseded event does not count: a later delete of the same id comes back in its place. */
        ALL,
        /** A part; the reasons say why the rest does not. */
        PART,
        /** Nothing. */
        NOTHING
    }

    public UndoOutcome {
        notReturned = Snapshot.of(notReturned);
        named = List.copyOf(named);
        streamNames = List.copyOf(streamNames);
    }

    /** Creates an outcome that names no stream and no notice. */
    public UndoOutcome(
            long events,
            long bytes,
            long streams,
            long executions,
            Map<NotReturned, Long> notReturned,
            List<Left> named) {
        this(events, bytes, streams, executions, notReturned, named, List.of(), null);
    }

    /** Returns how much of what is meant comes back; {@link Extent#ALL} is what a caller hopes for. */
    public Extent extent() {
        if (events == 0 && executions == 0) {
            return Extent.NOTHING;
        }
        boolean isShort = notReturned.entrySet().stream()
                .anyMatch(left -> left.getKey() != NotReturned.SUPERSEDED && left.getValue() > 0);
        return isShort ? Extent.PART : Extent.ALL;
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
                first(named, other.named, MOST_NAMED),
                first(streamNames, other.streamNames, MOST_STREAMS),
                Notice.sum(notice, other.notice));
    }

    private static <T> List<T> first(List<T> some, List<T> others, int most) {
        return Stream.concat(some.stream(), others.stream())
                .distinct()
                .limit(most)
                .toList();
    }
}
