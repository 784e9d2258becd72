package dev.ebb.topology.assess;

import dev.ebb.domain.policy.change.NamespaceLoss;
import dev.ebb.domain.policy.change.SpentDeletes;
import dev.ebb.domain.policy.change.SpentHour;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Unconfirmed deletes of the last hour, by namespace: many small changes, or erasures, weigh as much as
 * one (T-15). Saved, so that a restart does not forget them. Not thread-safe.
 */
public final class HourBudget {

    /** Most bytes of the deletes that are told: a record must take them whatever its limit is. */
    private static final int MOST_TOLD_BYTES = 32 * 1024;

    /** Bytes of one entry that is told, without the name of its namespace. */
    private static final int TOLD_ENTRY_BYTES = 128;

    private static final int ENTRY_BYTES = 3 * Long.BYTES;

    private final Notes notes;

    /** Deletes by namespace and by the minute of their changes; null before they are read. */
    private @Nullable Map<String, NavigableMap<Long, SpentDeletes>> minutes;

    public HourBudget(Notes notes) {
        this.notes = notes;
    }

    /** The saved deletes. */
    public interface Notes {

        /** Returns the deletes of the last hour, by namespace. */
        Map<String, byte[]> spent();

        /** Saves the deletes of the last hour in a namespace; null if there are none. */
        void saveSpent(String namespace, byte @Nullable [] deletes);
    }

    /** Returns what the namespace may have lost by now; a time in the future counts, since a clock may have gone back. */
    public SpentDeletes of(String namespace, long nowMs) {
        return SpentHour.most(namespace, minutes().keySet(), name -> named(name, nowMs));
    }

    private SpentDeletes named(String namespace, long nowMs) {
        NavigableMap<Long, SpentDeletes> known = minutes().get(namespace);
        return known == null
                ? SpentDeletes.NOTHING
                : known.tailMap(SpentHour.firstMinute(nowMs)).values().stream()
                        .reduce(SpentDeletes.NOTHING, SpentDeletes::plus);
    }

    /**
     * Returns all deletes that count, for others who judge by them; the largest ones if they are too many for a record.
     */
    public SpentHour hour(long nowMs) {
        List<SpentHour.Minute> all = new ArrayList<>();
        minutes().forEach((namespace, known) -> known.tailMap(SpentHour.firstMinute(nowMs))
                .forEach((minute, deletes) -> all.add(new SpentHour.Minute(namespace, minute, deletes))));
        all.sort(Comparator.comparingLong(
                        (SpentHour.Minute spent) -> spent.deletes().events())
                .reversed());
        List<SpentHour.Minute> told = new ArrayList<>();
        int bytes = 0;
        for (SpentHour.Minute spent : all) {
            bytes += TOLD_ENTRY_BYTES + 2 * spent.namespace().getBytes(StandardCharsets.UTF_8).length;
            if (bytes > MOST_TOLD_BYTES) {
                break;
            }
            told.add(spent);
        }
        return new SpentHour(told);
    }

    /** Notes the deletes of a change that comes into force, or of an erasure that begins. */
    public void spend(List<NamespaceLoss> losses, long nowMs) {
        forgetOld(nowMs);
        for (NamespaceLoss loss : losses) {
            if (loss.wouldDelete() > 0) {
                NavigableMap<Long, SpentDeletes> known =
                        minutes().computeIfAbsent(loss.namespace(), namespace -> new TreeMap<>());
                SpentDeletes more = new SpentDeletes(loss.wouldDelete(), loss.stored());
                known.merge(SpentHour.minuteOf(nowMs), more, SpentDeletes::plus);
                notes.saveSpent(loss.namespace(), encode(known));
            }
        }
    }

    /** Forgets what no longer counts: otherwise each namespace that ever lost an event would stay in memory. */
    private void forgetOld(long nowMs) {
        Iterator<Map.Entry<String, NavigableMap<Long, SpentDeletes>>> namespaces =
                minutes().entrySet().iterator();
        while (namespaces.hasNext()) {
            var namespace = namespaces.next();
            namespace.getValue().headMap(SpentHour.firstMinute(nowMs)).clear();
            if (namespace.getValue().isEmpty()) {
                notes.saveSpent(namespace.getKey(), null);
                namespaces.remove();
            }
        }
    }

    private Map<String, NavigableMap<Long, SpentDeletes>> minutes() {
        Map<String, NavigableMap<Long, SpentDeletes>> known = minutes;
        if (known == null) {
            known = new HashMap<>();
            for (var saved : notes.spent().entrySet()) {
                known.put(saved.getKey(), decode(saved.getValue()));
            }
            minutes = known;
        }
        return known;
    }

    private static byte[] encode(NavigableMap<Long, SpentDeletes> spent) {
        ByteBuffer bytes = ByteBuffer.allocate(spent.size() * ENTRY_BYTES);
        spent.forEach((minute, deletes) ->
                bytes.putLong(minute).putLong(deletes.events()).putLong(deletes.stored()));
        return bytes.array();
    }

    private static NavigableMap<Long, SpentDeletes> decode(byte[] value) {
        NavigableMap<Long, SpentDeletes> spent = new TreeMap<>();
        ByteBuffer bytes = ByteBuffer.wrap(value);
        while (bytes.hasRemaining()) {
            spent.put(bytes.getLong(), new SpentDeletes(bytes.getLong(), bytes.getLong()));
        }
        return spent;
    }
}
