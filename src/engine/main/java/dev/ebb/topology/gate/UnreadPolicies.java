package dev.ebb.topology.gate;

import dev.ebb.domain.event.Wait;
import dev.ebb.store.parking.ParkingLimits;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Records of policies and holds that cannot be read yet, and those that must stay behind them: later ones of the same
 * scope or case, and all of the same file, which counts as a whole. All others overtake them (O-20). Not thread-safe.
 */
final class UnreadPolicies {

    private final GateStore store;
    private final FileAssembly files;
    private final ParkingLimits limits;
    private final Map<Long, Wait> waits = new HashMap<>();

    /** Offsets of the records that may still become readable without an operator. */
    private final NavigableSet<Long> undecided = new TreeSet<>();

    /** Reason to wait of the first record that holds up a scope or case, or a file. */
    private final Map<String, Wait> keysHeldUp = new HashMap<>();

    private final Map<String, Wait> filesHeldUp = new HashMap<>();
    private @Nullable NavigableMap<Long, GateRecord> records;
    private long bytes;

    /** @param limits limits on the records that may wait: all of them are in memory */
    UnreadPolicies(GateStore store, FileAssembly files, ParkingLimits limits) {
        this.store = store;
        this.files = files;
        this.limits = limits;
    }

    /** Returns true if an earlier record holds this one up. */
    boolean holdsUp(GateRecord record) {
        return !records().isEmpty() && (keysHeldUp.containsKey(record.key()) || holdsUpFile(record.file()));
    }

    /** Returns true if a record of that file waits, so that the rest of the file is there and is only not read. */
    boolean holdsUpFile(@Nullable String file) {
        return file != null && !records().isEmpty() && filesHeldUp.containsKey(file);
    }

    /**
     * Lets the record wait.
     *
     * @param wait the reason to wait; null if the record only stays behind another one
     * @return the reason why it must not wait, since too much does; null if it waits
     */
    @Nullable
    String add(GateRecord record, @Nullable Wait wait) {
        if (records().size() >= limits.maxRecords() || bytes + record.bytes() > limits.maxBytes()) {
            return "it would have to wait for "
                    + (wait == null ? behind(record) : wait).text() + ", but "
                    + records().size() + " policies (" + bytes
                    + " bytes) are already waiting to be read, the most that may; set it again when they are read or"
                    + " dropped";
        }
        keep(record);
        store.addWaiting(record);
        hold(record, wait);
        return null;
    }

    private void keep(GateRecord record) {
        records().put(record.offset(), record);
        bytes += record.bytes();
    }

    /** Tries each record that nothing holds up, in the order of arrival; the records that still have to wait stay. */
    void retry(Function<GateRecord, @Nullable Wait> take) {
        List<GateRecord> all = List.copyOf(records().values());
        clearHolds();
        for (GateRecord record : all) {
            boolean staysBehind = holdsUp(record);
            Wait wait = staysBehind ? null : take.apply(record);
            if (staysBehind || wait != null) {
                hold(record, wait);
            } else {
                remove(record);
            }
        }
    }

    /**
     * Takes out the waiting records of that key, and with them the rest of their file.
     *
     * @param version the offset of the only record that is meant; negative for any waiting one
     * @return the records that were taken out; empty if none of that key waits
     */
    List<GateRecord> drop(String key, long version) {
        List<GateRecord> dropped = new ArrayList<>();
        for (GateRecord record : List.copyOf(records().values())) {
            boolean isMeant = record.key().equals(key) && (version < 0 || version == record.offset());
            if (isMeant && records().containsKey(record.offset())) {
                dropped.addAll(takeOut(record));
            }
        }
        clearHolds();
        records().values().forEach(record -> hold(record, waits.get(record.offset())));
        return dropped;
    }

    private List<GateRecord> takeOut(GateRecord record) {
        String file = record.file();
        if (file == null) {
            remove(record);
            return List.of(record);
        }
        List<GateRecord> all = new ArrayList<>(files.take(file));
        List<GateRecord> waiting = records().values().stream()
                .filter(other -> file.equals(other.file()))
                .toList();
        waiting.forEach(this::remove);
        all.addAll(waiting);
        return all;
    }

    /** Returns the reason to wait of the first record; null if none waits. */
    @Nullable
    Wait first() {
        return records().keySet().stream()
                .map(waits::get)
                .filter(wait -> wait != null)
                .findFirst()
                .orElse(records().isEmpty() ? null : Wait.of("its schema"));
    }

    /**
     * Returns the last offset up to which everything is decided, or will hardly ever be: otherwise a schema that the
     * registry cannot deliver whole would keep every starting partition from taking in events.
     *
     * @param lastOffset the newest offset that was read
     */
    long reflected(long lastOffset) {
        return records().isEmpty() || undecided.isEmpty() ? lastOffset : undecided.first() - 1;
    }

    private void hold(GateRecord record, @Nullable Wait wait) {
        Wait known = wait == null ? behind(record) : wait;
        waits.put(record.offset(), known);
        if (known.kind() == Wait.Kind.SCHEMA_UNUSABLE) {
            undecided.remove(record.offset());
        } else {
            undecided.add(record.offset());
        }
        keysHeldUp.putIfAbsent(record.key(), known);
        String file = record.file();
        if (file != null && filesHeldUp.putIfAbsent(file, known) == null) {
            files.membersOf(file).forEach(member -> keysHeldUp.putIfAbsent(member.key(), known));
        }
    }

    /** Returns the reason to wait of a record that is held up, which is that of the first record that holds it up. */
    private Wait behind(GateRecord record) {
        Wait ofKey = keysHeldUp.get(record.key());
        String file = record.file();
        Wait first = ofKey == null && file != null ? filesHeldUp.get(file) : ofKey;
        return first == null ? waits.getOrDefault(record.offset(), Wait.TURN) : first;
    }

    private void remove(GateRecord record) {
        if (records().remove(record.offset()) != null) {
            bytes -= record.bytes();
        }
        waits.remove(record.offset());
        undecided.remove(record.offset());
        store.removeWaiting(record);
    }

    private void clearHolds() {
        keysHeldUp.clear();
        filesHeldUp.clear();
    }

    /** Returns the records, read at the first call: the store is not full before. */
    private NavigableMap<Long, GateRecord> records() {
        NavigableMap<Long, GateRecord> known = records;
        if (known == null) {
            known = new TreeMap<>();
            records = known;
            for (GateRecord record : store.waiting()) {
                keep(record);
                hold(record, null);
            }
        }
        return known;
    }
}
