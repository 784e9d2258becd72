package dev.ebb.store.state;

import dev.ebb.domain.event.Execution;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.store.index.Agenda;
import dev.ebb.store.layout.Arrangement;
import dev.ebb.store.layout.ByteReader;
import dev.ebb.store.layout.ByteWriter;
import dev.ebb.store.layout.ExecutionCodec;
import dev.ebb.store.layout.Quarantine;

/**
 * The records of the usage store for a stream and for each of its executions above 0. The record of the stream holds
 * execution 0 and the totals of the others.
 */
public final class StateCodec {

    private static final int EXPECTED_BYTES = 256;
    private static final int EXPECTED_BYTES_OF_EXECUTION = 128;
    private static final int IS_MOVING = 1;
    private static final int AWAITS_EVENTS = 1 << 1;
    private static final int HAS_MOVE = 1;
    private static final int HAS_EXECUTIONS = 1 << 1;
    private static final int HAS_PARENT = 1 << 2;
    private static final int HAS_STALE_COMPLETION = 1 << 3;
    private static final int IS_QUARANTINED = 1 << 4;
    private static final int MUST_RETIME = 1 << 5;
    private static final int HAS_REVISION = 1 << 6;
    private static final int HAS_NOTICE = 1 << 7;
    private static final int HAS_WAKE_UP = 1 << 8;
    private static final int FIRST_MARK = 9;

    /**
     * The number of values before an execution: its wishes for no expiration, the beginning of open work, and the
     * latest completion.
     */
    private static final int TIMES_BEFORE_EXECUTION = 3;

    private StateCodec() {}

    public static byte[] encode(StreamState stream) {
        ByteWriter out = new ByteWriter(EXPECTED_BYTES);
        out.writeInt(stream.sid()).writeVarLong(flags(stream));
        write(stream.root(), out);
        if (stream.executions() != null) {
            stream.executions().encode(out);
        }
        long completedMs = stream.completion().ms();
        out.writeVarLong(stream.nextSeq()).writeLong(stream.lastStoredAt()).writeLong(completedMs);
        stream.arrangement().encode(out);
        writeRarities(stream, out);
        return out.toBytes();
    }

    private static int flags(StreamState stream) {
        Move move = stream.move();
        return (move == null ? 0 : HAS_MOVE)
                | (stream.executions() == null ? 0 : HAS_EXECUTIONS)
                | (stream.parent() == null ? 0 : HAS_PARENT)
                | (stream.completion().isStale() ? HAS_STALE_COMPLETION : 0)
                | (stream.quarantine() == null ? 0 : IS_QUARANTINED)
                | (stream.revision() == 0 ? 0 : HAS_REVISION)
                | (stream.noticeUntilMs() == StreamState.NO_NOTICE ? 0 : HAS_NOTICE)
                | (move == null || !move.mustRetime() ? 0 : MUST_RETIME)
                | (stream.wakeMs() == Agenda.NEVER ? 0 : HAS_WAKE_UP)
                | stream.marks() << FIRST_MARK;
    }

    private static void writeRarities(StreamState stream, ByteWriter out) {
        if (stream.parent() != null) {
            out.writeText(stream.parent().value());
        }
        if (stream.move() != null) {
            stream.move().encode(out);
        }
        if (stream.quarantine() != null) {
            stream.quarantine().encode(out);
        }
        if (stream.revision() != 0) {
            out.writeVarLong(stream.revision());
        }
        if (stream.noticeUntilMs() != StreamState.NO_NOTICE) {
            out.writeLong(stream.noticeUntilMs());
        }
        if (stream.wakeMs() != Agenda.NEVER) {
            out.writeLong(stream.wakeMs());
        }
    }

