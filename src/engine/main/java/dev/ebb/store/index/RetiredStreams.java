package dev.ebb.store.index;

import dev.ebb.domain.event.StreamName;
import dev.ebb.store.layout.Retired;
import dev.ebb.store.layout.UsageKeys;
import java.nio.ByteBuffer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * The streams of a partition that are gone while their events are still being removed (O-10), by number, and the last
 * one of each name. A command may delete a million streams at once, so they lie in the usage store, and memory holds the
 * one whose turn it is. Not thread-safe.
 */
public final class RetiredStreams {

    private final KeyValueStore<Bytes, byte[]> usage;
    private final SidRange range;

    /** The stream to be emptied; null if there is none. It stays until it is forgotten. */
    private @Nullable Retired first;

    /** True if a stream with a lower number than the first one has come. */
    private boolean isOneBefore;

    public RetiredStreams(KeyValueStore<Bytes, byte[]> usage) {
        this.usage = usage;
        this.range = new SidRange(usage, UsageKeys.RETIRED);
    }

    /** Forgets what is known of the store, and begins with the first stream in it. */
    public void open() {
        range.clear();
        goOn(0);
    }

    public void put(Retired stream) {
        range.put(stream.sid(), stream.encode());
        usage.put(last(stream.stream()), place(stream));
        if (first == null) {
            first = stream;
        } else if (stream.sid() < first.sid()) {
            isOneBefore = true;
        }
    }

    /**
     * Returns the stream to be emptied: of those that were there when the one before was forgotten, the first by number,
     * so of two streams of a name the older one. Null if there is none.
     */
    public @Nullable Retired first() {
        return first;
    }

    /** Forgets the {@link #first} stream, of which nothing is left. */
    public void forget(Retired stream) {
        range.remove(stream.sid());
        byte[] last = usage.get(last(stream.stream()));
        if (last != null && ByteBuffer.wrap(last).getInt() == stream.sid()) {
            usage.put(last(stream.stream()), null);
        }
        goOn(isOneBefore ? 0 : stream.sid());
    }

    /** Returns the stream with this number; null if there is none. */
    public @Nullable Retired of(int sid) {
        if (first == null) {
            return null;
        }
        if (first.sid() == sid) {
            return first;
        }
        byte[] value = range.get(sid);
        return value == null ? null : Retired.decode(value);
    }

    /** Returns the time at which the last event of streams of this name was stored, epoch milliseconds; -1 if none is there. */
    public long lastStoredAt(StreamName name) {
        byte[] last = first == null ? null : usage.get(last(name));
        return last == null ? -1 : ByteBuffer.wrap(last).getLong(Integer.BYTES);
    }

    private void goOn(int after) {
        first = null;
        isOneBefore = false;
        for (int sid = range.after(after); sid != 0 && first == null; sid = range.after(sid)) {
            byte[] value = range.get(sid);
            first = value == null ? null : Retired.decode(value);
        }
    }

    private static Bytes last(StreamName name) {
        return UsageKeys.named(UsageKeys.RETIRED_AS, name.value());
    }

    private static byte[] place(Retired stream) {
        return ByteBuffer.allocate(Integer.BYTES + Long.BYTES)
                .putInt(stream.sid())
                .putLong(stream.lastStoredAt())
                .array();
    }
}
