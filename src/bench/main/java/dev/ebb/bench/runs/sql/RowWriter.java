package dev.ebb.bench.runs.sql;

import dev.ebb.bench.stack.sql.MirrorChanges.Change;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** A way to write rows with plain JDBC. */
interface RowWriter {

    /** Returns the name in tables. */
    String name();

    /** Returns the number of connections that write at the same time, each for the rows of some partitions. */
    default int connections() {
        return 1;
    }

    /** Returns the number of changes in a transaction. */
    default int changesAtOnce() {
        return 5000;
    }

    /** Returns a statement that each connection executes before the clock starts; empty for none. */
    default String session() {
        return "";
    }

    /**
     * Writes changes within the current transaction of the connection. Called by several threads, each with a
     * connection of its own.
     */
    void write(Connection connection, List<Change> upserts, List<Change> deletes) throws SQLException;
}
