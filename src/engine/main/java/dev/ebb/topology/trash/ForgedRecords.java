package dev.ebb.topology.trash;

import dev.ebb.domain.command.Outcome.Undone;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** Refused records of a partition, each counted once in any number of readings. Not thread-safe. */
final class ForgedRecords {

    /** Largest number of records whose offsets are kept; more of them are only counted. */
    private static final int MOST = 100_000;

    private final TreeSet<Long> offsets = new TreeSet<>();
    private final Map<Long, TrashKey> first = new LinkedHashMap<>();
    private long beyond;

    void add(long offset, TrashKey key) {
        if (offsets.size() >= MOST) {
            beyond += offset > offsets.last() ? 1 : 0;
        } else if (offsets.add(offset) && first.size() < Undone.MOST_NAMED) {
            first.put(offset, key);
        }
    }

    /** Forgets a record that turns out to have been taken out in due form. */
    void remove(long offset) {
        offsets.remove(offset);
        first.remove(offset);
    }

    Forged sum() {
        return new Forged(offsets.size() + beyond, List.copyOf(first.values()));
    }
}
