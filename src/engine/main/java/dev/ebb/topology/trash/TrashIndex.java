package dev.ebb.topology.trash;

import dev.ebb.domain.undo.Deletion;
import dev.ebb.domain.undo.TrashSum;
import dev.ebb.domain.undo.UndoFilter;
import dev.ebb.topology.wire.EbbHeaders;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * Index of the records of one partition of the trash that an undo means, made in a first reading of all records.
 * Records that were taken out since do not count, nor do forged ones, and of several deletions of one id only the newest
 * counts. The index keeps 16 bytes for each event that is meant, and 16 more for a moment. If too many are meant, the
 * work is split into parts, by stream and id, each of which takes two readings of its own; executions are kept whole. Not
 * thread-safe.
 */
public final class TrashIndex {

    /** Largest number of events of a part: 32 MB for a partition, however much waits. */
    static final int MOST = 1 << 20;

    /** Largest number of bits that distinguish parts; a part with that many may have more events than {@link #MOST}. */
    private static final int MOST_BITS = 24;

    private static final int FIRST_SIZE = 1024;

    private TrashGuard guard;
    private final NameHash hash = NameHash.random();
    private final UndoFilter filter;
    private final String undoId;
    private final int most;
    private final Map<TrashKey, Trashed> executions = new LinkedHashMap<>();
    private final ForgedRecords forged = new ForgedRecords();
    private final FoundTrash found;
    private final Deque<Part> parts = new ArrayDeque<>();
    private Part part = new Part(0, 0);
    private boolean isFirstPart = true;
    private long[] offsets = new long[FIRST_SIZE];
    private long[] names = new long[FIRST_SIZE];
    private int size;

    /** Deletions that were taken out of the trash, by their index among the offsets. */
    private BitSet gone = new BitSet();

    /** Deletions that were out of the trash before the reading, whatever its records say. */
    private BitSet out = new BitSet();

    /** Deletions that this undo has brought back before a crash. */
    private BitSet back = new BitSet();

    /** The newest deletions. */
    private final BitSet newest = new BitSet();

    private int next;

    /** The number of the last record of this reading that counts; those of the task grow. */
    private long lastSerial = -1;

    /**
     * @param undoId the undo; the events that it has brought back still stand in the place of older deletions of the
     *     same id
     * @param guard made when the reading began
     */
    public TrashIndex(UndoFilter filter, String undoId, TrashGuard guard) {
        this(filter, undoId, guard, MOST);
    }

    /** @param most the largest number of events of a part */
    TrashIndex(UndoFilter filter, String undoId, TrashGuard guard, int most) {
        this.guard = guard;
        this.found = new FoundTrash(guard.promise());
        this.filter = filter;
        this.undoId = undoId;
        this.most = most;
    }

    /** Returns an index of an audit: no event is meant, and all that are promised are counted. */
    public static TrashIndex ofAudit(TrashGuard guard) {
        UndoFilter none = new UndoFilter(null, null, null, null, null, null, TrashSum.OTHERS, null);
        return new TrashIndex(none, "", guard);
    }

    /** Events whose names end in these bits. */
    private record Part(int bits, long value) {

        boolean has(long name) {
            return (name & ((1L << bits) - 1)) == value;
        }

        /** Returns the half of the part in which the given bit precedes the bits of the part. */
        Part half(long bit) {
            return new Part(bits + 1, value | (bit << bits));
        }
    }

    /**
     * Takes a record of the first reading; the records come in the order of their offsets.
     *
     * @param preview sees the event if it is meant; if there are several parts, only events of the first
     */
    public void note(long offset, byte @Nullable [] key, byte @Nullable [] value, Headers headers, Preview preview) {
        TrashKey known = key == null ? null : keyOf(key);
        if (key == null || known == null) {
            return;
        }
        if (value == null) {
            takeOut(known, key, headers);
            return;
        }
        boolean isExecution = known.kind() == TrashKey.Kind.EXECUTION;
        Deletion deletion = !isExecution || isFirstPart ? deletionOf(headers) : null;
        if (deletion == null) {
            return;
        }
        TrashSlot slot = isFirstPart ? found.promise().slot(known.stream(), deletion) : null;
        boolean isMeant = filter.isMet(known.stream(), deletion);
        long name = isExecution || !isMeant ? 0 : name(known);
        boolean isOfPart = isMeant && (isExecution || part.has(name));
        if (slot == null && !isOfPart) {
            return;
        }
        if (known.serial() <= lastSerial || !guard.isGenuine(key, value, headers)) {
            if (isOfPart) {
                forged.add(offset, known);
            }
            return;
        }
        lastSerial = known.serial();
        if (slot != null && !guard.isOut(known)) {
            found.add(slot, known);
        }
        if (isOfPart && isExecution) {
            addExecution(new Trashed(known, deletion, offset, false, false, value));
        } else if (isOfPart) {
            if (isFirstPart) {
                preview.see(known.stream(), value);
            }
            add(offset, name, guard.isOut(known));
        }
    }

