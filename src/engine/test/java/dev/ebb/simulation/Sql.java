package dev.ebb.simulation;

import dev.ebb.model.LogRecords;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.common.utils.Bytes;

/**
 * The tables that the sink fills, each partition in its order and at its own pace: the events from their logs, the
 * executions from the mirror topic.
 */
final class Sql {

    private final World world;
    private final List<Map<Bytes, byte[]>> events = new ArrayList<>();
    private final Map<Bytes, byte[]> executions = new HashMap<>();
    private final long[] eventPositions;
    private final int[] executionPositions;

    Sql(World world) {
        this.world = world;
        int partitions = world.topics.partitions();
        IntStream.range(0, partitions).forEach(partition -> events.add(new HashMap<>()));
        this.eventPositions = new long[partitions];
        this.executionPositions = new int[partitions];
    }

    /** Takes in all that is there. */
    void catchUp() {
        for (int partition = 0; partition < eventPositions.length; partition++) {
            catchUp(partition);
            List<Message> rows = world.broker.log(world.topics.mirrorExecutions(), partition);
            executionPositions[partition] = apply(rows, executionPositions[partition], executions);
        }
    }

    /** Takes in the log of a partition; returns the offset before which it has been read. */
    long catchUp(int partition) {
        Changelog log = world.partitions.get(partition).log();
        if (eventPositions[partition] < log.begin()) {
            throw new Violation("A-14 no log is cut before the sink has read it", "partition " + partition);
        }
        List<LogRecord> records = log.records();
        int next = Math.toIntExact(eventPositions[partition] - log.begin());
        records.subList(next, records.size())
                .forEach(record -> LogRecords.apply(
                        record.key(), record.value(), record.headers(), Instance.rows(), events.get(partition)));
        eventPositions[partition] = log.begin() + records.size();
        return eventPositions[partition];
    }

    /** The database loses all rows of a partition, and its position. */
    void lose(int partition) {
        events.get(partition).clear();
        eventPositions[partition] = world.partitions.get(partition).log().begin();
    }

    private static int apply(List<Message> rows, int from, Map<Bytes, byte[]> table) {
        for (Message row : rows.subList(from, rows.size())) {
            Bytes key = Bytes.wrap(row.key());
            if (row.value() == null) {
                table.remove(key);
            } else {
                table.put(key, row.value());
            }
        }
        return rows.size();
    }

    int events() {
        return events.stream().mapToInt(Map::size).sum();
    }

    boolean holdsAll(Map<Bytes, byte[]> rows) {
        return rows.entrySet().stream().allMatch(row -> events.stream()
                .anyMatch(table -> Arrays.equals(table.get(row.getKey()), row.getValue())));
    }

    int executions() {
        return executions.size();
    }
}