    /** Reads a stream for readers that do not need every execution; the executions have records of their own. */
    public static StreamState decode(StreamName name, EffectivePolicy policy, byte[] value) {
        ByteReader in = new ByteReader(value);
        StreamState stream = new StreamState(name, in.readInt(), policy, Arrangement.NOTHING);
        int flags = (int) in.readVarLong();
        read(stream.root(), in);
        stream.setExecutions((flags & HAS_EXECUTIONS) == 0 ? null : Executions.decode(in));
        stream.stored(in.readVarLong() - 1, in.readLong());
        stream.completion().found(in.readLong());
        if ((flags & HAS_STALE_COMPLETION) != 0) {
            stream.completion().doubt();
        }
        stream.arrange(Arrangement.decode(in));
        readRarities(stream, flags, in);
        return stream;
    }

    private static void readRarities(StreamState stream, int flags, ByteReader in) {
        if ((flags & HAS_PARENT) != 0) {
            stream.belongTo(new StreamName(in.readText()));
        }
        if ((flags & HAS_MOVE) != 0) {
            stream.goOnWith(Move.decode(in, (flags & MUST_RETIME) != 0));
        }
        if ((flags & IS_QUARANTINED) != 0) {
            stream.setQuarantine(Quarantine.decode(in));
        }
        stream.goOnFrom((flags & HAS_REVISION) == 0 ? 0 : in.readVarLong());
        if ((flags & HAS_NOTICE) != 0) {
            stream.giveNotice(in.readLong());
        }
        if ((flags & HAS_WAKE_UP) != 0) {
            stream.wakeAt(in.readLong());
        }
        stream.readMarks(flags >>> FIRST_MARK);
    }

    /** Returns the record of an execution above 0. */
    public static byte[] encode(Segment segment) {
        ByteWriter out = new ByteWriter(EXPECTED_BYTES_OF_EXECUTION);
        write(segment, out);
        return out.toBytes();
    }

    /** Reads the record of an execution above 0. */
    public static Segment decode(StreamState stream, long number, byte[] value) {
        Segment segment = new Segment(stream, number);
        read(segment, new ByteReader(value));
        return segment;
    }

    /** Returns the execution in the record, which may belong to a stream that is gone. */
    public static Execution executionOf(long number, byte[] value) {
        ByteReader in = new ByteReader(value);
        EventTotals.decode(in);
        for (int i = 0; i < TIMES_BEFORE_EXECUTION; i++) {
            in.readVarLong();
        }
        return ExecutionCodec.read(number, in);
    }

    /** Returns the time since which the execution in the record has been at work; 0 if it is terminal. */
    public static long openSinceMs(byte[] value) {
        ByteReader in = new ByteReader(value);
        EventTotals.decode(in);
        in.readVarLong();
        return in.readVarLong();
    }

    private static void write(Segment segment, ByteWriter out) {
        segment.totals().encode(out);
        out.writeVarLong(segment.totals().wishes())
                .writeVarLong(segment.openSinceMs())
                .writeVarLong(segment.latestCompletedMs());
        ExecutionCodec.write(segment.execution(), out);
        segment.heads().encode(out);
        Heads moved = segment.movedHeads();
        out.writeByte((moved == null ? 0 : IS_MOVING) | (segment.awaitsUntilMs() == 0 ? 0 : AWAITS_EVENTS));
        if (moved != null) {
            moved.encode(out);
        }
        if (segment.awaitsUntilMs() != 0) {
            out.writeLong(segment.awaitsUntilMs());
        }
    }

    private static void read(Segment segment, ByteReader in) {
        EventTotals totals = EventTotals.decode(in);
        totals.addWishes(in.readVarLong());
        segment.beginWork(in.readVarLong());
        segment.complete(in.readVarLong());
        segment.changeTo(ExecutionCodec.read(segment.number(), in));
        segment.recounted(totals, Heads.decode(in));
        int flags = in.readByte();
        if ((flags & IS_MOVING) != 0) {
            segment.beginMove(Heads.decode(in));
        }
        if ((flags & AWAITS_EVENTS) != 0) {
            segment.awaitEvents(in.readLong());
        }
    }
}
