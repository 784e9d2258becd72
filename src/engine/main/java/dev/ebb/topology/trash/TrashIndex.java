package dev.ebb.topology.trash;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.undo.Deletion;
import dev.ebb.domain.undo.UndoFilter;
import dev.ebb.topology.wire.EbbHeaders;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * Tells which records of one partition of the trash an undo means, from a first reading of all of them: those that were
 * taken out since do not count, and of several deletions of one id the newest does. Remembers 16 bytes for each event
 * that is meant. Not thread-safe.
 */
public final class TrashIndex {

    private static final int FIRST_SIZE = 1024;

    private final UndoFilter filter;
    private final Map<TrashKey, Trashed> executions = new LinkedHashMap<>();
    private final Set<Long> takenOut = new HashSet<>();
    private long[] offsets = new long[FIRST_SIZE];
    private long[] names = new long[FIRST_SIZE];
    private int size;

    /** The newest deletions, by their place among the offsets. */
    private final BitSet newest = new BitSet();

    private int next;

    public TrashIndex(UndoFilter filter) {
        this.filter = filter;
    }

    /** Takes a record of the first reading; they come in the order of their offsets. */
    public void note(long offset, byte @Nullable [] key, byte @Nullable [] value, Headers headers) {
        TrashKey known = key == null ? null : keyOf(key);
        if (known == null) {
            return;
        }
        if (value == null) {
            takeOut(known, EbbHeaders.number(headers, EbbHeaders.TRASH_OFFSET, offset));
            return;
        }
        Deletion deletion = meant(known, headers);
        if (deletion == null) {
            return;
        }
        if (known.kind() == TrashKey.Kind.EXECUTION) {
            executions.put(known, new Trashed(known, deletion, offset, false, value));
        } else {
            add(offset, name(known));
        }
    }

    private void takeOut(TrashKey key, long offset) {
        if (key.kind() == TrashKey.Kind.EXECUTION) {
            executions.computeIfPresent(key, (same, kept) -> kept.offset() <= offset ? null : kept);
        } else {
            takenOut.add(offset);
        }
    }

    private void add(long offset, long name) {
        if (size == offsets.length) {
            offsets = Arrays.copyOf(offsets, size * 2);
            names = Arrays.copyOf(names, size * 2);
        }
        offsets[size] = offset;
        names[size] = name;
        size++;
    }

    /** Ends the first reading. */
    public void seal() {
        LongSet seen = new LongSet(size);
        for (int i = size - 1; i >= 0; i--) {
            if (takenOut.contains(offsets[i])) {
                offsets[i] = -1 - offsets[i];
            } else if (seen.add(names[i])) {
                newest.set(i);
            }
        }
        takenOut.clear();
        names = new long[0];
    }

    /** Returns true if no event is meant, so that there is no need for a second reading. */
    public boolean isEmpty() {
        return size == 0;
    }

    /** The executions that are meant. */
    public List<Trashed> executions() {
        return new ArrayList<>(executions.values());
    }

    /** Takes a record of the second reading, in the same order; returns an event that is meant, or null. */
    public @Nullable Trashed read(long offset, byte @Nullable [] key, byte @Nullable [] value, Headers headers) {
        while (next < size && offset(next) < offset) {
            next++;
        }
        if (next >= size || offsets[next] != offset || key == null || value == null) {
            return null;
        }
        TrashKey known = TrashKey.decode(key);
        return new Trashed(known, DeletionHeaders.read(headers), offset, !newest.get(next), value);
    }

    private long offset(int place) {
        long offset = offsets[place];
        return offset < 0 ? -1 - offset : offset;
    }

    /** Null for a record that is none of the trash. */
    private static @Nullable TrashKey keyOf(byte[] key) {
        try {
            return TrashKey.decode(key);
        } catch (RuntimeException e) {
            return null;
        }
    }

    private @Nullable Deletion meant(TrashKey key, Headers headers) {
        try {
            Deletion deletion = DeletionHeaders.read(headers);
            return filter.isMet(new StreamName(key.stream()), deletion) ? deletion : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** A number for stream and id: two of a million are equal with a chance of one in thirty millions. */
    private static long name(TrashKey key) {
        long hash = mixed(key.stream(), 0x9E3779B97F4A7C15L);
        return mixed(key.id(), hash);
    }

    private static long mixed(String text, long seed) {
        long hash = seed ^ text.length();
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * 0xff51afd7ed558ccdL;
            hash ^= hash >>> 32;
        }
        hash *= 0xc4ceb9fe1a85ec53L;
        return hash ^ (hash >>> 33);
    }
}
