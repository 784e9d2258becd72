package dev.ebb.store.events;

import java.util.Arrays;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * A number for each of many streams, by the number of the stream, in order: about 9 bytes a stream where most streams of
 * a partition have one. Not thread-safe.
 */
public final class SidCounts {

    private static final int BITS = 8;
    private static final int SIZE = 1 << BITS;
    private static final int FIRST_SIZE = 4;

    /** Streams whose numbers differ in the last bits alone, by the other bits; none is empty. */
    private final NavigableMap<Integer, Chunk> chunks = new TreeMap<>();

    /** Adds to the number of a stream, which is 0 before. */
    void add(int sid, long more) {
        Chunk chunk = chunks.computeIfAbsent(sid >>> BITS, unused -> new Chunk());
        chunk.add(place(sid), more);
        removeIfEmpty(sid, chunk);
    }

    /** Takes the stream out. */
    void remove(int sid) {
        Chunk chunk = chunks.get(sid >>> BITS);
        if (chunk != null) {
            chunk.add(place(sid), -chunk.of(place(sid)));
            removeIfEmpty(sid, chunk);
        }
    }

    void clear() {
        chunks.clear();
    }

    /** Returns the number of a stream; 0 if it has none. */
    public long of(int sid) {
        Chunk chunk = chunks.get(sid >>> BITS);
        return chunk == null ? 0 : chunk.of(place(sid));
    }

    /** Returns the first stream behind {@code sid} whose number is not 0; 0 if there is none. */
    public int after(int sid) {
        Chunk same = chunks.get(sid >>> BITS);
        int place = same == null ? SIZE : same.after(place(sid));
        if (place < SIZE) {
            return (sid >>> BITS << BITS) | place;
        }
        var next = chunks.higherEntry(sid >>> BITS);
        return next == null ? 0 : (next.getKey() << BITS) | next.getValue().after(-1);
    }

    private void removeIfEmpty(int sid, Chunk chunk) {
        if (chunk.size == 0) {
            chunks.remove(sid >>> BITS);
        }
    }

    private static int place(int sid) {
        return sid & (SIZE - 1);
    }

    /** Places in ascending order, each with its number. */
    private static final class Chunk {

        private byte[] places = new byte[FIRST_SIZE];
        private long[] counts = new long[FIRST_SIZE];
        private int size;

        void add(int place, long more) {
            int at = find(place);
            if (at < 0) {
                insert(-at - 1, place, more);
                return;
            }
            counts[at] += more;
            if (counts[at] == 0) {
                size--;
                System.arraycopy(places, at + 1, places, at, size - at);
                System.arraycopy(counts, at + 1, counts, at, size - at);
            }
        }

        private void insert(int at, int place, long count) {
            if (count == 0) {
                return;
            }
            if (size == places.length) {
                places = Arrays.copyOf(places, 2 * size);
                counts = Arrays.copyOf(counts, 2 * size);
            }
            System.arraycopy(places, at, places, at + 1, size - at);
            System.arraycopy(counts, at, counts, at + 1, size - at);
            places[at] = (byte) place;
            counts[at] = count;
            size++;
        }

        long of(int place) {
            int at = find(place);
            return at < 0 ? 0 : counts[at];
        }

        /** Returns the first place behind {@code place}; {@link #SIZE} if there is none. */
        int after(int place) {
            int at = find(place + 1);
            int next = at < 0 ? -at - 1 : at;
            return next < size ? Byte.toUnsignedInt(places[next]) : SIZE;
        }

        /** Returns the index of a place, or {@code -index - 1} of where it would be. */
        private int find(int place) {
            int low = 0;
            int high = size - 1;
            while (low <= high) {
                int middle = (low + high) >>> 1;
                int found = Byte.toUnsignedInt(places[middle]);
                if (found == place) {
                    return middle;
                }
                if (found < place) {
                    low = middle + 1;
                } else {
                    high = middle - 1;
                }
            }
            return -low - 1;
        }
    }
}
