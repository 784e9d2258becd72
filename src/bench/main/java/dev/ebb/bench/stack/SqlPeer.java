package dev.ebb.bench.stack;

import java.nio.file.Path;

/**
 * A database that people would keep their events in, and the statements that their retention plans consist of: rows of
 * terminal statuses that are older than a limit go in batches of 1000, found by an index of status and time, each batch in
 * a transaction of its own so that no other work waits for long; then the space is taken back.
 *
 * @param name as it is called in tables
 * @param url where it is
 * @param user the user, empty if there is none
 * @param session statements for each connection
 * @param table makes the table and its index
 * @param delete deletes one batch; its parameter is the time before which events go
 * @param vacuum takes the space back; empty if that is not usual
 */
public record SqlPeer(
        String name, String url, String user, String session, String table, String delete, String vacuum) {

    /**
     * PostgreSQL. Kafka does not wait for the disk, so neither does a commit here; shared memory and log have the size that
     * its manual recommends for a machine like this, not that of the embedded default.
     */
    public static SqlPeer postgres(BenchStack stack) {
        var endpoints = stack.services().endpoints();
        return new SqlPeer(
                "postgresql",
                endpoints.jdbcUrl() + "?reWriteBatchedInserts=true&password=" + endpoints.sqlPassword(),
                endpoints.sqlUser(),
                "SET synchronous_commit = off",
                """
                CREATE TABLE bench_event (
                    stream text NOT NULL, id text NOT NULL, status text NOT NULL, created_at bigint NOT NULL,
                    payload bytea NOT NULL, PRIMARY KEY (stream, id));
                CREATE INDEX bench_event_by_status ON bench_event (status, created_at)""",
                """
                DELETE FROM bench_event WHERE (stream, id) IN (
                    SELECT stream, id FROM bench_event WHERE status = 'completed' AND created_at < ?
                    ORDER BY created_at LIMIT 1000)""",
                "VACUUM bench_event");
    }

    /** SQLite in this process, in a file of the folder: a write-ahead log that is not waited for at each commit, as its manual advises for it. */
    public static SqlPeer sqlite(Path folder) {
        Path file = folder.resolve("peer.sqlite");
        return new SqlPeer(
                "sqlite",
                "jdbc:sqlite:" + file,
                "",
                "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL",
                """
                CREATE TABLE bench_event (
                    stream TEXT NOT NULL, id TEXT NOT NULL, status TEXT NOT NULL, created_at INTEGER NOT NULL,
                    payload BLOB NOT NULL, PRIMARY KEY (stream, id));
                CREATE INDEX bench_event_by_status ON bench_event (status, created_at)""",
                """
                DELETE FROM bench_event WHERE rowid IN (
                    SELECT rowid FROM bench_event WHERE status = 'completed' AND created_at < ?
                    ORDER BY created_at LIMIT 1000)""",
                "");
    }
}
