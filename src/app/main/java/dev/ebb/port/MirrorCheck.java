package dev.ebb.port;

import dev.ebb.domain.BadCursorException;
import dev.ebb.domain.command.RowKey;
import dev.ebb.serde.mirror.MirrorTable;
import dev.ebb.serde.mirror.RowsDigest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Compares stores and SQL. Reads data outside the processing threads, a page at a time. Thread-safe. Reads
 * stores by partition, with {@link NotReadyException} and {@link OtherInstanceException} as in reads of events. Where
 * the application has no mirror, every method throws {@link NoMirrorException}; {@link NotReadyException} also means
 * that a database or a broker is away.
 */
public interface MirrorCheck {

    /** Returns the present ends of the mirror topics, for {@link #hasPassed}. */
    String mark();

    /**
     * Returns true if SQL has everything that was on its way at the time of the mark.
     *
     * @throws BadCursorException for a mark that {@link #mark} has never returned
     */
    boolean hasPassed(String mark);

    /**
     * Returns digests of the rows that the partition has stored, by stream and month, streams in the order of their
     * names.
     */
    DigestPage stored(int partition, MirrorTable table, @Nullable String after);

    /** Returns digests of all rows in SQL, by stream and month, streams in the order of their names. */
    DigestPage inSql(MirrorTable table, @Nullable String after);

    /** Returns the differences in one group of rows at this moment; rows on their way may be among them. */
    DifferencePage differences(Group group, @Nullable String after);

    /** Returns the differences among those rows of one stream at this moment. */
    List<Difference> look(String stream, List<RowKey> rows, List<Long> executions);

    /**
     * Returns the changes of rows that the database has refused for themselves and that no later change has settled
     * (O-24), the newest first.
     *
     * @param most most rows that are named
     */
    Refusals refused(int most);

    /**
     * Refused changes.
     *
     * @param count the number of all of them
     */
    record Refusals(long count, List<Refused> rows) {

        public static final Refusals NONE = new Refusals(0, List.of());

        public Refusals {
            rows = List.copyOf(rows);
        }
    }

    /**
     * A change of a row that the database has refused.
     *
     * @param table the table in SQL
     * @param key the key of the row as a JSON object; another text if the record held none
     * @param reason the error of the database, without values of the row
     * @param isDelete true if the row was to be deleted
     * @param refusedAt the time at which it was refused last
     * @param record topic, partition and offset of the change
     */
    record Refused(String table, String key, String reason, boolean isDelete, String refusedAt, String record) {}

    /**
     * Rows that are counted together.
     *
     * @param month the month of {@code stored_at} in UTC, such as {@code 2026-11}; empty for executions
     */
    record Group(MirrorTable table, String stream, String month) {}

    /** Digest of a part of a group; the parts of a group follow each other and add up. */
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

    /** Kinds of differences. */
    enum What {
        /** The row is stored, and SQL has no such row. */
        MISSING_IN_SQL,
        /** SQL has the row, and no such row is stored. */
        TOO_MANY_IN_SQL,
        /** Both sides have the row, with different values. */
        DIFFERS
    }

    /**
     * A row in which the two sides differ.
     *
     * @param row the key of a row of events; null for an execution
     * @param execution the number of an execution; null for an event
     * @param fields the columns that differ; empty unless both sides have the row
     * @param version a mark of the stored row: while the version is unchanged, so is the row; empty if none is stored
     * @param isMoving true if the store knows that the row is still to come or to go
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
     * One page, which may be empty although there are more.
     *
     * @param next the cursor of the next page; null if this is the last one
     */
    record DifferencePage(
            List<Difference> differences, @Nullable String next) {

        public DifferencePage {
            differences = List.copyOf(differences);
        }
    }

    /** Signals that the settings name no database. */
    final class NoMirrorException extends RuntimeException {

        public NoMirrorException() {
            super("there is no SQL mirror: the setting sql.url is empty");
        }
    }
}
