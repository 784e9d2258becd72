package dev.ebb.topology.trash;

import dev.ebb.domain.undo.Deletion;
import dev.ebb.domain.undo.TrashSum;
import dev.ebb.domain.undo.UndoFilter;
import dev.ebb.store.layout.ByteReader;
import dev.ebb.topology.wire.EbbHeaders;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * Index of the records of one partition of the trash that an undo means, made in a first reading. Records that were
 * taken out since do not count, nor do forged ones, and of several deletions of one id only the newest counts. The index
 * keeps 17 bytes for each event that is meant, beyond a number of events in a temporary file, and some bits for each
 * record from the first of these events on; executions, and those of the events, are kept whole. Not thread-safe.
 */
public final class TrashIndex implements AutoCloseable {

    /** Largest number of notes on events and their ends in memory: 18 MB for a partition. */
    static final int MOST = 1 << 20;

    private final TrashGuard guard;
    private final NameHash hash = NameHash.random();
    private final UndoFilter filter;
    private final String undoId;
    private final Map<TrashKey, Trashed> executions = new LinkedHashMap<>();

    /** The executions of events that are meant, each in the last form that these or a later delete of it have left. */
    private final Map<TrashKey, Trashed> carried = new HashMap<>();

    private final ForgedRecords forged = new ForgedRecords();
    private final FoundTrash found;
    private final TrashNames names;

    /** Offset of the first event that is meant, from which places are counted; -1 before it is known. */
    private long base = -1;

    /** Places of the events that are meant. */
    private final BitSet meant = new BitSet();

    /** Places of events that were taken out of the trash. */
    private final BitSet gone = new BitSet();

    /** Places of events that were out of the trash before the reading, whatever its records say. */
    private final BitSet out = new BitSet();

    /** Places of the newest deletions. */
    private final BitSet newest = new BitSet();

    /** The account of the last record; records of one deletion share it, since the executions keep it. */
    private @Nullable Deletion lastDeletion;

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

    /** @param most the largest number of notes in memory */
    TrashIndex(UndoFilter filter, String undoId, TrashGuard guard, int most) {
        this.guard = guard;
        this.found = new FoundTrash(guard.promise());
        this.filter = filter;
        this.undoId = undoId;
        this.names = new TrashNames(most);
    }

    /** Returns an index of an audit: no event is meant, and all that are promised are counted. */
    public static TrashIndex ofAudit(TrashGuard guard) {
        UndoFilter none = new UndoFilter(null, null, null, null, null, null, TrashSum.OTHERS, null);
        return new TrashIndex(none, "", guard);
    }

    /** Takes a record of the first reading; the records come in the order of their offsets. */
    public void note(long offset, byte @Nullable [] key, byte @Nullable [] value, Headers headers) {
        TrashKey known = key == null ? null : keyOf(key);
        if (key == null || known == null) {
            return;
        }
        if (value == null) {
            takeOut(known, key, headers);
            return;
        }
        Deletion deletion = deletionOf(headers);
        if (deletion == null) {
            return;
        }
        TrashSlot slot = found.promise().slot(known.stream(), deletion);
        boolean isMeant = filter.isMet(known.stream(), deletion);
        boolean isForm = !isMeant && isCarried(known, DeletionHeaders.sid(headers));
        if (slot == null && !isMeant && !isForm) {
            return;
        }
        if (known.serial() <= lastSerial || !guard.isGenuine(key, value, headers)) {
            if (isMeant) {
                forged.add(offset, known);
            }
            return;
        }
        lastSerial = known.serial();
        if (slot != null && !guard.isOut(known)) {
            found.add(slot, known);
        }
        if (isMeant && known.kind() == TrashKey.Kind.EXECUTION) {
            addExecution(new Trashed(known, deletion, DeletionHeaders.sid(headers), offset, false, value));
        } else if (isMeant) {
            add(offset, known, DeletionHeaders.sid(headers));
            carry(known, deletion, headers);
        } else if (isForm) {
            // A later delete has taken the execution of an event that comes back.
            Trashed form = Trashed.form(known, deletion, DeletionHeaders.sid(headers), value);
            carried.merge(known.name(), form, TrashIndex::later);
        }
    }

