package dev.ebb.sink;

import dev.ebb.sink.Change.Kind;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;

/**
 * The work that remains of some changes when each key is written once, with its last change. Equal keys have equal
 * bytes.
 *
 * @param rows the rows that exist in the end
 * @param known those of the rows that stay as they are where they exist, by their places in {@code rows}
 * @param deleted the keys whose rows are deleted in the end
 * @param starts the offset of the first change of each partition
 * @param ends the position after the last change of each partition
 */
record Batch(
        List<Row> rows,
        Set<Integer> known,
        List<byte[]> deleted,
        Map<TopicPartition, Long> starts,
        Map<TopicPartition, Long> ends) {

    /** A row, its key, and the partition from which it comes. */
    record Row(TopicPartition partition, byte[] key, byte[] value) {}

    /** @throws BadRowException if one of the changes is no change of a row */
    static Batch of(Collection<Change> changes) throws BadRowException {
        Map<ByteBuffer, Change> last = new LinkedHashMap<>();
        Map<TopicPartition, Long> starts = new HashMap<>();
        Map<TopicPartition, Long> ends = new HashMap<>();
        for (Change change : changes) {
            change.requireGood();
            starts.putIfAbsent(change.partition(), change.record().originalKafkaOffset());
            ends.put(change.partition(), change.end());
            if (change.kind() != Kind.NOTHING) {
                last.merge(ByteBuffer.wrap(change.key()), change, Batch::latest);
            }
        }
        List<Row> rows = new ArrayList<>();
        Set<Integer> known = new HashSet<>();
        List<byte[]> deleted = new ArrayList<>();
        for (Change change : last.values()) {
            byte[] row = change.row();
            if (row == null) {
                deleted.add(change.key());
            } else {
                if (change.kind() == Kind.COMPLETE) {
                    known.add(rows.size());
                }
                rows.add(new Row(change.partition(), change.key(), row));
            }
        }
        return new Batch(rows, known, deleted, starts, ends);
    }

    /** Of a row that is known as it is, an earlier change of the batch says the same. */
    private static Change latest(Change earlier, Change later) {
        return later.kind() == Kind.COMPLETE && earlier.row() != null ? earlier : later;
    }

    /** Returns the batch without those of the known rows that exist. */
    Batch without(Set<Integer> existing) {
        List<Row> left = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++) {
            if (!existing.contains(i)) {
                left.add(rows.get(i));
            }
        }
        return new Batch(left, Set.of(), deleted, starts, ends);
    }
}
