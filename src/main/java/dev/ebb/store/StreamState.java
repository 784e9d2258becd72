package dev.ebb.store;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.retention.RetentionDecider;
import org.jspecify.annotations.Nullable;

/**
 * What is remembered in memory of one stream: its usage, where its events begin, and the policy it goes by. Written only
 * by the {@link EventStore} that owns it, on the thread of its task.
 */
public final class StreamState {

    static final int NOT_IN_HEAP = -1;

    private static final int FORMAT = 1;
    private static final int EXPECTED_BYTES = 224;

    final int sid;
    final long[] events = new long[Range.OF_EVENTS.length];
    final long[] bytes = new long[Range.OF_EVENTS.length];
    Arrangement arrangement;
    Heads heads = new Heads();

    @Nullable
    Move move;

    int sentinels;
    long nextSeq;
    long lastStoredAt;

    /** The place in the {@link DueHeap}, or {@link #NOT_IN_HEAP}, and the time it stands there with. */
    int heapIndex = NOT_IN_HEAP;

    long heapDueMs;

    @Nullable
    DueHeap heap;

    private final StreamName stream;
    private EffectivePolicy policy;

    StreamState(StreamName stream, int sid, EffectivePolicy policy, Arrangement arrangement) {
        this.stream = stream;
        this.sid = sid;
        this.policy = policy;
        this.arrangement = arrangement;
    }

    public StreamName stream() {
        return stream;
    }

    /** The policy that the stream goes by; changes with the policies in force, a moment later. */
    public EffectivePolicy policy() {
        return policy;
    }

    void setPolicy(EffectivePolicy newPolicy) {
        policy = newPolicy;
    }

    /** All events, protected ones included. */
    public long totalEvents() {
        return sum(events);
    }

    /** The size of all events. */
    public long totalBytes() {
        return sum(bytes);
    }

    /** How many events their status protects. */
    public long protectedEvents() {
        return events[Range.PINNED.ordinalOfEvents()];
    }

    /** How many events retention may remove at all. */
    public long eligibleEvents() {
        return count(Range.ORDERED) + count(Range.TIMED);
    }

    /** Whether its events are on their way into another arrangement: sweeps wait for that. */
    public boolean isMoving() {
        return move != null;
    }

    /** Whether it holds more than its policy allows and something could go. */
    public boolean isOverCap() {
        return eligibleEvents() > 0 && policy.isOverCap(totalEvents(), totalBytes());
    }

    /** No event is due at or before this time, epoch milliseconds; {@link RetentionDecider#NEVER} if none ever is. */
    public long nextDueMs() {
        Position head = heads.of(Range.ORDERED);
        long byAge = head == null ? RetentionDecider.NEVER : RetentionDecider.dueByAgeMs(head.anchorMs(), policy);
        return Math.min(byAge, heads.dueMs());
    }

    long count(Range range) {
        return events[range.ordinalOfEvents()];
    }

    void add(Location location) {
        int index = location.range().ordinalOfEvents();
        events[index]++;
        bytes[index] += location.sizeBytes();
    }

    void subtract(Location location) {
        int index = location.range().ordinalOfEvents();
        events[index]--;
        bytes[index] -= location.sizeBytes();
    }

    /** Where inserts note their positions. */
    Heads headsForInsert() {
        return move == null ? heads : move.heads();
    }

    byte[] encode() {
        ByteWriter out = new ByteWriter(EXPECTED_BYTES);
        out.writeByte(FORMAT).writeInt(sid).writeByte(sentinels).writeByte(move == null ? 0 : 1);
        for (int i = 0; i < events.length; i++) {
            out.writeVarLong(events[i]).writeVarLong(bytes[i]);
        }
        out.writeVarLong(nextSeq).writeLong(lastStoredAt);
        arrangement.encode(out);
        heads.encode(out);
        if (move != null) {
            move.encode(out);
        }
        return out.toBytes();
    }

    static StreamState decode(StreamName stream, EffectivePolicy policy, byte[] value) {
        ByteReader in = new ByteReader(value);
        int format = in.readByte();
        if (format != FORMAT) {
            throw new IllegalStateException(
                    "the usage was written in format " + format + ", this version reads format " + FORMAT);
        }
        int sid = in.readInt();
        int sentinels = in.readByte();
        boolean isMoving = in.readByte() != 0;
        long[] counted = new long[2 * Range.OF_EVENTS.length];
        for (int i = 0; i < counted.length; i++) {
            counted[i] = in.readVarLong();
        }
        long nextSeq = in.readVarLong();
        long lastStoredAt = in.readLong();
        StreamState state = new StreamState(stream, sid, policy, Arrangement.decode(in));
        for (int i = 0; i < Range.OF_EVENTS.length; i++) {
            state.events[i] = counted[2 * i];
            state.bytes[i] = counted[2 * i + 1];
        }
        state.sentinels = sentinels;
        state.nextSeq = nextSeq;
        state.lastStoredAt = lastStoredAt;
        state.heads = Heads.decode(in);
        state.move = isMoving ? Move.decode(in) : null;
        return state;
    }

    private static long sum(long[] values) {
        long sum = 0;
        for (long value : values) {
            sum += value;
        }
        return sum;
    }

    @Override
    public String toString() {
        return stream.toString();
    }
}
