package dev.ebb.sink;

import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.sink.SinkRecord;
import org.jspecify.annotations.Nullable;

/**
 * A change of a row, from a record of its own or from a block of many changes.
 *
 * @param record the record of the change
 * @param end the position once the change is written: after the record, or still at the record unless the change is the
 *     last of its block, since a block is read again from its beginning until its last change is written
 * @param row the row; null if it is deleted
 * @param problem the reason why the record holds no change; null if it does
 */
record Change(
        SinkRecord record,
        long end,
        byte[] key,
        byte @Nullable [] row,
        @Nullable String problem) {

    /** Most changes of one transaction, so that it takes a second at most; a block is never divided. */
    private static final int MOST_AT_ONCE = 10_000;

    private static final byte[] NO_KEY = {};

    /** Returns the changes of a record, in their order; if it has none, one change that says why. */
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

    /** Returns true if both changes can be written in one transaction that has this number of changes in all. */
    boolean goesWith(Change other, int all) {
        return all <= MOST_AT_ONCE && CompactValues.isCompact(key) == CompactValues.isCompact(other.key);
    }

    /** Returns true if the row is to be deleted; false if it is to be written, or if no change can be read. */
    boolean isDelete() {
        return row == null && problem == null;
    }

    void requireGood() throws BadRowException {
        if (problem != null) {
            throw new BadRowException(problem);
        }
    }

    TopicPartition partition() {
        return partition(record);
    }

    /** Returns the partition of origin of the record, whatever transformations have made of it. */
    static TopicPartition partition(SinkRecord record) {
        return new TopicPartition(record.originalTopic(), record.originalKafkaPartition());
    }

    /**
     * Returns the change as a record of its own, for the queue of refused records: the other changes of its block are
     * not at fault.
     */
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
