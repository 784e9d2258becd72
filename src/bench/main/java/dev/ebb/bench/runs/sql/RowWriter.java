package dev.ebb.bench.runs.sql;

import dev.ebb.bench.stack.sql.MirrorChanges.Change;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** A way in which a program writes rows with plain JDBC. */
interface RowWriter {

    /** Name in tables. */
    String name();

    /** Writes some changes within the transaction of the connection. A row comes and goes in batches of their own. */
    void write(Connection connection, List<Change> upserts, List<Change> deletes) throws SQLException;
}
