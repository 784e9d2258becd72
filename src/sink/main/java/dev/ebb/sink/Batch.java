package dev.ebb.sink;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/**
 * The work that remains of some changes when each key is written once, with its last change. Equal keys have equal
 * bytes.
 *
 * @param rows the rows that exist in the end
 * @param deleted the keys whose rows are deleted in the end
 * @param starts the offset of the first change of each partition
 * @param ends the position after the last change of each partition
 */
record Batch(List<Row> rows, List<byte[]> deleted, Map<TopicPartition, Long> starts, Map<TopicPartition, Long> ends) {

    /** A row, its key, and the partition from which it comes. */
    record Row(TopicPartition partition, byte[] key, byte[] value) {}

    /** @throws BadRowException if one of the changes is no change of a row */
    static Batch of(Collection<Change> changes) throws BadRowException {
        Map<ByteBuffer, Change> last = new LinkedHashMap<>();
        Map<TopicPartition, Long> starts = new HashMap<>();
        Map<TopicPartition, Long> ends = new HashMap<>();
        for (Change change : changes) {
            change.requireGood();
            last.put(ByteBuffer.wrap(change.key()), change);
            starts.putIfAbsent(change.partition(), change.record().originalKafkaOffset());
            ends.put(change.partition(), change.end());
        }
        List<Row> rows = new ArrayList<>();
        List<byte[]> deleted = new ArrayList<>();
        for (Change change : last.values()) {
            byte[] row = change.row();
            if (row == null) {
                deleted.add(change.key());
            } else {
                rows.add(new Row(change.partition(), change.key(), row));
            }
        }
        return new Batch(rows, deleted, starts, ends);
    }
}
