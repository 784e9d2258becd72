package dev.ebb.simulation;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.utils.Bytes;

/** The tables that the sink fills from the mirror topics, each partition in its order and at its own pace. */
final class Sql {

    private final World world;
    private final Map<Bytes, byte[]> events = new HashMap<>();
    private final Map<Bytes, byte[]> executions = new HashMap<>();
    private final int[] eventPositions;
    private final int[] executionPositions;

    Sql(World world) {
        this.world = world;
        this.eventPositions = new int[world.topics.partitions()];
        this.executionPositions = new int[world.topics.partitions()];
    }

    /** Takes in all that is there. */
    void catchUp() {
        for (int partition = 0; partition < eventPositions.length; partition++) {
            List<Message> rows = world.broker.log(world.topics.mirrorEvents(), partition);
            eventPositions[partition] = apply(rows, eventPositions[partition], events);
            List<Message> executionRows = world.broker.log(world.topics.mirrorExecutions(), partition);
            executionPositions[partition] = apply(executionRows, executionPositions[partition], executions);
        }
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
        return events.size();
    }

    boolean holdsAll(Map<Bytes, byte[]> rows) {
        return rows.entrySet().stream()
                .allMatch(row -> java.util.Arrays.equals(events.get(row.getKey()), row.getValue()));
    }

    int executions() {
        return executions.size();
    }
}
