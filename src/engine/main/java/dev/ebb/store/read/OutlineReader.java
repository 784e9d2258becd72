package dev.ebb.store.read;

import dev.ebb.domain.event.Anchor;
import dev.ebb.store.layout.EventKeys;
import dev.ebb.store.layout.Location;
import dev.ebb.store.layout.Position;
import dev.ebb.store.layout.Range;
import dev.ebb.store.layout.StoredEventCodec;
import dev.ebb.store.read.StreamOutline.Kind;
import dev.ebb.store.read.StreamOutline.Standing;
import dev.ebb.store.state.Segment;
import dev.ebb.store.state.StreamState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Makes outlines of streams. The first outline comes from the stream's records alone, which name the first and the last
 * of the ordered events. A closer look reads the events of a short stream, from their head up to their count and no
 * further, and looks up some keys in the middle of a long stream. Stateless.
 */
record OutlineReader(ReadOnlyKeyValueStore<Bytes, byte[]> events, StreamReader reader) {

    /** The most events of a range that are read one by one. */
    static final long SHORT = 512;

    /** The most parts into which a range is divided. */
    static final int PARTS = 16;

    /**
     * The time after the first deadline within which the other deadlines are assumed, as long as none of them was read.
     */
    private static final long UNKNOWN_SPAN_MS = 30L * 24 * 3600 * 1000;

    /** One range of one execution. */
    private record Source(StreamState stream, Segment segment, Range range, long rank) {

        long count() {
            return segment.count(range);
        }

        long bytes() {
            return segment.totals().bytes(range);
        }

        /** Returns the last anchor of the ordered events, or a later time. */
        long tailMs() {
            Position tail = segment.heads().orderedTail();
            return tail == null ? Long.MAX_VALUE : tail.anchorMs();
        }

        long bytesOf(long some) {
            return count() == 0 ? 0 : (long) ((double) bytes() * some / count());
        }
    }

    /**
     * A known key in the middle of a long range, or the time of a possible key: all keys before it have lower anchors.
     */
    private record Knot(long anchorMs, long seq) {}

    /** The keys from one knot (inclusive) to another (exclusive). */
    private record Gap(Knot from, Knot to) {

        private long weight() {
            return Math.max(0, to.seq - from.seq);
        }

        private boolean isWide() {
            return to.anchorMs - from.anchorMs > 1;
        }
    }

    /**
     * Returns the outline of a stream.
     *
     * @param budget the budget for a closer look; null for none
     */
    StreamOutline outline(StreamState root, byte[] record, @Nullable OutlineBudget budget) {
        StreamState stream = reader.withExecutions(root);
        StreamOutline.Builder outline = new StreamOutline.Builder();
        long keptEvents = 0;
        long keptBytes = 0;
        List<Segment> segments = stream.segments();
        for (Segment segment : segments) {
            long goes = segment.eligibleEvents();
            keptEvents += segment.totalEvents() - goes;
            keptBytes += segment.totalBytes() - segment.eligibleBytes();
            if (goes > 0) {
                ordered(new Source(stream, segment, Range.ORDERED, stream.rank(segment)), outline, budget);
            }
        }
        for (Segment segment : segments) {
            if (segment.eligibleEvents() > 0) {
                timed(new Source(stream, segment, Range.TIMED, stream.rank(segment)), outline, budget);
            }
        }
        Standing standing = new Standing(
                mark(record),
                stream.totalEvents(),
                stream.totalBytes(),
                keptEvents,
                keptBytes,
                stream.arrangement(),
                stream.wishes(),
                stream.count(Range.INFINITE),
                !stream.isMoving(),
                stream.quarantine() != null,
                stream.noticeUntilMs());
        return outline.build(stream.stream(), standing);
    }

    /** Returns a hash of the record; different records almost always have different hashes. */
    static long mark(byte[] record) {
        long mark = 1125899906842597L;
        for (byte one : record) {
            mark = 31 * mark + one;
        }
        return mark;
    }

