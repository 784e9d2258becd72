package dev.ebb.simulation;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;

/** The committed writes of a store, the older ones of which compaction may have taken. */
class Changelog {

    private final List<KeyValue<byte[], byte[]>> records = new ArrayList<>();

    void append(List<KeyValue<byte[], byte[]>> committed) {
        records.addAll(committed);
    }

    List<KeyValue<byte[], byte[]>> records() {
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
        Map<Bytes, KeyValue<byte[], byte[]>> last = new LinkedHashMap<>();
        for (KeyValue<byte[], byte[]> record : records.subList(0, end)) {
            Bytes key = Bytes.wrap(record.key);
            last.remove(key);
            last.put(key, record);
        }
        if (dropsTombstones) {
            last.values().removeIf(record -> record.value == null);
        }
        List<KeyValue<byte[], byte[]>> compacted = new ArrayList<>(last.values());
        compacted.addAll(records.subList(end, records.size()));
        records.clear();
        records.addAll(compacted);
    }

    int size() {
        return records.size();
    }
}
