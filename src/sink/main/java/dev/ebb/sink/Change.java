package dev.ebb.sink;

import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.sink.SinkRecord;
import org.jspecify.annotations.Nullable;

/**
 * A change of a row, from a record of its own or from a block of many.
 *
 * @param record the record that it came in
 * @param end the position behind it; a block is read again from its beginning until its last change is written
 * @param row null if the row goes
 * @param problem reason why it is no change at all; null if it is one
 */
record Change(
        SinkRecord record,
        long end,
        byte[] key,
        byte @Nullable [] row,
        @Nullable String problem) {

    /** Changes of one transaction, so that it takes a second or less; a block is not divided. */
    private static final int MOST_AT_ONCE = 10_000;

    private static final byte[] NO_KEY = {};

    /** The changes of a record, in their order; one that says why if it has none. */
    static List<Change> of(SinkRecord record) {
        long end = record.originalKafkaOffset() + 1;
        if (record.key() instanceof byte[] key) {
            byte[] row = record.value() instanceof byte[] value ? value : null;
            return List.of(new Change(record, end, key, row, null));
        }
        try {
            return ofBlock(record, end);
        } catch (BadRowException e) {
            return List.of(new Change(record, end, NO_KEY, null, e.getMessage()));
        }
    }

    private static List<Change> ofBlock(SinkRecord record, long end) throws BadRowException {
        if (!(record.value() instanceof byte[] value && Block.isBlock(value))) {
            throw new BadRowException("it has no key");
        }
        List<Change> changes = new ArrayList<>();
        Block block = new Block(value);
        boolean hasNext = block.next();
        while (hasNext) {
            byte[] key = block.key();
            byte[] row = block.row();
            hasNext = block.next();
            changes.add(new Change(record, hasNext ? end - 1 : end, key, row, null));
        }
        if (changes.isEmpty()) {
            throw new BadRowException("it is a block of no changes");
        }
        return changes;
    }

    /** Returns true if it can be written in one transaction with another one, and so many in all. */
    boolean goesWith(Change other, int all) {
        return all <= MOST_AT_ONCE && CompactValues.isCompact(key) == CompactValues.isCompact(other.key);
    }

    void requireGood() throws BadRowException {
        if (problem != null) {
            throw new BadRowException(problem);
        }
    }

    TopicPartition partition() {
        return partition(record);
    }

    /** The partition that the record came from, whatever transformations have made of it. */
    static TopicPartition partition(SinkRecord record) {
        return new TopicPartition(record.originalTopic(), record.originalKafkaPartition());
    }

    /** The change as a record of its own, for the queue of refused ones: its neighbours are not to blame. */
    SinkRecord alone() {
        return record.key() != null || problem != null
                ? record
                : new SinkRecord(
                        record.originalTopic(),
                        record.originalKafkaPartition(),
                        null,
                        key,
                        null,
                        row,
                        record.originalKafkaOffset(),
                        record.timestamp(),
                        record.timestampType());
    }
}
