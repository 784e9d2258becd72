package dev.ebb.sink;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;

/**
 * Rows that were written without fields, since the table has no columns for them. {@code ebb verify --repair} sends rows
 * of events and executions again; nothing sends those of the audit and the policies again. So the table of refused rows
 * names, once for each partition, the first offset that is concerned and the statement by which the sink reads from there
 * again. The entry goes when the sink has come past that offset and leaves nothing out. Not thread-safe.
 */
final class IncompleteRows {

    private static final Set<String> REPAIRED = Set.of("event", "execution");

    /** The first offset counts, however many rows follow. */
    private static final String ADD = """
            INSERT INTO mirror_refused (connector, row_hash, table_name, row_key, deleted, reason, topic, partition, position)
            VALUES (?, ?, ?, ?, false, ?, ?, ?, ?) ON CONFLICT (connector, row_hash) DO NOTHING""";

    private static final String SETTLE = """
            DELETE FROM mirror_refused WHERE connector = ? AND row_hash = ? AND position >= ? AND position < ?""";

    private final SinkSettings settings;

    IncompleteRows(SinkSettings settings) {
        this.settings = settings;
    }

    /** Returns true if {@code ebb verify --repair} sends rows of the table again. */
    static boolean areRepaired(String table) {
        return REPAIRED.contains(table);
    }

    /**
     * Notes that rows of the batch lack fields, as part of the current transaction of the connection.
     *
     * @return true if there is an entry now
     */
    boolean add(Connection connection, Batch batch, String table, Collection<String> fields) throws SQLException {
        if (areRepaired(settings.table())) {
            return false;
        }
        try (PreparedStatement insert = connection.prepareStatement(ADD)) {
            for (Map.Entry<TopicPartition, Long> start : batch.starts().entrySet()) {
                TopicPartition partition = start.getKey();
                insert.setString(1, settings.connector());
                insert.setString(2, hash(partition));
                insert.setString(3, table);
                insert.setString(4, "all rows from offset " + start.getValue() + " on");
                insert.setString(5, reason(partition, start.getValue(), fields));
                insert.setString(6, partition.topic());
                insert.setInt(7, partition.partition());
                insert.setLong(8, start.getValue());
                insert.executeUpdate();
            }
        }
        return true;
    }

    /**
     * Removes the entries between these positions of each partition. The record at the named offset may be gone, through
     * compaction or retention, so that it is not the records that tell whether the sink has come past it.
     *
     * @param from the positions before the move
     * @param to the positions after it
     * @return true if there were any
     */
    boolean settle(Connection connection, Map<TopicPartition, Long> from, Map<TopicPartition, Long> to)
            throws SQLException {
        int gone = 0;
        try (PreparedStatement delete = connection.prepareStatement(SETTLE)) {
            for (Map.Entry<TopicPartition, Long> start : from.entrySet()) {
                delete.setString(1, settings.connector());
                delete.setString(2, hash(start.getKey()));
                delete.setLong(3, start.getValue());
                delete.setLong(4, to.getOrDefault(start.getKey(), start.getValue()));
                gone += delete.executeUpdate();
            }
        }
        return gone > 0;
    }

    private String reason(TopicPartition partition, long position, Collection<String> fields) {
        return "the table has no columns for the fields " + List.copyOf(fields) + ", and rows are written without them;"
                + " once the migrations have run, this statement has the sink read them again with its next record, or"
                + " when its connector restarts: UPDATE mirror_position SET position = " + position
                + " WHERE connector = " + quoted(settings.connector()) + " AND topic = " + quoted(partition.topic())
                + " AND partition = " + partition.partition() + ";";
    }

    private static String quoted(String text) {
        return "'" + text.replace("'", "''") + "'";
    }

    private static String hash(TopicPartition partition) {
        byte[] name = ("incomplete rows of " + partition).getBytes(StandardCharsets.UTF_8);
        return RowName.hash(name, name.length);
    }
}
