package dev.ebb.store;

import dev.ebb.domain.command.PruneCondition;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.retention.SweepBudget;
import java.util.List;
import java.util.Objects;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.jspecify.annotations.Nullable;

/**
 * Takes old parts out of a stream that lives on: whole executions, never the current one and none that is not terminal or
 * holds a protected event; or, in a stream without executions, eligible events. Not thread-safe.
 */
final class StreamPrune {

    private final StreamTable streams;
    private final EventTable events;
    private final Completion completion;

    StreamPrune(StreamTable streams, EventTable events, Completion completion) {
        this.streams = streams;
        this.events = events;
        this.completion = completion;
    }

    /** What a prune that begins now takes. */
    Pruning begin(StreamState stream, PruneCondition condition, boolean isDryRun) {
        if (condition.isEmpty()) {
            return new Pruning(stream.sid, condition, isDryRun, 0, -1, 0);
        }
        long keepLast = condition.keepLast() == null ? 0 : condition.keepLast();
        if (stream.executions == null) {
            long left = Math.max(0, stream.root.eligibleEvents() - keepLast);
            return new Pruning(stream.sid, condition, isDryRun, stream.nextSeq, -1, left);
        }
        return new Pruning(stream.sid, condition, isDryRun, stream.nextSeq, lastToGo(stream, keepLast), 0);
    }

    /** The highest execution that is neither the current one nor among the last so many; -1 if there is none. */
    private static long lastToGo(StreamState stream, long keepLast) {
        List<Segment> segments =
                stream.segments().stream().filter(Segment::isKnown).toList();
        long index = segments.size() - 1 - Math.max(1, Math.min(keepLast, segments.size()));
        return index < 0 ? -1 : segments.get((int) index).number;
    }

    /** Returns whether nothing more goes; false if the budget ended it. */
    boolean run(StreamState stream, Pruning pruning, SweepBudget budget, RemovalListener listener) {
        boolean isOfEvents = pruning.lastExecution < 0 && stream.executions == null;
        return isOfEvents
                ? pruneEvents(stream, pruning, budget, listener)
                : pruneExecutions(stream, pruning, budget, listener);
    }

    private boolean pruneExecutions(StreamState stream, Pruning pruning, SweepBudget budget, RemovalListener listener) {
        for (Segment segment : stream.segments()) {
            if (segment.number > pruning.lastExecution) {
                return true;
            }
            if (segment.number < pruning.execution || !segment.isKnown()) {
                continue;
            }
            if (budget.isSpent()) {
                return false;
            }
            if (mayGo(stream, segment)
                    && (!findCompletion(segment, pruning, budget)
                            || (isOldEnough(segment, pruning)
                                    && !pruneExecution(segment, pruning, budget, listener)))) {
                return false;
            }
            stream.completionScan = null;
            pruning.execution = segment.number + 1;
            budget.spendDelete();
        }
        return true;
    }

    private static boolean mayGo(StreamState stream, Segment segment) {
        boolean isCurrent = stream.executions != null && segment.number == stream.executions.current();
        return segment.execution.isTerminal() && !isCurrent && segment.count(Range.PINNED) == 0;
    }

    /** Nobody has said when the implicit execution was completed: then its events do. False if the budget ended it. */
    private boolean findCompletion(Segment segment, Pruning pruning, SweepBudget budget) {
        Long completedBefore = pruning.condition.completedBeforeMs();
        return completedBefore == null
                || segment.execution.completedAt() != null
                || completion.findRoot(segment.stream, completedBefore, budget);
    }

    private static boolean isOldEnough(Segment segment, Pruning pruning) {
        Long completedBefore = pruning.condition.completedBeforeMs();
        Long completedAt = segment.execution.completedAt();
        if (completedBefore == null) {
            return true;
        }
        return completedAt == null
                ? Completion.isRootBefore(segment.stream, completedBefore)
                : completedAt < completedBefore;
    }

    private boolean pruneExecution(Segment segment, Pruning pruning, SweepBudget budget, RemovalListener listener) {
        if (pruning.isDryRun) {
            pruning.countExecution(segment.totalEvents(), segment.totalBytes());
            return true;
        }
        for (Range range : List.of(Range.ORDERED, Range.TIMED, Range.INFINITE)) {
            if (!pruneRange(segment, range, pruning, budget, listener)) {
                return false;
            }
        }
        pruning.countExecution(0, 0);
        listener.executionRemoved(segment.stream, segment.execution);
        streams.removeSegment(segment);
        return true;
    }

