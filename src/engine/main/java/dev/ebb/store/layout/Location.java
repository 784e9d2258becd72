package dev.ebb.store.layout;

import org.apache.kafka.common.utils.Bytes;

/**
 * The place of an event: the value of the id index.
 *
 * @param range one of the ranges that hold events
 * @param position the position in the range; for a pinned event, the anchor is the time since which it is protected
 * @param dueMs the time of the event's key in the due range, epoch milliseconds; {@link #NO_DUE} if it has none
 * @param sizeBytes the size that counts against {@code maxBytes}
 * @param isWish true if the event asks for no expiration although it lies among the ordered events
 */
public record Location(Range range, Position position, long dueMs, long sizeBytes, boolean isWish) {

    /** Says that the event has no entry in the due range. */
    public static final long NO_DUE = Long.MAX_VALUE;

    private static final int EXPECTED_BYTES = 40;
    private static final int WISH = 0x80;

    /** Creates a location without a wish. */
    public Location(Range range, Position position, long dueMs, long sizeBytes) {
        this(range, position, dueMs, sizeBytes, false);
    }

    /** Returns the location of the event with this key and value. */
    public static Location of(Range range, byte[] key, StoredEventCodec.Identity event, byte[] value) {
        long mark = range.isMarked() ? StoredEventCodec.markOf(value) : NO_DUE;
        return switch (range) {
            case PINNED ->
                new Location(range, new Position(event.execution(), mark, event.seq()), NO_DUE, event.sizeBytes());
            case TIMED -> new Location(range, EventKeys.positionOf(Bytes.wrap(key)), mark, event.sizeBytes());
            default -> {
                boolean isWish = range == Range.ORDERED && event.noExpiration();
                yield new Location(range, EventKeys.positionOf(Bytes.wrap(key)), NO_DUE, event.sizeBytes(), isWish);
            }
        };
    }

    /** Returns the location of the event with this position and value. */
    public static Location of(Range range, Position position, EventHeader event, byte[] value) {
        long dueMs = range == Range.TIMED ? StoredEventCodec.markOf(value) : NO_DUE;
        boolean isWish = range == Range.ORDERED && event.ttl().noExpiration();
        return new Location(range, position, dueMs, event.sizeBytes(), isWish);
    }

    /** Returns the value of an event at this location, with the part of the location that its key does not contain. */
    public byte[] mark(byte[] value) {
        if (!range.isMarked()) {
            return StoredEventCodec.unmarked(value);
        }
        return StoredEventCodec.marked(value, range == Range.PINNED ? position.anchorMs() : dueMs);
    }

    /** Returns the key of the event itself. */
    public Bytes key(int sid, String id) {
        return range.isPositional() ? EventKeys.positional(range, sid, position) : EventKeys.byId(range, sid, id);
    }

    byte[] encode() {
        return new ByteWriter(EXPECTED_BYTES)
                .writeByte(range.code() | (isWish ? WISH : 0))
                .writeVarLong(position.execution())
                .writeLong(position.anchorMs())
                .writeVarLong(position.seq())
                .writeLong(dueMs)
                .writeVarLong(sizeBytes)
                .toBytes();
    }

    public static Location decode(byte[] bytes) {
        ByteReader in = new ByteReader(bytes);
        int code = in.readByte();
        Range range = Range.ofCode((byte) (code & ~WISH));
        if (range == null) {
            throw new IllegalStateException("the id index names an unknown range");
        }
        Position position = new Position(in.readVarLong(), in.readLong(), in.readVarLong());
        return new Location(range, position, in.readLong(), in.readVarLong(), (code & WISH) != 0);
    }
}
