package dev.ebb.wire.instance;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.ebb.port.MirrorCheck.Refused;
import dev.ebb.port.MirrorCheck.What;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A comparison of stores and SQL.
 *
 * @param doing the present step, for people
 * @param streams number of streams that have been compared so far, counted for each table separately
 * @param differences number of differences that are certain so far
 * @param detail the reason why there is no result; empty unless the comparison has ended without one
 * @param result the result; null until the comparison is done
 */
public record VerificationView(
        String id,
        State state,
        String doing,
        long streams,
        long differences,
        String detail,
        @Nullable Result result) {

    /** Progress of a comparison. */
    public enum State {
        /** The comparison is under way. */
        RUNNING,
        /** The comparison has a result. */
        DONE,
        /** A system that the comparison needs did not come back in time; another comparison may succeed later. */
        NOT_READY,
        /** The comparison ended with a fault. */
        FAILED
    }

    /** Outcome for stores and SQL. */
    public enum Verdict {
        /** Stores and SQL are equal, or were made equal. */
        EQUAL,
        /** Stores and SQL differ. */
        DIFFERENT,
        /** The sinks did not catch up, so not all could be compared. */
        BEHIND
    }

    /** Rows of one table on each side. */
    public record Sums(long stored, long sql) {}

    /**
     * A row in which the two sides differ.
     *
     * @param storedAt time to the microsecond, since a row made by hand may have such a time; null for an execution
     * @param eventId id of the event; null for an execution
     * @param execution number of the execution; null for an event
     * @param fields the columns that differ; empty unless both sides have the row
     * @param table the name of the table in SQL
     * @param why the reason why the row differs, or why a repair does not heal it; null if none is known
     * @param byHand the statement of SQL that heals it, for rows that no repair can reach; null for all others
     */
    public record Row(
            String stream,
            @Nullable String storedAt,
            @Nullable String eventId,
            @Nullable Long execution,
            What what,
            List<String> fields,
            String table,
            @Nullable String why,
            @Nullable String byHand) {

        /** Returns this row with a reason. */
        public Row because(String reason) {
            return new Row(stream, storedAt, eventId, execution, what, fields, table, reason, byHand);
        }
    }

    /**
     * The extent of a comparison. Times are those of the instance that compared; a change after the last one of its side
     * was not compared.
     *
     * @param storesFrom the first moment at which a store was read; null if none was
     * @param storesTo the last moment at which a store was read; null if none was
     * @param sqlFrom the first moment at which SQL was read; null if it was not
     * @param sqlTo the last moment at which SQL was read; null if it was not
     * @param mirrorPosition ends of the mirror topics at the last moment at which rows were looked at once more, by
     *     partition, topic after topic; all records before these were in SQL then. Of the beginning, if no row differed
     * @param streams number of streams with events, on either side
     * @param months the months of {@code stored_at} with events, on either side, in their order
     * @param groups number of pairs of a stream and a month that were compared by counts and hashes
     * @param executionStreams number of streams with executions, on either side
     */
    public record Compared(
            @Nullable String storesFrom,
            @Nullable String storesTo,
            @Nullable String sqlFrom,
            @Nullable String sqlTo,
            String mirrorPosition,
            long streams,
            List<String> months,
            long groups,
            long executionStreams) {

        public Compared {
            months = List.copyOf(months);
        }
    }

    /**
     * Effect of a repair.
     *
     * @param rowsSent number of rows that were sent again
     * @param rowsRemoved number of rows that SQL was told to delete
     * @param unhealed number of rows that still differ
     */
    public record Repair(long rowsSent, long rowsRemoved, long unhealed) {}

    /**
     * Result of a comparison.
     *
     * @param compared the extent of the comparison, and its moments
     * @param differences number of rows that differed
     * @param rows the first of the rows that differed
     * @param rowsLeftOut number of further rows that differed
     * @param moving number of rows that still changed during the wait
     * @param movingRows the first of the rows that still changed
     * @param mirrorBehind true if the sinks did not catch up, so that not all could be compared
     * @param refused number of changes of rows that the database refuses, in all tables of the mirror
     * @param refusedRows the newest of these
     * @param repair the effect of the repair; left out unless one was requested
     */
    public record Result(
            boolean equal,
            Sums event,
            Sums execution,
            Compared compared,
            long differences,
            List<Row> rows,
            long rowsLeftOut,
            long moving,
            List<Row> movingRows,
            boolean mirrorBehind,
            long refused,
            List<Refused> refusedRows,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Repair repair) {

        /** Returns the result in one word. */
        public Verdict verdict() {
            if (refused > 0 || (repair == null ? differences : repair.unhealed()) > 0) {
                return Verdict.DIFFERENT;
            }
            return mirrorBehind ? Verdict.BEHIND : Verdict.EQUAL;
        }
    }
}
