package dev.ebb.topology.gate;

import dev.ebb.store.parking.ParkingLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Assembly of the policies of a file until all of them are there: stored, and in memory, since each record of a file
 * asks for their number. Not thread-safe.
 */
final class FileAssembly {

    private static final long TIMEOUT_MS = Duration.ofMinutes(1).toMillis();

    private final GateStore store;
    private final ParkingLimits limits;
    private final Map<String, Long> seenMs = new HashMap<>();
    private long records;
    private long bytes;
    private @Nullable Map<String, Map<Long, GateRecord>> files;

    /** @param limits limits on what may be gathered over all files: all of it is in memory */
    FileAssembly(GateStore store, ParkingLimits limits) {
        this.store = store;
        this.limits = limits;
    }

    /** Returns the reason why no more can be gathered; null if this record can be. */
    @Nullable
    String problem(GateRecord record) {
        files();
        return records < limits.maxRecords() && bytes + record.bytes() <= limits.maxBytes()
                ? null
                : "its file has to wait for its rest, but " + records + " policies (" + bytes
                        + " bytes) of files are already waiting, the most that may";
    }

    /** Returns true if all other records of its file are there. */
    boolean isLast(GateRecord record) {
        int others = membersOf(String.valueOf(record.file())).size();
        return others + 1 >= record.recordsOfFile();
    }

    /** Takes a record of a file; returns all records of the file, in their order, if this was the last, else none. */
    List<GateRecord> add(GateRecord record) {
        String file = Objects.requireNonNull(record.file());
        Map<Long, GateRecord> members = files().computeIfAbsent(file, id -> new TreeMap<>());
        members.put(record.offset(), record);
        count(record, 1);
        if (members.size() < record.recordsOfFile()) {
            store.addToFile(record);
            return List.of();
        }
        return take(file);
    }

    /** Returns true if the rest of a file is missing. */
    boolean isWaiting() {
        return !files().isEmpty();
    }

    /**
     * Takes out records that have waited for the rest of their file for more than a minute: the rest is not on its way.
     * The minute begins when the rest is first looked for, since after a start the records of a whole file may be
     * older.
     *
     * @param isThere returns true if the rest of that file is there and only cannot be read yet
     */
    List<GateRecord> giveUp(long nowMs, Predicate<String> isThere) {
        seenMs.keySet().removeIf(isThere);
        seenMs.keySet().retainAll(files().keySet());
        List<GateRecord> given = new ArrayList<>();
        for (String file : List.copyOf(files().keySet())) {
            if (!isThere.test(file) && nowMs - seenSince(file, nowMs) > TIMEOUT_MS) {
                given.addAll(take(file));
            }
        }
        return given;
    }

    /** Returns the time at which the file was first seen; a time noted by a clock ahead becomes the present time. */
    private long seenSince(String file, long nowMs) {
        return seenMs.merge(file, nowMs, Math::min);
    }

    /** Returns the records of that file that have come. */
    Collection<GateRecord> membersOf(String file) {
        return files().getOrDefault(file, Map.of()).values();
    }

    /** Takes out the records of that file that have come. */
    List<GateRecord> take(String file) {
        List<GateRecord> members =
                List.copyOf(files().getOrDefault(file, Map.of()).values());
        for (GateRecord member : members) {
            store.removeFromFile(member);
            count(member, -1);
        }
        files().remove(file);
        return members;
    }

    private void count(GateRecord record, int sign) {
        records += sign;
        bytes += sign * record.bytes();
    }

    /** Returns the files, read at the first call: the store is not full before. */
    private Map<String, Map<Long, GateRecord>> files() {
        Map<String, Map<Long, GateRecord>> known = files;
        if (known == null) {
            known = new LinkedHashMap<>();
            for (GateRecord record : store.ofFiles()) {
                known.computeIfAbsent(String.valueOf(record.file()), id -> new TreeMap<>())
                        .put(record.offset(), record);
                count(record, 1);
            }
            files = known;
        }
        return known;
    }
}
