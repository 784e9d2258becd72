package dev.ebb.topology;

import dev.ebb.domain.event.Wait;
import dev.ebb.store.ParkedRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The records of policies and holds that cannot be read yet, and those that must stay behind them: later ones of the same
 * scope or case, and all of the same file, which counts as a whole. All others pass them by (O-20). Not thread-safe.
 */
final class UnreadPolicies {

    private final GateStore store;
    private final FileAssembly files;
    private final Map<Long, Wait> waits = new HashMap<>();
    private final Set<String> keysHeldUp = new HashSet<>();
    private final Set<String> filesHeldUp = new HashSet<>();
    private @Nullable NavigableMap<Long, ParkedRecord> records;

    UnreadPolicies(GateStore store, FileAssembly files) {
        this.store = store;
        this.files = files;
    }

    /** Whether an earlier record holds it up. */
    boolean holdsUp(ParkedRecord record) {
        return !records().isEmpty()
                && (keysHeldUp.contains(PolicyJudge.keyOf(record)) || holdsUpFile(FileAssembly.fileOf(record)));
    }

    /** Whether a record of that file waits, so that its rest is there and is only not read. */
    boolean holdsUpFile(@Nullable String file) {
        return file != null && !records().isEmpty() && filesHeldUp.contains(file);
    }

    /** @param wait what it waits for; null if it only stays behind another one */
    void add(ParkedRecord record, @Nullable Wait wait) {
        records().put(record.offset(), record);
        store.addWaiting(record);
        hold(record, wait);
    }

    /** Tries each that nothing holds up, in the order of arrival; those stay for which there is still something to wait for. */
    void retry(Function<ParkedRecord, @Nullable Wait> take) {
        List<ParkedRecord> all = List.copyOf(records().values());
        clearHolds();
        for (ParkedRecord record : all) {
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
     * Takes out what waits of that key, and with it the rest of its file.
     *
     * @param version the offset of the only record that is meant; negative: whichever waits
     * @return what was taken out; empty if nothing waits of it
     */
    List<ParkedRecord> drop(String key, long version) {
        List<ParkedRecord> dropped = new ArrayList<>();
        for (ParkedRecord record : List.copyOf(records().values())) {
            boolean isMeant = PolicyJudge.keyOf(record).equals(key) && (version < 0 || version == record.offset());
            if (isMeant && records().containsKey(record.offset())) {
                dropped.addAll(takeOut(record));
            }
        }
        clearHolds();
        records().values().forEach(record -> hold(record, waits.get(record.offset())));
        return dropped;
    }

    private List<ParkedRecord> takeOut(ParkedRecord record) {
        String file = FileAssembly.fileOf(record);
        if (file == null) {
            remove(record);
            return List.of(record);
        }
        List<ParkedRecord> all = new ArrayList<>(files.take(file));
        List<ParkedRecord> waiting = records().values().stream()
                .filter(other -> file.equals(FileAssembly.fileOf(other)))
                .toList();
        waiting.forEach(this::remove);
        all.addAll(waiting);
        return all;
    }

    /** What the first record waits for; null if none waits. */
    @Nullable
    Wait first() {
        return records().keySet().stream()
                .map(waits::get)
                .filter(wait -> wait != null)
                .findFirst()
                .orElse(records().isEmpty() ? null : Wait.of("its schema"));
    }

    /**
     * The last offset by which everything is decided, or hardly ever will be: what the registry cannot give whole would
     * otherwise keep every partition that starts from taking in events.
     *
     * @param lastOffset the newest that was read
     */
    long reflected(long lastOffset) {
        for (Map.Entry<Long, ParkedRecord> entry : records().entrySet()) {
            Wait wait = waits.get(entry.getKey());
            if (wait == null || wait.kind() != Wait.Kind.SCHEMA_UNUSABLE) {
                return entry.getKey() - 1;
            }
        }
        return lastOffset;
    }

    private void hold(ParkedRecord record, @Nullable Wait wait) {
        Wait known = wait == null ? behind(record) : wait;
        waits.put(record.offset(), known);
        keysHeldUp.add(PolicyJudge.keyOf(record));
        String file = FileAssembly.fileOf(record);
        if (file != null && filesHeldUp.add(file)) {
            files.membersOf(file).forEach(member -> keysHeldUp.add(PolicyJudge.keyOf(member)));
        }
    }

    /** It waits for whatever the first record waits for that holds it up. */
    private Wait behind(ParkedRecord record) {
        Wait before = waits.get(record.offset());
        String file = FileAssembly.fileOf(record);
        return records().headMap(record.offset()).values().stream()
                .filter(other -> PolicyJudge.keyOf(other).equals(PolicyJudge.keyOf(record))
                        || (file != null && file.equals(FileAssembly.fileOf(other))))
                .map(other -> waits.getOrDefault(other.offset(), Wait.TURN))
                .findFirst()
                .orElse(before == null ? Wait.TURN : before);
    }

    private void remove(ParkedRecord record) {
        records().remove(record.offset());
        waits.remove(record.offset());
        store.removeWaiting(record);
    }

    private void clearHolds() {
        keysHeldUp.clear();
        filesHeldUp.clear();
    }

    /** Read when they are asked for first: the store is not full before. */
    private NavigableMap<Long, ParkedRecord> records() {
        NavigableMap<Long, ParkedRecord> known = records;
        if (known == null) {
            known = new TreeMap<>();
            records = known;
            for (ParkedRecord record : store.waiting()) {
                known.put(record.offset(), record);
                hold(record, null);
            }
        }
        return known;
    }
}