    private void addExecution(Trashed execution) {
        if (guard.isOut(execution.key())) {
            forged.add(execution.offset(), execution.key());
        } else {
            executions.put(execution.key().name(), execution);
        }
    }

    private void takeOut(TrashKey key, byte[] keyBytes, Headers headers) {
        long offset = EbbHeaders.number(headers, EbbHeaders.TRASH_OFFSET, -1);
        if (key.kind() == TrashKey.Kind.EXECUTION) {
            if (isFirstPart && guard.isGenuine(keyBytes, null, headers)) {
                forged.remove(offset);
                executions.computeIfPresent(key.name(), (same, kept) -> kept.offset() <= offset ? null : kept);
            }
            return;
        }
        int place = Arrays.binarySearch(offsets, 0, size, offset);
        if (place >= 0 && names[place] == name(key) && guard.isGenuine(keyBytes, null, headers)) {
            gone.set(place);
            back.set(place, undoId.equals(EbbHeaders.text(headers, EbbHeaders.COMMAND_ID)));
        }
    }

    private void add(long offset, long name, boolean isOut) {
        while (size >= most && part.bits() < MOST_BITS) {
            narrow();
            if (!part.has(name)) {
                return;
            }
        }
        if (size == offsets.length) {
            offsets = Arrays.copyOf(offsets, size * 2);
            names = Arrays.copyOf(names, size * 2);
        }
        offsets[size] = offset;
        names[size] = name;
        out.set(size, isOut);
        size++;
    }

    /** Splits off half of this part as a part of its own. */
    private void narrow() {
        parts.push(part.half(1));
        part = part.half(0);
        BitSet stillGone = new BitSet();
        BitSet stillBack = new BitSet();
        BitSet stillOut = new BitSet();
        int kept = 0;
        for (int i = 0; i < size; i++) {
            if (part.has(names[i])) {
                offsets[kept] = offsets[i];
                names[kept] = names[i];
                stillGone.set(kept, gone.get(i));
                stillBack.set(kept, back.get(i));
                stillOut.set(kept, out.get(i));
                kept++;
            }
        }
        size = kept;
        gone = stillGone;
        back = stillBack;
        out = stillOut;
    }

    /** Returns true unless the work has been split into parts. */
    public boolean isWhole() {
        return part.bits() == 0;
    }

    /**
     * Returns to the first reading, to take records that have come since. Only for a whole index.
     *
     * @param newGuard made when this reading began
     */
    public void reopen(TrashGuard newGuard) {
        guard = newGuard;
        found.goOn(newGuard.promise());
        isFirstPart = true;
        next = 0;
        newest.clear();
    }

    /** Ends the first reading of a part. */
    public void seal() {
        isFirstPart = false;
        LongSet seen = new LongSet(size);
        for (int i = size - 1; i >= 0; i--) {
            boolean counts = (!gone.get(i) && !out.get(i)) || back.get(i);
            if (counts && seen.add(names[i]) && !gone.get(i)) {
                newest.set(i);
            }
        }
    }

    /** Turns to the next part, which takes two readings again; returns false if there is none. */
    public boolean nextPart() {
        Part left = parts.poll();
        if (left == null) {
            return false;
        }
        part = left;
        size = 0;
        next = 0;
        gone.clear();
        back.clear();
        out.clear();
        newest.clear();
        lastSerial = -1;
        return true;
    }

    /** Returns true if no event of the part is meant, so that there is no need for a second reading. */
    public boolean isEmpty() {
        return size == 0;
    }

    /** Returns the number of events that the index keeps. */
    int size() {
        return size;
    }

    /** Returns the executions that are meant; known once the first part is sealed. */
    public List<Trashed> executions() {
        return new ArrayList<>(executions.values());
    }

    /** Takes a record of the second reading, in the same order; returns an event that is meant, or null. */
    public @Nullable Trashed read(long offset, byte @Nullable [] key, byte @Nullable [] value, Headers headers) {
        while (next < size && offsets[next] < offset) {
            next++;
        }
        if (next >= size || offsets[next] != offset || gone.get(next) || key == null || value == null) {
            return null;
        }
        TrashKey known = TrashKey.decode(key);
        if (out.get(next)) {
            // Taken out before, and still here: it was sent again.
            forged.add(offset, known);
            return null;
        }
        boolean isOfDeclared = DeletionHeaders.areOfDeclared(headers);
        return new Trashed(known, DeletionHeaders.read(headers), offset, !newest.get(next), isOfDeclared, value);
    }

    /** Returns the records that claim to be meant and are refused; complete after the last reading. */
    public Forged forged() {
        return forged.sum();
    }

    /** Returns the records that were found, beside those that are promised; known once the first part is sealed. */
    public FoundTrash found() {
        return found;
    }

    /** Returns the key; null if the record does not belong to the trash. */
    private static @Nullable TrashKey keyOf(byte[] key) {
        try {
            return TrashKey.decode(key);
        } catch (RuntimeException e) {
            return null;
        }
    }

    private static @Nullable Deletion deletionOf(Headers headers) {
        try {
            return DeletionHeaders.read(headers);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private long name(TrashKey key) {
        return hash.of(key.stream().value(), key.id());
    }
}