    private void ordered(Source source, StreamOutline.Builder outline, @Nullable OutlineBudget budget) {
        Position head = source.segment().heads().of(Range.ORDERED);
        Position tail = source.segment().heads().orderedTail();
        if (source.count() == 0 || head == null || tail == null) {
            return;
        }
        Anchor anchor = source.stream().arrangement().anchor();
        if (anchor == Anchor.COMPLETED && source.segment().isCompletedAsOne()) {
            long completedMs = source.segment().anchorMs(head.anchorMs(), anchor);
            outline.add(completedMs, completedMs, source.count(), source.bytes(), Kind.ORDERED, source.rank());
        } else if (head.anchorMs() == tail.anchorMs()) {
            outline.add(head.anchorMs(), tail.anchorMs(), source.count(), source.bytes(), Kind.ORDERED, source.rank());
        } else if (budget == null || budget.isSpent()) {
            outline.coarse();
            outline.add(head.anchorMs(), tail.anchorMs(), source.count(), source.bytes(), Kind.ORDERED, source.rank());
        } else if (source.count() <= SHORT) {
            readOrdered(source, head, outline, budget);
        } else {
            probe(source, head, tail, outline, budget);
        }
    }

    /** Reads the events one by one. */
    private void readOrdered(Source source, Position head, StreamOutline.Builder outline, OutlineBudget budget) {
        Runs runs = new Runs(source, Kind.ORDERED, outline);
        Bytes from = EventKeys.positional(Range.ORDERED, source.stream().sid(), head);
        try (var entries = events.range(from, end(source, Range.ORDERED))) {
            for (long left = source.count(); left > 0 && entries.hasNext(); left--) {
                KeyValue<Bytes, byte[]> entry = entries.next();
                long bytes = StoredEventCodec.decodeHeader(entry.value).sizeBytes();
                runs.add(EventKeys.positionOf(entry.key).anchorMs(), bytes);
            }
        }
        budget.spend(source.count() + OutlineBudget.SEEK);
        runs.end();
    }

    /**
     * Looks up keys, each time in the middle of the gap with the greatest weight. The order of arrival gives the number
     * of events before each key. This is an estimate: events may have gone, may be protected, or may have arrived in
     * another order than that of their anchors.
     */
    private void probe(
            Source source, Position head, Position tail, StreamOutline.Builder outline, OutlineBudget budget) {
        PriorityQueue<Gap> open =
                new PriorityQueue<>(Comparator.comparingLong(Gap::weight).reversed());
        List<Gap> gaps = new ArrayList<>();
        open.add(new Gap(new Knot(head.anchorMs(), head.seq()), new Knot(tail.anchorMs() + 1, tail.seq() + 1)));
        while (!open.isEmpty() && open.size() + gaps.size() < PARTS && !budget.isSpent()) {
            Gap gap = open.remove();
            Knot middle = gap.isWide() ? knot(source, gap, budget) : null;
            if (middle == null) {
                gaps.add(gap);
            } else {
                open.add(new Gap(gap.from(), middle));
                open.add(new Gap(middle, gap.to()));
            }
        }
        gaps.addAll(open);
        gaps.sort(Comparator.comparingLong(gap -> gap.from().anchorMs()));
        if (budget.isSpent()) {
            outline.coarse();
        }
        addGaps(source, gaps, outline);
    }

    /**
     * Returns the first key after the middle of the gap. If the gap is empty there, the knot is the middle itself; null
     * if the range ends there.
     */
    private @Nullable Knot knot(Source source, Gap gap, OutlineBudget budget) {
        long middle = gap.from().anchorMs() + (gap.to().anchorMs() - gap.from().anchorMs()) / 2;
        budget.spend(OutlineBudget.SEEK);
        Position from = new Position(source.segment().number(), middle, 0);
        Bytes key = EventKeys.positional(Range.ORDERED, source.stream().sid(), from);
        try (var entries = events.range(key, end(source, Range.ORDERED))) {
            if (!entries.hasNext()) {
                return null;
            }
            Position found = EventKeys.positionOf(entries.next().key);
            boolean isWithin = found.execution() == source.segment().number()
                    && found.anchorMs() < gap.to().anchorMs();
            return isWithin
                    ? new Knot(found.anchorMs(), found.seq())
                    : new Knot(middle, gap.to().seq());
        }
    }

    private static void addGaps(Source source, List<Gap> gaps, StreamOutline.Builder outline) {
        double all = gaps.stream().mapToLong(Gap::weight).sum();
        double before = 0;
        long told = 0;
        long toldBytes = 0;
        for (int i = 0; i < gaps.size(); i++) {
            Gap gap = gaps.get(i);
            before += all == 0 ? 1.0 / gaps.size() : gap.weight() / all;
            boolean isLast = i == gaps.size() - 1;
            long upTo = isLast ? source.count() : Math.round(source.count() * before);
            long bytesUpTo = isLast ? source.bytes() : source.bytesOf(upTo);
            outline.add(
                    gap.from().anchorMs(),
                    gap.to().anchorMs() - 1,
                    upTo - told,
                    bytesUpTo - toldBytes,
                    Kind.ESTIMATED,
                    source.rank());
            told = upTo;
            toldBytes = bytesUpTo;
        }
    }

