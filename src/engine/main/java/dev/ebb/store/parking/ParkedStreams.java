package dev.ebb.store.parking;

import dev.ebb.store.layout.UsageKeys;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * The streams of one partition with waiting records, and their totals, in memory and in the usage store. Not
 * thread-safe.
 */
public final class ParkedStreams {

    private final KeyValueStore<Bytes, byte[]> usage;
    private final Map<Bytes, ParkedStream> streams = new HashMap<>();
    private long records;
    private long bytes;

    public ParkedStreams(KeyValueStore<Bytes, byte[]> usage) {
        this.usage = usage;
    }

    public void clear() {
        streams.clear();
        records = 0;
        bytes = 0;
    }

    public void read(Bytes key, byte[] value) {
        ParkedStream stream = ParkedStream.decode(UsageKeys.nameOfParked(key), value);
        streams.put(stream.name(), stream);
        count(stream.records(), stream.bytes());
    }

    public Map<Bytes, ParkedStream> all() {
        return streams;
    }

    public @Nullable ParkedStream find(Bytes name) {
        return streams.get(name);
    }

    public void count(long moreRecords, long moreBytes) {
        records += moreRecords;
        bytes += moreBytes;
    }

    public long records() {
        return records;
    }

    public long bytes() {
        return bytes;
    }

    /** Saves the stream, or forgets it if it has no waiting records. */
    public void save(ParkedStream stream) {
        boolean isOver = stream.records() == 0;
        usage.put(UsageKeys.parked(stream.name().get()), isOver ? null : stream.encode());
        if (isOver) {
            streams.remove(stream.name());
        } else {
            streams.put(stream.name(), stream);
        }
    }
}
