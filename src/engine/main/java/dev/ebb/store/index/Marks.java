package dev.ebb.store.index;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;

/** The streams of a partition by their marks. Not thread-safe. */
public final class Marks {

    private final Map<Mark, SidRange> ranges = new EnumMap<>(Mark.class);

    public Marks(KeyValueStore<Bytes, byte[]> usage) {
        for (Mark mark : Mark.values()) {
            ranges.put(mark, new SidRange(usage, mark.kind()));
        }
    }

    /** Forgets what is known of the store. */
    public void clear() {
        ranges.values().forEach(SidRange::clear);
    }

    /**
     * Writes the difference between two sums of marks.
     *
     * @param before the sum that is in the store
     */
    public void change(int sid, int before, int after) {
        for (Mark mark : Mark.values()) {
            int bit = mark.bit();
            if ((before & bit) != (after & bit)) {
                SidRange range = Objects.requireNonNull(ranges.get(mark));
                if ((after & bit) == 0) {
                    range.remove(sid);
                } else {
                    range.put(sid);
                }
            }
        }
    }

    /** Returns true if the stream with this number has the mark. */
    public boolean has(Mark mark, int sid) {
        return Objects.requireNonNull(ranges.get(mark)).get(sid) != null;
    }

    /**
     * Returns the next higher number of a stream with the mark; 0 if there is none. The stream may have lost the mark a
     * moment ago.
     */
    public int after(Mark mark, int sid) {
        return Objects.requireNonNull(ranges.get(mark)).after(sid);
    }
}