    private void timed(Source source, StreamOutline.Builder outline, @Nullable OutlineBudget budget) {
        long count = source.count();
        long firstMs = source.segment().heads().dueMs();
        if (count == 0) {
            return;
        }
        if (firstMs == Location.NO_DUE) {
            // The TTLs are so long that they never end.
            outline.add(firstMs, firstMs, count, source.bytes(), Kind.TIMED, source.rank());
        } else if (budget == null || budget.isSpent()) {
            outline.coarse();
            long lastMs = firstMs > Long.MAX_VALUE - UNKNOWN_SPAN_MS ? firstMs : firstMs + UNKNOWN_SPAN_MS;
            outline.add(firstMs, lastMs, count, source.bytes(), Kind.TIMED_WITHOUT_END, source.rank());
        } else if (count <= SHORT) {
            readDeadlines(source, firstMs, outline, budget);
        } else {
            outline.add(firstMs, lastDeadline(source, firstMs), count, source.bytes(), Kind.TIMED, source.rank());
            budget.spend(OutlineBudget.SEEK);
        }
    }

    private void readDeadlines(Source source, long firstMs, StreamOutline.Builder outline, OutlineBudget budget) {
        Runs runs = new Runs(source, Kind.TIMED, outline);
        long each = source.bytesOf(1);
        Bytes from = EventKeys.dueFrom(source.stream().sid(), source.segment().number(), firstMs);
        try (var entries = events.range(from, end(source, Range.DUE))) {
            for (long left = source.count(); left > 0 && entries.hasNext(); left--) {
                runs.add(EventKeys.dueOf(entries.next().key), each);
            }
        }
        budget.spend(source.count() + OutlineBudget.SEEK);
        runs.end();
    }

    private long lastDeadline(Source source, long firstMs) {
        Bytes from = EventKeys.dueFrom(source.stream().sid(), source.segment().number(), firstMs);
        try (var entries = events.reverseRange(from, end(source, Range.DUE))) {
            return entries.hasNext() ? EventKeys.dueOf(entries.next().key) : firstMs;
        }
    }

    /** Returns the key after the last one of the execution in this range. */
    private static Bytes end(Source source, Range range) {
        long number = source.segment().number();
        Position last = new Position(number, Long.MAX_VALUE, Long.MAX_VALUE);
        int sid = source.stream().sid();
        return range == Range.DUE ? EventKeys.due(sid, Long.MAX_VALUE, last) : EventKeys.positional(range, sid, last);
    }

    /** Groups times that were read one by one into parts with equal numbers of events. */
    private static final class Runs {

        private final Source source;
        private final Kind kind;
        private final StreamOutline.Builder outline;
        private final long[] times;
        private final long[] bytes;
        private int count;

        Runs(Source source, Kind kind, StreamOutline.Builder outline) {
            this.source = source;
            this.kind = kind;
            this.outline = outline;
            this.times = new long[(int) source.count()];
            this.bytes = new long[(int) source.count()];
        }

        void add(long timeMs, long size) {
            times[count] = timeMs;
            bytes[count] = size;
            count++;
        }

        /**
         * Adds the parts. If fewer events were read than counted, the stream has changed meanwhile, and its end is
         * unknown.
         */
        void end() {
            int each = Math.max(1, (count + PARTS - 1) / PARTS);
            for (int from = 0; from < count; from += each) {
                int to = Math.min(count, from + each);
                long size = Arrays.stream(bytes, from, to).sum();
                outline.add(times[from], times[to - 1], to - from, size, kind, source.rank());
            }
            long missing = source.count() - count;
            if (missing > 0) {
                boolean isTimed = kind == Kind.TIMED;
                long last = isTimed ? source.segment().heads().dueMs() : source.tailMs();
                long at = count == 0 ? last : times[count - 1];
                outline.add(
                        at,
                        Math.max(at, last),
                        missing,
                        source.bytesOf(missing),
                        isTimed ? Kind.TIMED_WITHOUT_END : Kind.ESTIMATED,
                        source.rank());
                outline.coarse();
            }
        }
    }
}
