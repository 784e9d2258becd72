package dev.ebb.cli.tables;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.terminal.Table;
import dev.ebb.cli.terminal.Texts;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The streams with the most work that has been in progress for too long, the most first. Each partition names only a few.
 *
 * @param streams how many stale events each of them has
 * @param events how many there are in all streams
 */
public record StaleStreams(Map<String, Long> streams, long events) {

    private static final int SHOWN = 20;

    /** @param instances each with the state of its partitions */
    public static StaleStreams of(JsonNode instances) {
        Map<String, Long> streams = new HashMap<>();
        long events = 0;
        for (JsonNode instance : instances) {
            for (JsonNode partition : instance.path("partitions")) {
                events += partition.path("staleEvents").asLong();
                partition
                        .path("staleStreams")
                        .properties()
                        .forEach(stream ->
                                streams.merge(stream.getKey(), stream.getValue().asLong(), Long::sum));
            }
        }
        return new StaleStreams(streams, events);
    }

    public Table table() {
        List<Map.Entry<String, Long>> most = streams.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder())
                        .thenComparing(Map.Entry.comparingByKey()))
                .limit(SHOWN)
                .toList();
        Table table = new Table().left("STREAM").right("EVENTS");
        most.forEach(stream -> table.row(stream.getKey(), Texts.count(stream.getValue())));
        long others = events - most.stream().mapToLong(Map.Entry::getValue).sum();
        if (others > 0) {
            table.row("other streams", Texts.count(others));
        }
        return table;
    }
}
