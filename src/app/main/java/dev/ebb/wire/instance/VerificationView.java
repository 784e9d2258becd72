package dev.ebb.wire.instance;

import com.fasterxml.jackson.annotation.JsonInclude;
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
     */
    public record Row(
            String stream,
            @Nullable String storedAt,
            @Nullable String eventId,
            @Nullable Long execution,
            What what,
            List<String> fields,
            String table) {}

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
     * @param differences number of rows that differed
     * @param rows the first of the rows that differed
     * @param rowsLeftOut number of further rows that differed
     * @param moving number of rows that still changed during the wait
     * @param movingRows the first of the rows that still changed
     * @param mirrorBehind true if the sinks did not catch up, so that not all could be compared
     * @param repair the effect of the repair; left out unless one was requested
     */
    public record Result(
            boolean equal,
            Sums event,
            Sums execution,
            long differences,
            List<Row> rows,
            long rowsLeftOut,
            long moving,
            List<Row> movingRows,
            boolean mirrorBehind,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Repair repair) {

        /** Returns the result in one word. */
        public Verdict verdict() {
            if ((repair == null ? differences : repair.unhealed()) > 0) {
                return Verdict.DIFFERENT;
            }
            return mirrorBehind ? Verdict.BEHIND : Verdict.EQUAL;
        }
    }
}
