package dev.ebb.topology.policy;

import dev.ebb.domain.Snapshot;
import dev.ebb.serde.text.JsonState;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * The times that people have confirmed (T-14), each for the partitions whose count they were shown. Immutable.
 *
 * @param timesMs the time that was confirmed last, epoch milliseconds, by partition
 */
public record ConfirmedClock(Map<Integer, Long> timesMs) {

    public static final ConfirmedClock NONE = new ConfirmedClock(Map.of());

    public ConfirmedClock {
        timesMs = Snapshot.of(timesMs);
    }

    /** Returns the time that was confirmed for the partition; {@link Long#MIN_VALUE} if there is none. */
    public long at(int partition) {
        return timesMs.getOrDefault(partition, Long.MIN_VALUE);
    }

    /** Returns these times and the newer ones. */
    public ConfirmedClock with(ConfirmedClock newer) {
        Map<Integer, Long> all = new HashMap<>(timesMs);
        all.putAll(newer.timesMs);
        return new ConfirmedClock(all);
    }

    /** Returns the value of a record of the topic of accepted policies. */
    public byte[] encode() {
        return JsonState.write(this).getBytes(StandardCharsets.UTF_8);
    }

    /** @throws IllegalArgumentException if the value has no meaning */
    static ConfirmedClock decode(byte[] value) {
        return JsonState.read(new String(value, StandardCharsets.UTF_8), ConfirmedClock.class);
    }
}
