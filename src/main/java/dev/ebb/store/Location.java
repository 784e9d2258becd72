package dev.ebb.store;

import org.apache.kafka.common.utils.Bytes;

/**
 * Where an event lies: the value of the id index.
 *
 * @param range one of the ranges that hold events
 * @param position its position; for a pinned event the one it would have
 * @param dueMs its key in the due range, epoch milliseconds; {@link #NO_DUE} if it has none
 * @param sizeBytes what it counts against {@code maxBytes}
 */
record Location(Range range, Position position, long dueMs, long sizeBytes) {

    /** The event has no entry in the due range. */
    static final long NO_DUE = Long.MAX_VALUE;

    private static final int EXPECTED_BYTES = 40;

    /** The key of the event itself. */
    Bytes key(int sid, String id) {
        return range.isPositional() ? EventKeys.positional(range, sid, position) : EventKeys.byId(range, sid, id);
    }

    boolean hasDue() {
        return dueMs != NO_DUE;
    }

    byte[] encode() {
        return new ByteWriter(EXPECTED_BYTES)
                .writeByte(range.code())
                .writeVarLong(position.execution())
                .writeLong(position.anchorMs())
                .writeVarLong(position.seq())
                .writeLong(dueMs)
                .writeVarLong(sizeBytes)
                .toBytes();
    }

    static Location decode(byte[] bytes) {
        ByteReader in = new ByteReader(bytes);
        Range range = Range.ofCode((byte) in.readByte());
        if (range == null) {
            throw new IllegalStateException("the id index names an unknown range");
        }
        Position position = new Position(in.readVarLong(), in.readLong(), in.readVarLong());
        return new Location(range, position, in.readLong(), in.readVarLong());
    }
}
