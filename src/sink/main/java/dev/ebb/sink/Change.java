package dev.ebb.sink;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.sink.SinkRecord;
import org.jspecify.annotations.Nullable;

/**
 * A change of a row, from a record of its own or from one with many removals.
 *
 * @param record the record of the change
 * @param end the position once the change is written: after the record, or still at the record unless the change is its
 *     last, since a record is read again from its beginning until its last change is written
 * @param kind the kind of the change
 * @param key the key of the row; empty if no row is concerned
 * @param row the row; null if there is none
 * @param problem the reason why the record holds no change; null if it does
 */
record Change(
        SinkRecord record,
        long end,
        Kind kind,
        byte[] key,
        byte @Nullable [] row,
        @Nullable String problem) {

    /** Most changes of one transaction, so that it takes a second at most; a record is never divided. */
    private static final int MOST_AT_ONCE = 10_000;

    private static final byte[] NO_KEY = {};
    private static final byte END_OF_LINE = '\n';

    /** The kinds of changes. */
    enum Kind {
        /** The row is written, whether or not it exists. */
        WRITE,
        /** The row is written unless it exists: an earlier record had it as it is. */
        COMPLETE,
        DELETE,
        /** The record concerns no row. */
        NOTHING
    }

    /**
     * Returns the changes of a record, in their order; if it has none, one change that says why.
     *
     * @param isOfLog true if it is a record of the log of the events
     */
    static List<Change> of(SinkRecord record, boolean isOfLog) {
        try {
            if (isOfLog) {
                return LogRecord.changes(record);
            }
            if (record.key() instanceof byte[] key) {
                if (!(record.value() instanceof byte[] row)) {
                    return List.of(new Change(record, behind(record), Kind.DELETE, key, null, null));
                }
                return row.length > 0 && row[0] == END_OF_LINE
                        ? ofAll(record, lines(row), Kind.WRITE)
                        : List.of(new Change(record, behind(record), Kind.WRITE, key, row, null));
            }
            throw new BadRowException("it has no key");
        } catch (BadRowException e) {
            return List.of(new Change(record, behind(record), Kind.NOTHING, NO_KEY, null, e.getMessage()));
        }
    }

    /** @param isKnown true if the row stays as it is where it exists */
    static Change ofRow(SinkRecord record, byte[] key, byte[] row, boolean isKnown) {
        return new Change(record, behind(record), isKnown ? Kind.COMPLETE : Kind.WRITE, key, row, null);
    }

    static Change ofNothing(SinkRecord record) {
        return new Change(record, behind(record), Kind.NOTHING, NO_KEY, null, null);
    }

    /** Returns the removals of all these rows, at least one. */
    static List<Change> ofDeletes(SinkRecord record, List<byte[]> keys) {
        return ofAll(record, keys, Kind.DELETE);
    }

    /** Returns changes of one kind of all these rows, at least one. A row that is written is its own key. */
    private static List<Change> ofAll(SinkRecord record, List<byte[]> keys, Kind kind) {
        List<Change> changes = new ArrayList<>(keys.size());
        for (byte[] key : keys) {
            boolean isLast = changes.size() == keys.size() - 1;
            long end = isLast ? behind(record) : record.originalKafkaOffset();
            changes.add(new Change(record, end, kind, key, kind == Kind.DELETE ? null : key, null));
        }
        return changes;
    }

    /** Returns the rows of a record of several: a line each, with its end before it. */
    private static List<byte[]> lines(byte[] rows) {
        List<byte[]> lines = new ArrayList<>();
        int begin = 1;
        for (int i = 1; i <= rows.length; i++) {
            if (i == rows.length || rows[i] == END_OF_LINE) {
                lines.add(Arrays.copyOfRange(rows, begin, i));
                begin = i + 1;
            }
        }
        return lines;
    }

    private static long behind(SinkRecord record) {
        return record.originalKafkaOffset() + 1;
    }

    /** Returns true if this number of changes can be written in one transaction. */
    static boolean goTogether(int changes) {
        return changes <= MOST_AT_ONCE;
    }

    boolean isDelete() {
        return kind == Kind.DELETE;
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
}
