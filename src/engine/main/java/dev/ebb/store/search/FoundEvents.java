package dev.ebb.store.search;

import dev.ebb.domain.event.StreamName;
import dev.ebb.store.plan.PlanKeys;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * The events that one erasure has found in a partition: the events whose turn is yet to come, and the fates of the
 * others. They lie beside the lists of plans, move with the partition, and change in the transactions of its task, so a
 * crash loses none and counts none twice. Not thread-safe.
 */
public final class FoundEvents {

    private static final byte WAITING = 'X';
    private static final byte FATE = 'Y';
    private static final byte END = 'Z';

    private final KeyValueStore<Bytes, byte[]> events;
    private final String commandId;

    /** @param events the store of the partition */
    public FoundEvents(KeyValueStore<Bytes, byte[]> events, String commandId) {
        this.events = events;
        this.commandId = commandId;
    }

    /**
     * An event and its fate.
     *
     * @param event the event
     * @param fate the fate of the event
     */
    public record Entry(Match event, FoundFate fate) {}

    /** Notes that the turn of the event is yet to come. */
    void putWaiting(Match event) {
        events.put(key(WAITING, event), new byte[0]);
    }

    void removeWaiting(Match event) {
        events.put(key(WAITING, event), null);
    }

    /** Returns all events whose turn is yet to come. */
    List<Match> waiting() {
        List<Match> waiting = new ArrayList<>();
        try (var entries = events.range(first(WAITING), first(FATE))) {
            entries.forEachRemaining(entry -> waiting.add(event(entry.key)));
        }
        return waiting;
    }

    /** Returns the fate of the event; null if none is noted. */
    public @Nullable FoundFate find(Match event) {
        byte[] value = events.get(key(FATE, event));
        return value == null ? null : FoundFate.decode(value);
    }

    /** Returns the fate of the event; {@link FoundFate#NONE} if none is noted. */
    public FoundFate of(Match event) {
        FoundFate known = find(event);
        return known == null ? FoundFate.NONE : known;
    }

    /** Notes the fate of the event, replacing an earlier one. */
    public void put(Match event, FoundFate fate) {
        events.put(key(FATE, event), fate.encode());
    }

    /**
     * Returns events with their fates, stream by stream.
     *
     * @param after only events after this one; null to begin with the first
     * @param most the most entries of the answer
     */
    public List<Entry> page(@Nullable Match after, int most) {
        List<Entry> page = new ArrayList<>();
        Bytes from = after == null ? first(FATE) : key(FATE, after);
        try (var entries = events.range(from, first(END))) {
            while (page.size() < most && entries.hasNext()) {
                var entry = entries.next();
                Match event = event(entry.key);
                if (!event.equals(after)) {
                    page.add(new Entry(event, FoundFate.decode(entry.value)));
                }
            }
        }
        return page;
    }

    /** Forgets up to {@code most} of the events; returns true if none is left. */
    public boolean forget(int most) {
        List<Bytes> keys = new ArrayList<>();
        try (var entries = events.range(first(WAITING), first(END))) {
            while (keys.size() < most && entries.hasNext()) {
                keys.add(entries.next().key);
            }
        }
        keys.forEach(key -> events.put(key, null));
        return keys.size() < most;
    }

    private Bytes first(byte kind) {
        return PlanKeys.of(commandId, kind, new byte[0]);
    }

    /**
     * Returns the key of an event. Neither a name nor an id contains a control character, so the byte after each ends
     * it.
     */
    private Bytes key(byte kind, Match event) {
        byte[] stream = event.stream().value().getBytes(StandardCharsets.UTF_8);
        byte[] id = event.id().getBytes(StandardCharsets.UTF_8);
        byte[] rest = ByteBuffer.allocate(stream.length + id.length + 2 + Long.BYTES)
                .put(stream)
                .put((byte) 0)
                .put(id)
                .put((byte) 0)
                .putLong(event.storedAt())
                .array();
        return PlanKeys.of(commandId, kind, rest);
    }

    private Match event(Bytes key) {
        byte[] rest = PlanKeys.rest(commandId, key);
        int stream = end(rest, 0);
        int id = end(rest, stream + 1);
        return new Match(
                new StreamName(text(rest, 0, stream)),
                text(rest, stream + 1, id),
                ByteBuffer.wrap(rest, id + 1, Long.BYTES).getLong());
    }

    private static int end(byte[] bytes, int from) {
        int at = from;
        while (bytes[at] != 0) {
            at++;
        }
        return at;
    }

    private static String text(byte[] bytes, int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.UTF_8);
    }
}
