package dev.ebb.store.read;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.store.layout.Arrangement;
import dev.ebb.store.layout.Range;
import java.util.Arrays;

/**
 * Figures of a stream that tell when its events fall due, whatever the policy (C-3): parts of its events with the times
 * between which their ages count, or between which their own TTLs end. Immutable.
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
     * What the record of a stream says.
     *
     * @param mark tells the record from other ones of the stream, with high probability
     * @param events all events
     * @param bytes their size
     * @param keptEvents events that neither age nor own TTLs nor caps take: protected or kept for ever
     * @param keptBytes their size
     * @param arrangement the settings on which the times of the parts depend
     * @param wishes events among the parts that asked for no expiration
     * @param infiniteEvents events that are kept for ever because they asked for it
     * @param isSettled false while events move into another arrangement, so that the parts are less than certain
     * @param isQuarantined true if nothing is deleted from it until an operator has looked at it
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
            boolean isQuarantined) {}

    /**
     * A part of the events.
     *
     * @param firstMs the first anchor of its events, or the first end of their TTLs, or an earlier time
     * @param lastMs the last such time, or a later one
     * @param kind what is known of it
     * @param rank in a stream with executions, the rank of the execution, see {@code Place}; 0 in others
     */
    public record Part(long firstMs, long lastMs, long events, long bytes, Kind kind, long rank) {

        /** Returns true if the times are ends of own TTLs, and false if they are anchors. */
        public boolean isTimed() {
            return kind == Kind.TIMED || kind == Kind.TIMED_WITHOUT_END;
        }
    }

    /** Knowledge of a part. */
    public enum Kind {

        /** The number of its events is known, and so are their first and last anchor, or times around these. */
        ORDERED,

        /** The bounds are known; how many events lie in each of such parts of the stream is an estimate, and the sum is right. */
        ESTIMATED,

        /** The number of its events is known, and when the first and the last of their TTLs end, or times around these. */
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

    /** All events, protected ones included. */
    public long events() {
        return standing.events();
    }

    /** Size of all events. */
    public long bytes() {
        return standing.bytes();
    }

    /** Events that neither age nor own TTLs nor caps take: protected or kept for ever. */
    public long keptEvents() {
        return standing.keptEvents();
    }

    /** Size of these events. */
    public long keptBytes() {
        return standing.keptBytes();
    }

    /**
     * Returns true if the events stand as the policy asks for. Otherwise the times of the parts, and what is kept, are those
     * under another policy, and say little about this one: the events have yet to move, or the policy is not in force.
     */
    public boolean isArrangedFor(EffectivePolicy policy) {
        Arrangement known = standing.arrangement();
        Arrangement wanted = Arrangement.of(policy, known.statuses());
        return standing.isSettled()
                && !(hasOrdered() && wanted.moves(Range.ORDERED, known, standing.wishes() > 0))
                && !(hasTimed() && wanted.moves(Range.TIMED, known, false))
                && !(standing.infiniteEvents() > 0 && wanted.moves(Range.INFINITE, known, false));
    }

    /** Parts with own TTLs are the last ones. */
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

    /** Returns true if a closer look would tell nothing more. */
    public boolean isFine() {
        return isFine;
    }

    /** Number of parts: first those that go by age, the oldest first, and then those with own TTLs, the soonest first. */
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
