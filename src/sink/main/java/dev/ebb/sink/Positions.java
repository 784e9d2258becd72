package dev.ebb.sink;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.sink.SinkRecord;

/**
 * Offsets up to which the database has the records of each partition, according to the database itself: they move in
 * the transaction that writes the rows. A task that has lost its partition to another moves nothing, since it finds
 * another position than it expects. Not thread-safe.
 */
final class Positions {

    /** Position of a partition without written records. */
    static final long NONE = -1;

    private static final String INSERT = """
            INSERT INTO mirror_position (connector, topic, partition, position) VALUES (?, ?, ?, -1)
            ON CONFLICT DO NOTHING""";
    private static final String READ =
            "SELECT position FROM mirror_position WHERE connector = ? AND topic = ? AND partition = ?";
    private static final String MOVE = """
            UPDATE mirror_position SET position = ? WHERE connector = ? AND topic = ? AND partition = ? AND position = ?""";

    private final String connector;
    private final Map<TopicPartition, Long> known = new HashMap<>();

    Positions(String connector) {
        this.connector = connector;
    }

    boolean areKnown(Collection<TopicPartition> partitions) {
        return known.keySet().containsAll(partitions);
    }

    /** Returns the known positions, {@link #NONE} included. */
    Map<TopicPartition, Long> known() {
        return Map.copyOf(known);
    }

    /**
     * Returns the offsets from which on nothing of these partitions is written yet: the known position, or the first
     * record that is there now, if it is before that position because the topic was made anew.
     */
    Map<TopicPartition, Long> before(Map<TopicPartition, Long> starts) {
        Map<TopicPartition, Long> from = new HashMap<>();
        starts.forEach((partition, start) ->
                from.put(partition, Math.min(start, Math.max(0, known.getOrDefault(partition, NONE)))));
        return from;
    }

    /** Returns true if the record is before the known position of its partition, so that it has been written. */
    boolean isPast(SinkRecord record) {
        return record.originalKafkaOffset() < known.getOrDefault(Change.partition(record), NONE);
    }

    void forget(Collection<TopicPartition> partitions) {
        known.keySet().removeAll(partitions);
    }

    /** Reads the positions of the partitions, in a separate transaction. */
    void load(Connection connection, Collection<TopicPartition> partitions) throws SQLException {
        Map<TopicPartition, Long> read = new HashMap<>();
        try (PreparedStatement insert = connection.prepareStatement(INSERT);
                PreparedStatement query = connection.prepareStatement(READ)) {
            for (TopicPartition partition : partitions) {
                name(insert, 1, partition);
                insert.executeUpdate();
                name(query, 1, partition);
                try (ResultSet row = query.executeQuery()) {
                    read.put(partition, row.next() ? row.getLong(1) : NONE);
                }
            }
        }
        connection.commit();
        known.putAll(read);
    }

    /**
     * Moves the positions to these ends, as part of the current transaction of the connection.
     *
     * @return false if another task has moved one of the positions; the transaction must then be abandoned
     */
    boolean move(Connection connection, Map<TopicPartition, Long> ends) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(MOVE)) {
            // One fixed order, so that two tasks never wait for each other.
            Map<TopicPartition, Long> sorted =
                    new TreeMap<>(Comparator.comparing(TopicPartition::topic).thenComparing(TopicPartition::partition));
            sorted.putAll(ends);
            for (Map.Entry<TopicPartition, Long> end : sorted.entrySet()) {
                statement.setLong(1, end.getValue());
                name(statement, 2, end.getKey());
                statement.setLong(5, known.getOrDefault(end.getKey(), NONE));
                if (statement.executeUpdate() != 1) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Notes that the transaction of {@link #move} is committed. */
    void moved(Map<TopicPartition, Long> ends) {
        known.putAll(ends);
    }

    private void name(PreparedStatement statement, int index, TopicPartition partition) throws SQLException {
        statement.setString(index, connector);
        statement.setString(index + 1, partition.topic());
        statement.setInt(index + 2, partition.partition());
    }
}
