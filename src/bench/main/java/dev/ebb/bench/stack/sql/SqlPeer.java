package dev.ebb.bench.stack.sql;

import dev.ebb.bench.stack.BenchStack;
import java.nio.file.Path;
import java.util.Properties;

/**
 * A database in which people would keep their events, and the statements of its retention plan: rows of terminal
 * statuses that are older than a limit go, found by an index of status and time; then the space is reclaimed.
 *
 * @param name the name in tables
 * @param url the address
 * @param login properties of the connection, such as user and password
 * @param session statements for each connection
 * @param table creates the table and its index
 * @param loaded the steps of an administrator after the rows have been loaded, not measured
 * @param delete deletes the rows
 * @param vacuum reclaims the space, or writes the rest of a log to its place; empty if neither is usual
 */
public record SqlPeer(
        String name,
        String url,
        Properties login,
        String session,
        String table,
        String loaded,
        SqlDelete delete,
        String vacuum) {

    private static final String CHECKPOINT = "PRAGMA wal_checkpoint(TRUNCATE)";

    private static final String ROWS = """
            CREATE TABLE bench_event (
                stream text NOT NULL, id text NOT NULL, status text NOT NULL, created_at bigint NOT NULL,
                payload bytea NOT NULL, PRIMARY KEY (stream, id));
            CREATE INDEX bench_event_by_status ON bench_event (status, created_at)""";

    private static final String ROWS_BY_STATUS = """
            CREATE TABLE bench_event (
                stream text NOT NULL, id text NOT NULL, status text NOT NULL, created_at bigint NOT NULL,
                payload bytea NOT NULL, PRIMARY KEY (stream, id, status)) PARTITION BY LIST (status);
            CREATE TABLE bench_event_completed PARTITION OF bench_event FOR VALUES IN ('completed');
            CREATE TABLE bench_event_other PARTITION OF bench_event DEFAULT;
            CREATE INDEX bench_event_by_status ON bench_event (status, created_at)""";

    /**
     * Returns PostgreSQL with the loop of a good administrator: batches of 1000 by a cursor on the index, each a
     * transaction.
     */
    public static SqlPeer postgres(BenchStack stack) {
        return postgres(stack, "postgresql", ROWS, SqlDelete.cursor("""
                WITH gone AS (
                    DELETE FROM bench_event WHERE ctid = ANY (ARRAY(
                        SELECT ctid FROM bench_event WHERE status = 'completed' AND created_at >= ? AND created_at < ?
                        ORDER BY created_at LIMIT 1000))
                    RETURNING created_at)
                SELECT count(*), max(created_at) FROM gone"""), "VACUUM bench_event");
    }

    /** Returns PostgreSQL with one statement, which holds its locks until it ends. */
    public static SqlPeer postgresAtOnce(BenchStack stack) {
        return postgres(
                stack,
                "postgresql at once",
                ROWS,
                SqlDelete.once("", "DELETE FROM bench_event WHERE status = 'completed'"),
                "VACUUM bench_event");
    }

    /**
     * Returns PostgreSQL that drops a partition. The partition must hold only rows that go: no caps, no work in
     * progress.
     */
    public static SqlPeer postgresPartition(BenchStack stack) {
        return postgres(
                stack,
                "postgresql partition",
                ROWS_BY_STATUS,
                SqlDelete.once("SELECT count(*) FROM bench_event_completed", "DROP TABLE bench_event_completed"),
                "");
    }

    /**
     * Returns PostgreSQL with commits that do not wait for the disk, since Kafka's do not either; shared memory and log
     * have the size that the manual recommends for such a machine, not that of the embedded default.
     */
    private static SqlPeer postgres(BenchStack stack, String name, String table, SqlDelete delete, String vacuum) {
        var endpoints = stack.services().endpoints();
        Properties login = new Properties();
        login.put("user", endpoints.sqlUser());
        login.put("password", endpoints.sqlPassword());
        login.put("reWriteBatchedInserts", "true");
        return new SqlPeer(
                name,
                endpoints.jdbcUrl(),
                login,
                "SET synchronous_commit = off",
                table,
                "VACUUM ANALYZE bench_event",
                delete,
                vacuum);
    }

    /**
     * Returns SQLite in this process, in a file of the folder: with a write-ahead log that commits do not wait for, as
     * its manual recommends, and a cache of 256 MiB, where the default is 2 MB. A checkpoint writes the rest of the log
     * to the table.
     */
    public static SqlPeer sqlite(Path folder) {
        Path file = folder.resolve("peer.sqlite");
        return new SqlPeer(
                "sqlite",
                "jdbc:sqlite:" + file,
                new Properties(),
                "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -262144",
                """
                CREATE TABLE bench_event (
                    stream TEXT NOT NULL, id TEXT NOT NULL, status TEXT NOT NULL, created_at INTEGER NOT NULL,
                    payload BLOB NOT NULL, PRIMARY KEY (stream, id));
                CREATE INDEX bench_event_by_status ON bench_event (status, created_at)""",
                "ANALYZE bench_event;" + CHECKPOINT,
                SqlDelete.loop("""
                DELETE FROM bench_event WHERE rowid IN (
                    SELECT rowid FROM bench_event WHERE status = 'completed' AND created_at < ?
                    ORDER BY created_at LIMIT 1000)"""),
                CHECKPOINT);
    }
}
