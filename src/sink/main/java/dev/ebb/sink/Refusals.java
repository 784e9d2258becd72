package dev.ebb.sink;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import org.apache.kafka.common.TopicPartition;

/**
 * Changes that the database has refused, the last one of each row, in a table beside the positions. An entry is written
 * in the transaction that passes over the change, and goes in the transaction that writes a later change of its row. See
 * {@link IncompleteRows} for entries that are none of a single row. Not thread-safe.
 */
final class Refusals {

    private static final String ANY = "SELECT EXISTS (SELECT FROM mirror_refused WHERE connector = ?)";
    private static final String ADD = """
            INSERT INTO mirror_refused (connector, row_hash, table_name, row_key, deleted, code, reason, topic, partition,
                position)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (connector, row_hash) DO UPDATE SET row_key = excluded.row_key, deleted = excluded.deleted,
                code = excluded.code, reason = excluded.reason, topic = excluded.topic, partition = excluded.partition,
                position = excluded.position, refused_at = excluded.refused_at""";
    private static final String SETTLE = "DELETE FROM mirror_refused WHERE connector = ? AND row_hash = ANY (?)";

    private final String connector;

    /** False only if no entry of the connector exists, so that no write has to look for one. */
    private boolean mayHaveAny;

    Refusals(String connector) {
        this.connector = connector;
    }

    /** Finds out whether there are entries, as part of the current transaction of the connection. */
    void load(Connection connection) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(ANY)) {
            query.setString(1, connector);
            try (ResultSet row = query.executeQuery()) {
                mayHaveAny = row.next() && row.getBoolean(1);
            }
        }
    }

    boolean mayHaveAny() {
        return mayHaveAny;
    }

    /** Adds an entry, as part of the current transaction of the connection. */
    void add(Connection connection, String table, Change change, RowName key, RowRefusal why) throws SQLException {
        TopicPartition partition = change.partition();
        try (PreparedStatement insert = connection.prepareStatement(ADD)) {
            insert.setString(1, connector);
            insert.setString(2, key.hash());
            insert.setString(3, table);
            insert.setString(4, key.text());
            insert.setBoolean(5, change.isDelete());
            insert.setString(6, why.code());
            insert.setString(7, why.reason());
            insert.setString(8, partition.topic());
            insert.setInt(9, partition.partition());
            insert.setLong(10, change.record().originalKafkaOffset());
            insert.executeUpdate();
        }
        noteOne();
    }

    /** Notes that there is an entry of the connector. */
    void noteOne() {
        mayHaveAny = true;
    }

    /** Removes the entries of rows that are written now, as part of the current transaction of the connection. */
    void settle(Connection connection, Collection<String> hashes) throws SQLException {
        try (PreparedStatement delete = connection.prepareStatement(SETTLE)) {
            delete.setString(1, connector);
            delete.setArray(2, connection.createArrayOf("text", hashes.toArray()));
            if (delete.executeUpdate() == 0) {
                return;
            }
        }
        load(connection);
    }
}
