package dev.ebb.port;

import dev.ebb.domain.command.RowKey;
import dev.ebb.serde.mirror.MirrorTable;
import dev.ebb.serde.mirror.RowsDigest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lets stores and SQL be compared: what is asked for is read outside of the threads that process, a page at a time.
 * Thread-safe. What is stored is asked by partition: {@link NotReadyException} and {@link OtherInstanceException} as for
 * reads of events. Where the application has no mirror, every method throws
 * {@link NoMirrorException}; a database or a broker that is away is a {@link NotReadyException}.
 */
public interface MirrorCheck {

    /** How many partitions there are, and where the mirror topics end now. */
    Mark mark();

    /**
     * Whether SQL has all that was on its way at the time of the mark.
     *
     * @throws EventQueries.BadCursorException for a mark of nobody
     */
    boolean hasPassed(String mark);

    /** Digests of what the partition has stored, by stream and month, streams in the order of their names. */
    DigestPage stored(int partition, MirrorTable table, @Nullable String after);

    /** The same of all that SQL has. */
    DigestPage inSql(MirrorTable table, @Nullable String after);

    /** What differs in one group of rows at this moment: what was on its way may be among it. */
    DifferencePage differences(int partition, Group group, @Nullable String after);

    /** What differs at this moment among those rows of one stream. */
    List<Difference> look(int partition, String stream, List<RowKey> rows, List<Long> executions);

    /**
     * What is known at the beginning.
     *
     * @param partitions how many partitions there are
     * @param mark what {@link #hasPassed} can be asked with
     */
    record Mark(int partitions, String mark) {}

    /**
     * Rows that are counted together.
     *
     * @param month of {@code stored_at} in UTC, such as {@code 2026-11}; empty for executions
     */
    record Group(MirrorTable table, String stream, String month) {}

    /** A part of what is in a group: parts of one group follow each other and add up. */
    record GroupDigest(String stream, String month, RowsDigest digest) {}

    /**
     * One page.
     *
     * @param next the cursor of the next page; null if this is the last one
     */
    record DigestPage(List<GroupDigest> digests, @Nullable String next) {

        public DigestPage {
            digests = List.copyOf(digests);
        }
    }

    /** What is wrong with a row. */
    enum What {
        /** It is stored, and SQL has no such row. */
        MISSING_IN_SQL,
        /** SQL has it, and nothing like it is stored. */
        TOO_MANY_IN_SQL,
        /** Both have it, with different values. */
        DIFFERS
    }

    /**
     * A row in which the two sides differ.
     *
     * @param row the key of a row of events; null for an execution
     * @param execution the number of an execution; null for an event
     * @param fields the columns that differ; empty unless both sides have the row
     * @param version stands for what is stored: as long as it is the same, so is that; empty if nothing is stored
     * @param isMoving whether the store knows that the row is still to go
     */
    record Difference(
            String stream,
            @Nullable RowKey row,
            @Nullable Long execution,
            What what,
            List<String> fields,
            String version,
            boolean isMoving) {

        public Difference {
            fields = List.copyOf(fields);
        }
    }

    /**
     * One page; it may be empty although there are more.
     *
     * @param next the cursor of the next page; null if this is the last one
     */
    record DifferencePage(
            List<Difference> differences, @Nullable String next) {

        public DifferencePage {
            differences = List.copyOf(differences);
        }
    }

    /** A stream was asked for where it cannot be. */
    final class WrongPartitionException extends RuntimeException {

        public WrongPartitionException(String stream, int partition) {
            super("stream '" + stream + "' is not in partition " + partition);
        }
    }

    /** The settings name no database. */
    final class NoMirrorException extends RuntimeException {

        public NoMirrorException() {
            super("there is no SQL mirror: the setting sql.url names no database");
        }
    }
}
