package dev.ebb.sink;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.sink.SinkRecord;

/**
 * What is left to do of some records when each key is written once: its last change. Equal keys are equal bytes.
 *
 * @param rows the rows that are there in the end
 * @param deleted the keys whose last change is a tombstone
 * @param ends the offset behind the last record of each partition
 */
record Batch(List<Row> rows, List<byte[]> deleted, Map<TopicPartition, Long> ends) {

    /** A row and its key. */
    record Row(byte[] key, byte[] value) {}

    /**
     * Parts of the records, in their order, that have keys of one form each: in another form, the key of a row is other
     * bytes.
     */
    static List<List<SinkRecord>> byForm(List<SinkRecord> records) {
        List<List<SinkRecord>> parts = new ArrayList<>();
        int begin = 0;
        for (int i = 1; i <= records.size(); i++) {
            if (i == records.size() || isCompact(records.get(i)) != isCompact(records.get(begin))) {
                parts.add(records.subList(begin, i));
                begin = i;
            }
        }
        return parts;
    }

    private static boolean isCompact(SinkRecord record) {
        return record.key() instanceof byte[] key && CompactValues.isCompact(key);
    }

    static Batch of(Collection<SinkRecord> records) throws BadRowException {
        Map<ByteBuffer, SinkRecord> last = new LinkedHashMap<>();
        Map<TopicPartition, Long> ends = new HashMap<>();
        for (SinkRecord record : records) {
            if (!(record.key() instanceof byte[] key)) {
                throw new BadRowException("it has no key");
            }
            last.put(ByteBuffer.wrap(key), record);
            ends.put(partition(record), record.originalKafkaOffset() + 1);
        }
        List<Row> rows = new ArrayList<>();
        List<byte[]> deleted = new ArrayList<>();
        for (Map.Entry<ByteBuffer, SinkRecord> change : last.entrySet()) {
            if (change.getValue().value() instanceof byte[] row) {
                rows.add(new Row(change.getKey().array(), row));
            } else {
                deleted.add(change.getKey().array());
            }
        }
        return new Batch(rows, deleted, ends);
    }

    /** The partition that the record came from, whatever transformations have made of it. */
    static TopicPartition partition(SinkRecord record) {
        return new TopicPartition(record.originalTopic(), record.originalKafkaPartition());
    }
}