    /** A deleted stream is emptied in slices, so its executions may lie behind those of a later stream of its name. */
    private void addExecution(Trashed execution) {
        if (guard.isOut(execution.key())) {
            forged.add(execution.offset(), execution.key());
        } else {
            executions.merge(execution.key().name(), execution, TrashIndex::later);
        }
    }

    private void carry(TrashKey event, Deletion deletion, Headers headers) {
        byte[] execution = guard.isOut(event) ? null : DeletionHeaders.execution(headers);
        if (execution != null) {
            long number = new ByteReader(execution).readVarLong();
            Trashed now = Trashed.carried(event, deletion, DeletionHeaders.sid(headers), number, execution);
            carried.merge(now.key().name(), now, TrashIndex::later);
        }
    }

    /** Returns true for an execution of an event that is meant, in the same stream: a later stream of the name is another. */
    private boolean isCarried(TrashKey key, int sid) {
        Trashed of = carried.get(key.name());
        return of != null && of.sid() == sid;
    }

    private static Trashed later(Trashed one, Trashed other) {
        return other.isLaterThan(one) ? other : one;
    }

    private void takeOut(TrashKey key, byte[] keyBytes, Headers headers) {
        long offset = EbbHeaders.number(headers, EbbHeaders.TRASH_OFFSET, -1);
        if (key.kind() == TrashKey.Kind.EXECUTION) {
            if (guard.isGenuine(keyBytes, null, headers)) {
                forged.remove(offset);
                executions.computeIfPresent(key.name(), (same, kept) -> kept.offset() <= offset ? null : kept);
            }
            return;
        }
        if (isMeant(offset) && guard.isGenuine(keyBytes, null, headers)) {
            names.takeOut(name(key), place(offset), undoId.equals(EbbHeaders.text(headers, EbbHeaders.COMMAND_ID)));
        }
    }

    private void add(long offset, TrashKey key, int sid) {
        if (base < 0) {
            base = offset;
        }
        int place = place(offset);
        meant.set(place);
        out.set(place, guard.isOut(key));
        names.add(name(key), place, sid);
    }

    private boolean isMeant(long offset) {
        return base >= 0 && offset >= base && offset - base <= Integer.MAX_VALUE && meant.get(place(offset));
    }

    /** @throws ArithmeticException if the partition has more records than two thousand million */
    private int place(long offset) {
        return Math.toIntExact(offset - base);
    }

    /** Returns true if all notes are in memory. */
    boolean isInMemory() {
        return names.isInMemory();
    }

    /** Ends the first reading. */
    public void seal() {
        names.decide(out, gone, newest);
    }

    /** Returns true if no event is meant, so that there is no need for a second reading. */
    public boolean isEmpty() {
        return meant.isEmpty();
    }

    /** Returns the number of notes that the index keeps in memory. */
    int size() {
        return names.size();
    }

    /** Returns the executions that are meant, and those that events carry; known once the index is sealed. */
    public List<Trashed> executions() {
        List<Trashed> all = new ArrayList<>(executions.values());
        all.addAll(carried.values());
        return all;
    }

    /** Takes a record of the second reading, in the same order; returns an event that is meant, or null. */
    public @Nullable Trashed read(long offset, byte @Nullable [] key, byte @Nullable [] value, Headers headers) {
        if (!isMeant(offset) || gone.get(place(offset)) || key == null || value == null) {
            return null;
        }
        TrashKey known = TrashKey.decode(key);
        if (out.get(place(offset))) {
            // Taken out before, and still here: it was sent again.
            forged.add(offset, known);
            return null;
        }
        boolean isSuperseded = !newest.get(place(offset));
        return new Trashed(
                known, DeletionHeaders.read(headers), DeletionHeaders.sid(headers), offset, isSuperseded, value);
    }

    /** Returns the records that claim to be meant and are refused; complete after the last reading. */
    public Forged forged() {
        return forged.sum();
    }

    /** Returns the records that were found, beside those that are promised; known once the index is sealed. */
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

    private @Nullable Deletion deletionOf(Headers headers) {
        try {
            Deletion read = DeletionHeaders.read(headers);
            Deletion last = lastDeletion;
            lastDeletion = read.equals(last) ? last : read;
            return lastDeletion;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private long name(TrashKey key) {
        return hash.of(key.stream().value(), key.id());
    }

    @Override
    public void close() {
        names.close();
    }
}
