package dev.ebb.topology.trash;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Names of the records that an undo means, to find the newest deletion of each: 17 bytes for each record and each
 * tombstone, in memory up to a number, and beyond it in a temporary file. A deleted stream is emptied in slices, so its
 * records may lie behind those of a later stream of its name: the number of the stream counts before the place. Not
 * thread-safe.
 */
final class TrashNames implements AutoCloseable {

    private static final byte RECORD = 0;
    private static final byte GONE = 1;
    private static final byte GONE_AND_BACK = 2;

    private static final int FIRST_SIZE = 1024;

    private final int most;
    private Notes notes = new Notes(FIRST_SIZE);
    private @Nullable NameSpill spill;

    /** @param most the largest number of notes in memory */
    TrashNames(int most) {
        this.most = most;
    }

    /** Some notes, in the order in which they were made. */
    private static final class Notes {

        private long[] names;
        private int[] places;
        private int[] sids;
        private byte[] kinds;
        private int size;

        Notes(int expected) {
            names = new long[expected];
            places = new int[expected];
            sids = new int[expected];
            kinds = new byte[expected];
        }

        void add(long name, int place, int sid, byte kind) {
            if (size == names.length) {
                names = Arrays.copyOf(names, 2 * size);
                places = Arrays.copyOf(places, 2 * size);
                sids = Arrays.copyOf(sids, 2 * size);
                kinds = Arrays.copyOf(kinds, 2 * size);
            }
            names[size] = name;
            places[size] = place;
            sids[size] = sid;
            kinds[size] = kind;
            size++;
        }
    }

    /**
     * Notes a record. The places of records grow.
     *
     * @param sid the number of its stream
     */
    void add(long name, int place, int sid) {
        add(name, place, sid, RECORD);
    }

    /** Notes a tombstone for the record at that place, if it has that name. */
    void takeOut(long name, int place, boolean isBack) {
        add(name, place, 0, isBack ? GONE_AND_BACK : GONE);
    }

    private void add(long name, int place, int sid, byte kind) {
        if (spill == null && notes.size >= most) {
            spill = new NameSpill();
            for (int i = 0; i < notes.size; i++) {
                spill.add(notes.names[i], notes.places[i], notes.sids[i], notes.kinds[i]);
            }
            notes = new Notes(0);
        }
        if (spill == null) {
            notes.add(name, place, sid, kind);
        } else {
            spill.add(name, place, sid, kind);
        }
    }

    /** Returns true if all notes are in memory. */
    boolean isInMemory() {
        return spill == null;
    }

    /** Returns the number of notes in memory. */
    int size() {
        return notes.size;
    }

    /**
     * Decides which records are gone, and which of the others are the newest of their names.
     *
     * @param out places of records that were out of the trash before
     */
    void decide(BitSet out, BitSet gone, BitSet newest) {
        if (spill == null) {
            decide(notes, out, gone, newest);
            return;
        }
        for (List<ByteBuffer> part : spill.parts()) {
            Notes some = new Notes(FIRST_SIZE);
            for (ByteBuffer chunk : part) {
                while (chunk.hasRemaining()) {
                    some.add(chunk.getLong(), chunk.getInt(), chunk.getInt(), chunk.get());
                }
            }
            decide(some, out, gone, newest);
        }
    }

    private static void decide(Notes some, BitSet out, BitSet gone, BitSet newest) {
        int[] places = new int[some.size];
        long[] names = new long[some.size];
        long[] order = new long[some.size];
        int records = 0;
        for (int i = 0; i < some.size; i++) {
            if (some.kinds[i] == RECORD) {
                places[records] = some.places[i];
                names[records] = some.names[i];
                order[records] = (long) some.sids[i] << Integer.SIZE | records;
                records++;
            }
        }
        BitSet back = new BitSet();
        for (int i = 0; i < some.size; i++) {
            int found = some.kinds[i] == RECORD ? -1 : Arrays.binarySearch(places, 0, records, some.places[i]);
            if (found >= 0 && names[found] == some.names[i]) {
                gone.set(places[found]);
                back.set(found, some.kinds[i] == GONE_AND_BACK);
            }
        }
        LongSet seen = new LongSet(records);
        Arrays.sort(order, 0, records);
        for (int n = records - 1; n >= 0; n--) {
            int i = (int) order[n];
            int place = places[i];
            boolean counts = (!gone.get(place) && !out.get(place)) || back.get(i);
            if (counts && seen.add(names[i]) && !gone.get(place)) {
                newest.set(place);
            }
        }
    }

    @Override
    public void close() {
        if (spill != null) {
            spill.close();
        }
    }
}
