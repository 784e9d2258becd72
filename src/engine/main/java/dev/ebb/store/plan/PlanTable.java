package dev.ebb.store.plan;

import dev.ebb.domain.event.StreamName;
import dev.ebb.store.layout.Range;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * The items and streams of all plans of a partition, in {@link Range#PLANNED} of the events store. They move with the
 * partition, and change in the transactions of its task. Not thread-safe.
 */
public final class PlanTable {

    private static final byte PAGE = 'E';
    private static final byte STREAM = 'S';

    private final KeyValueStore<Bytes, byte[]> events;

    public PlanTable(KeyValueStore<Bytes, byte[]> events) {
        this.events = events;
    }

    /** Writes a page, replacing an earlier one with its number. */
    public void put(String planId, int round, int page, PlanPage items) {
        events.put(page(planId, round, page), items.encode());
    }

    /** Returns the page; empty if it is gone. */
    public PlanPage get(String planId, int round, int page) {
        byte[] value = events.get(page(planId, round, page));
        return value == null ? new PlanPage() : PlanPage.decode(value);
    }

    public void put(String planId, StreamName stream, PlannedStream planned) {
        events.put(key(planId, STREAM, name(stream)), planned.encode());
    }

    /** Returns the stream as the plan names it; null if the plan does not name it. */
    public @Nullable PlannedStream find(String planId, StreamName stream) {
        byte[] value = events.get(key(planId, STREAM, name(stream)));
        return value == null ? null : PlannedStream.decode(value);
    }

    /**
     * Returns names of streams of the plan, sorted by their bytes.
     *
     * @param after only names after this one; null to begin with the first
     * @param most the most names of the answer
     */
    public List<String> streams(String planId, @Nullable String after, int most) {
        byte[] from = after == null ? new byte[0] : Arrays.copyOf(name(after), name(after).length + 1);
        Bytes first = key(planId, STREAM, from);
        int start = key(planId, STREAM, new byte[0]).get().length;
        List<String> names = new ArrayList<>();
        try (var entries = events.range(first, key(planId, (byte) (STREAM + 1), new byte[0]))) {
            while (names.size() < most && entries.hasNext()) {
                byte[] key = entries.next().key.get();
                names.add(new String(key, start, key.length - start, StandardCharsets.UTF_8));
            }
        }
        return names;
    }

    /** Returns the note of this partition's part of a plan; null if there is none. */
    public byte @Nullable [] part(String planId) {
        return events.get(part(planId.getBytes(StandardCharsets.UTF_8)));
    }

    /** Keeps a note of this partition's part of a plan; null removes the note. */
    public void savePart(String planId, byte @Nullable [] value) {
        events.put(part(planId.getBytes(StandardCharsets.UTF_8)), value);
    }

    /** Returns the ids of the plans that have a part here. */
    public List<String> parts() {
        List<String> planIds = new ArrayList<>();
        byte[] last = {(byte) -1};
        try (var entries = events.range(part(new byte[0]), part(last))) {
            entries.forEachRemaining(entry ->
                    planIds.add(new String(entry.key.get(), 2, entry.key.get().length - 2, StandardCharsets.UTF_8)));
        }
        return planIds;
    }

    /** Forgets up to {@code most} entries of the plan; returns true if none is left. */
    public boolean forget(String planId, int most) {
        List<Bytes> keys = new ArrayList<>();
        try (var entries = events.range(key(planId, (byte) 0, new byte[0]), key(planId, (byte) -1, new byte[0]))) {
            while (keys.size() < most && entries.hasNext()) {
                keys.add(entries.next().key);
            }
        }
        keys.forEach(key -> events.put(key, null));
        return keys.size() < most;
    }

    /** Returns the key of a part. Parts sort before everything else: no id begins with a control character. */
    private static Bytes part(byte[] planId) {
        return Bytes.wrap(ByteBuffer.allocate(2 + planId.length)
                .put(Range.PLANNED.code())
                .put((byte) 1)
                .put(planId)
                .array());
    }

    private static Bytes page(String planId, int round, int page) {
        byte[] number = ByteBuffer.allocate(2 * Integer.BYTES)
                .putInt(round)
                .putInt(page)
                .array();
        return key(planId, PAGE, number);
    }

    private static Bytes key(String planId, byte kind, byte[] rest) {
        return PlanKeys.of(planId, kind, rest);
    }

    private static byte[] name(StreamName stream) {
        return name(stream.value());
    }

    private static byte[] name(String stream) {
        return stream.getBytes(StandardCharsets.UTF_8);
    }
}
