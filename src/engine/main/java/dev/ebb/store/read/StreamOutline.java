package dev.ebb.store.read;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.store.layout.Arrangement;
import dev.ebb.store.layout.Range;
import java.util.Arrays;

/**
 * The figures of a stream that tell when its events fall due, whatever the policy (C-3): its events in parts, each with
 * the times between which ages count or own TTLs end. Immutable.
 */
public final class StreamOutline {

    private static final int WIDTH = 5;
    private static final int LAST = 1;
    private static final int EVENTS = 2;
    private static final int BYTES = 3;
    private static final int KIND = 4;
    private static final int RANK_SHIFT = 3;

    private final StreamName stream;
    private final Standing standing;
    private final long[] parts;
    private final boolean isFine;

    private StreamOutline(StreamName stream, Standing standing, long[] parts, boolean isFine) {
        this.stream = stream;
        this.standing = standing;
        this.parts = parts;
        this.isFine = isFine;
    }

    /**
     * The content of a stream's record.
     *
     * @param mark distinguishes the record from other records of the stream, with high probability
     * @param events the number of all events
     * @param bytes the size of all events
     * @param keptEvents the number of events that neither age nor own TTLs nor caps take: protected or kept for ever
     * @param keptBytes the size of these events
     * @param arrangement the settings on which the times of the parts depend
     * @param wishes the number of events among the parts that asked for no expiration
     * @param infiniteEvents the number of events that are kept for ever because they asked for it
     * @param isSettled false while events move into another arrangement and the parts are less than certain
     * @param isQuarantined true if nothing is deleted from the stream until an operator has looked at it
     * @param noticeUntilMs the last millisecond of the notice of the stream, epoch milliseconds; -1 for none
     */
    record Standing(
            long mark,
            long events,
            long bytes,
            long keptEvents,
            long keptBytes,
            Arrangement arrangement,
            long wishes,
            long infiniteEvents,
            boolean isSettled,
            boolean isQuarantined,
            long noticeUntilMs) {}

    /**
     * A part of the events.
     *
     * @param firstMs the first anchor of its events, or the first end of their TTLs, or an earlier time
     * @param lastMs the last such time, or a later time
     * @param kind what is known of the part
     * @param rank the rank of the execution in a stream with executions, see {@code Place}; 0 in other streams
     */
    public record Part(long firstMs, long lastMs, long events, long bytes, Kind kind, long rank) {

        /** Returns true if the times are ends of own TTLs, false if they are anchors. */
        public boolean isTimed() {
            return kind == Kind.TIMED || kind == Kind.TIMED_WITHOUT_END;
        }
    }

    /** The kind of knowledge about a part. */
    public enum Kind {

        /** The number of events is known, and their first and last anchor, or times around these. */
        ORDERED,

        /**
         * The bounds are known. The number of events in each such part is an estimate, and the sum of the parts is
         * exact.
         */
        ESTIMATED,

        /** The number of events is known, and when the first and the last of their TTLs end, or times around these. */
        TIMED,

        /** No TTL ends before the first time; the last one is a guess. */
        TIMED_WITHOUT_END;

        private static final Kind[] ALL = values();
    }

    public StreamName stream() {
        return stream;
    }

    long mark() {
        return standing.mark();
    }

    /** Returns the number of all events, including protected ones. */
    public long events() {
        return standing.events();
    }

    /** Returns the size of all events in bytes. */
    public long bytes() {
        return standing.bytes();
    }

    /** Returns the number of events that neither age nor own TTLs nor caps take: protected or kept for ever. */
    public long keptEvents() {
        return standing.keptEvents();
    }

    /** Returns the size of these events in bytes. */
    public long keptBytes() {
        return standing.keptBytes();
    }

    /**
     * Returns true if the events lie as the policy asks for. Otherwise the times of the parts, and the kept events,
     * follow from another policy and say little about this one: the events have yet to move, or the policy is not
     * in force.
     */
    public boolean isArrangedFor(EffectivePolicy policy) {
        Arrangement known = standing.arrangement();
        Arrangement wanted = Arrangement.of(policy, known.statuses());
        return standing.isSettled()
                && !(hasOrdered() && wanted.moves(Range.ORDERED, known, standing.wishes() > 0))
                && !(hasTimed() && wanted.moves(Range.TIMED, known, false))
                && !(standing.infiniteEvents() > 0 && wanted.moves(Range.INFINITE, known, false));
    }

    /** Returns true if a part has own TTLs; such parts come last. */
    private boolean hasTimed() {
        return size() > 0 && part(size() - 1).isTimed();
    }

    private boolean hasOrdered() {
        return size() > 0 && !part(0).isTimed();
    }

    /** Returns true if nothing is deleted from the stream until an operator has looked at it. */
    public boolean isQuarantined() {
        return standing.isQuarantined();
    }

    /** Returns the last millisecond of the notice of the stream, epoch milliseconds; -1 if it never had one. */
    public long noticeUntilMs() {
        return standing.noticeUntilMs();
    }

    /** Returns true if a closer look would tell nothing more. */
    public boolean isFine() {
        return isFine;
    }

    /**
     * Returns the number of parts: first the parts that go by age, oldest first, then those with own TTLs, soonest
     * first.
     */
    public int size() {
        return parts.length / WIDTH;
    }

    public Part part(int index) {
        int at = index * WIDTH;
        long kind = parts[at + KIND];
        return new Part(
                parts[at],
                parts[at + LAST],
                parts[at + EVENTS],
                parts[at + BYTES],
                Kind.ALL[(int) (kind & ((1 << RANK_SHIFT) - 1))],
                kind >>> RANK_SHIFT);
    }

    /** Gathers the parts of a stream. Not thread-safe. */
    static final class Builder {

        private long[] parts = new long[WIDTH];
        private int length;
        private boolean isFine = true;

        void add(long firstMs, long lastMs, long events, long bytes, Kind kind, long rank) {
            if (events <= 0) {
                return;
            }
            if (length == parts.length) {
                parts = Arrays.copyOf(parts, 2 * length);
            }
            parts[length] = firstMs;
            parts[length + LAST] = Math.max(firstMs, lastMs);
            parts[length + EVENTS] = events;
            parts[length + BYTES] = bytes;
            parts[length + KIND] = (rank << RANK_SHIFT) | kind.ordinal();
            length += WIDTH;
        }

        /** Notes that a closer look would tell more. */
        void coarse() {
            isFine = false;
        }

        StreamOutline build(StreamName stream, Standing standing) {
            return new StreamOutline(stream, standing, Arrays.copyOf(parts, length), isFine);
        }
    }
}