    private boolean pruneRange(
            Segment segment, Range range, Pruning pruning, SweepBudget budget, RemovalListener listener) {
        Position from = segment.heads.of(range);
        long left = segment.count(range);
        if (from == null || left == 0) {
            return true;
        }
        Position next = from;
        try (var entries = open(segment, range, from)) {
            while (left > 0 && entries.hasNext() && !budget.isSpent()) {
                var entry = entries.next();
                if (EventKeys.executionOf(entry.key) != segment.number) {
                    break;
                }
                next = EventKeys.positionOf(entry.key).next();
                remove(segment, entry.value, pruning, listener);
                budget.spendDelete();
                left--;
            }
        }
        segment.heads.raise(range, left == 0 ? null : next);
        return left == 0;
    }

    private KeyValueIterator<Bytes, byte[]> open(Segment segment, Range range, Position from) {
        int sid = segment.stream.sid;
        return events.store().range(EventKeys.positional(range, sid, from), EventKeys.end(range, sid));
    }

    private void remove(Segment segment, byte[] value, Pruning pruning, RemovalListener listener) {
        EventHeader event = StoredEventCodec.decodeHeader(value);
        pruning.countEvent(event);
        if (pruning.isDryRun) {
            return;
        }
        StreamState stream = segment.stream;
        Location location = events.locationOf(stream, event.id());
        if (location == null) {
            throw new IllegalStateException("an event of " + segment + " is missing in the id index");
        }
        events.remove(segment, event, location);
        listener.removed(stream, new Removed(stream.stream(), event, segment.facts(event), RemovalCause.PRUNE, value));
    }

    private boolean pruneEvents(StreamState stream, Pruning pruning, SweepBudget budget, RemovalListener listener) {
        Segment root = stream.root;
        while (pruning.left > 0) {
            if (budget.isSpent()) {
                return false;
            }
            Round round = new Round(root, pruning.cursor);
            try (round) {
                while (pruning.left > 0 && !budget.isSpent() && round.hasNext()) {
                    look(root, round, pruning, listener);
                    budget.spendDelete();
                }
                if (pruning.left > 0 && !budget.isSpent()) {
                    pruning.left = 0;
                }
            }
            raiseHeads(root, pruning);
        }
        return true;
    }

    private void look(Segment root, Round round, Pruning pruning, RemovalListener listener) {
        var entry = round.next();
        pruning.cursor = EventKeys.positionOf(entry.key).next();
        pruning.left--;
        if (pruning.takes(StoredEventCodec.decodeHeader(entry.value))) {
            remove(root, entry.value, pruning, listener);
        } else {
            pruning.hasLeft = true;
        }
    }

    /** Where everything up to the cursor is gone, no scan shall walk over its tombstones. */
    private static void raiseHeads(Segment root, Pruning pruning) {
        Position cursor = pruning.cursor;
        if (pruning.isDryRun || pruning.hasLeft || cursor == null) {
            return;
        }
        for (Range range : List.of(Range.ORDERED, Range.TIMED)) {
            Position head = root.heads.of(range);
            if (head != null && head.compareTo(cursor) < 0) {
                root.heads.raise(range, root.count(range) == 0 ? null : cursor);
            }
        }
    }

    /** Goes through the ordered and the timed events of execution 0 side by side, in the order of deletion. */
    private final class Round implements AutoCloseable {

        private final Source ordered;
        private final Source timed;

        Round(Segment root, @Nullable Position cursor) {
            ordered = new Source(root, Range.ORDERED, cursor);
            timed = new Source(root, Range.TIMED, cursor);
        }

        boolean hasNext() {
            return ordered.peek() != null || timed.peek() != null;
        }

        KeyValue<Bytes, byte[]> next() {
            var one = ordered.peek();
            var other = timed.peek();
            boolean isOrdered = other == null
                    || (one != null && EventKeys.positionOf(one.key).compareTo(EventKeys.positionOf(other.key)) <= 0);
            return (isOrdered ? ordered : timed).take();
        }

        @Override
        public void close() {
            ordered.close();
            timed.close();
        }
    }

    private final class Source implements AutoCloseable {

        private final @Nullable KeyValueIterator<Bytes, byte[]> entries;
        private @Nullable KeyValue<Bytes, byte[]> current;
        private boolean isAtEnd;

        Source(Segment root, Range range, @Nullable Position cursor) {
            Position head = root.count(range) == 0 ? null : root.heads.of(range);
            Position from = head == null || cursor == null || head.compareTo(cursor) >= 0 ? head : cursor;
            entries = from == null ? null : open(root, range, from);
        }

        @Nullable
        KeyValue<Bytes, byte[]> peek() {
            if (current == null && entries != null && !isAtEnd && entries.hasNext()) {
                var next = entries.next();
                isAtEnd = EventKeys.executionOf(next.key) != 0;
                current = isAtEnd ? null : next;
            }
            return current;
        }

        KeyValue<Bytes, byte[]> take() {
            var taken = Objects.requireNonNull(peek());
            current = null;
            return taken;
        }

        @Override
        public void close() {
            if (entries != null) {
                entries.close();
            }
        }
    }
}
