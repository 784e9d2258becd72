package dev.ebb.bench.runs.sql;

import dev.ebb.bench.stack.sql.MirrorChanges.Change;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** A way in which a program writes rows with plain JDBC. */
interface RowWriter {

    /** Name in tables. */
    String name();

    /** Number of connections that write at the same time, each the rows of some partitions. */
    default int connections() {
        return 1;
    }

    /** Number of changes in a transaction. */
    default int changesAtOnce() {
        return 5000;
    }

    /** A statement for each connection, before the clock starts; empty for none. */
    default String session() {
        return "";
    }

    /**
     * Writes some changes within the transaction of the connection. Called by several threads, each with a connection of its
     * own.
     */
    void write(Connection connection, List<Change> upserts, List<Change> deletes) throws SQLException;
}
