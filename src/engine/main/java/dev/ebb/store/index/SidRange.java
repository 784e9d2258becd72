package dev.ebb.store.index;

import dev.ebb.store.layout.UsageKeys;
import java.util.Arrays;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Numbers of streams in the usage store, in ascending order, each with a value. It is read a page at a time, and never
 * from a number below which nothing was found before, so that no look walks over the same tombstones again. Not
 * thread-safe.
 */
public final class SidRange {

    private static final int PAGE = 256;
    private static final int[] NOTHING = {};
    private static final byte[] NO_VALUE = {};

    private final KeyValueStore<Bytes, byte[]> usage;
    private final byte kind;

    /** Numbers that follow one another, as they were when the page was read. */
    private int[] page = NOTHING;

    /** The number after which the page begins. */
    private int afterSid;

    /** No number lies below this one. */
    private int lowest;

    public SidRange(KeyValueStore<Bytes, byte[]> usage, byte kind) {
        this.usage = usage;
        this.kind = kind;
    }

    /** Forgets what is known of the store. */
    public void clear() {
        page = NOTHING;
        lowest = 0;
    }

    public void put(int sid, byte[] value) {
        usage.put(UsageKeys.numbered(kind, sid), value);
        lowest = Math.min(lowest, sid);
        if (page.length > 0 && sid <= page[page.length - 1]) {
            page = NOTHING;
        }
    }

    void put(int sid) {
        put(sid, NO_VALUE);
    }

    public void remove(int sid) {
        usage.put(UsageKeys.numbered(kind, sid), null);
    }

    /** Returns the value of the number; null if the number is not in the range. */
    public byte @Nullable [] get(int sid) {
        return usage.get(UsageKeys.numbered(kind, sid));
    }

    /**
     * Returns the next higher number; 0 if there is none. The number may have been removed since its page was read, so
     * the caller looks whether its stream is there.
     */
    public int after(int sid) {
        int known = sid < afterSid ? 0 : inPage(sid);
        if (known == 0) {
            read(sid);
            known = inPage(sid);
        }
        return known;
    }

    private int inPage(int sid) {
        int low = 0;
        int high = page.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (page[middle] > sid) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low == page.length ? 0 : page[low];
    }

    private void read(int sid) {
        if (sid == Integer.MAX_VALUE) {
            page = NOTHING;
            return;
        }
        int from = Math.max(sid + 1, lowest);
        int[] found = new int[PAGE];
        int size = 0;
        try (KeyValueIterator<Bytes, byte[]> entries =
                usage.range(UsageKeys.numbered(kind, from), UsageKeys.numbered(kind, Integer.MAX_VALUE))) {
            while (size < PAGE && entries.hasNext()) {
                found[size++] = UsageKeys.sidOfNumbered(entries.next().key);
            }
        }
        page = size == PAGE ? found : Arrays.copyOf(found, size);
        afterSid = sid;
        if (from == lowest || sid + 1 <= lowest) {
            lowest = size == 0 ? lowest : found[0];
        }
    }
}
