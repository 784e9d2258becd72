package dev.ebb.simulation;

import dev.ebb.store.rocks.LogEnds;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.kafka.common.utils.Bytes;

/** The committed writes of a store, the older ones of which compaction or a snapshot may have taken. */
class Changelog implements LogEnds {

    private final List<LogRecord> records = new ArrayList<>();

    private long begin;
    private long covered;
    private boolean isLong;

    void append(List<LogRecord> committed) {
        records.addAll(committed);
    }

    List<LogRecord> records() {
        return records;
    }

    /**
     * Leaves the last record of each key, where it stood.
     *
     * @param keep number of the newest records that are not touched, as those of the active segment
     * @param dropsTombstones true if what says that a key is gone goes as well
     */
    void compact(int keep, boolean dropsTombstones) {
        int end = Math.max(0, records.size() - keep);
        Map<Bytes, LogRecord> last = new LinkedHashMap<>();
        for (LogRecord record : records.subList(0, end)) {
            Bytes key = Bytes.wrap(record.key());
            last.remove(key);
            last.put(key, record);
        }
        if (dropsTombstones) {
            last.values().removeIf(record -> record.value() == null);
        }
        List<LogRecord> compacted = new ArrayList<>(last.values());
        compacted.addAll(records.subList(end, records.size()));
        records.clear();
        records.addAll(compacted);
    }

    /**
     * Asks for a snapshot, and cuts off what the last one covers.
     *
     * @param readBefore offset before which the sink has read
     */
    void shorten(long readBefore) {
        isLong = true;
        int cut = (int) (covered - begin);
        if (cut > 0 && readBefore >= covered) {
            Coverage.count("logs cut behind a snapshot");
            records.subList(0, cut).clear();
            begin = covered;
        }
    }

    /** Offset of its first record. */
    long begin() {
        return begin;
    }

    @Override
    public long end() {
        return begin + records.size() - 1;
    }

    @Override
    public boolean isLong(LongSupplier live) {
        return isLong && covered <= begin;
    }

    @Override
    public void cover(long before) {
        isLong = false;
        covered = before;
    }

    int size() {
        return records.size();
    }
}
