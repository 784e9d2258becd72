package dev.ebb.simulation;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * Commands on one stream end in the order of their records on the topic of commands, whatever one of them waits for and
 * however often the task comes back (O-9). A share of a command over many streams comes to its streams when their partition
 * gets it, and leaves each of them as its note says. A record that was parked has its place even if later ones were taken in before, as long as they are not done.
 *
 * <p>A command whose stream is deleted while it waits finds nothing, although a new stream has the name by its turn: it came
 * for the old one (O-10). That goes by the order alone. Clocks say nothing of it: the instance that takes a command in and the
 * one that deletes the stream may differ by hours.
 */
final class OrderLaw {

    /** By stream, the commands that are not done, in the order in which they came. */
    private Map<String, NavigableMap<Long, String>> lines = new LinkedHashMap<>();

    /** By command, the offset of its first record that stands in a line. */
    private Map<String, Long> places = new HashMap<>();

    /** By command, the streams that were deleted since it came. */
    private Map<String, Set<String>> outlived = new HashMap<>();

    private Map<String, NavigableMap<Long, String>> formerLines = Map.of();
    private Map<String, Long> formerPlaces = Map.of();
    private Map<String, Set<String>> formerOutlived = Map.of();

    /** The partition has taken in the record of a command, or of its share of one. */
    void taken(String commandId, Collection<String> streams, long offset) {
        long place = places.computeIfAbsent(commandId, id -> offset);
        for (String stream : streams) {
            lines.computeIfAbsent(stream, name -> new TreeMap<>()).put(place, commandId);
        }
    }

    /** The command, or the share, is done. */
    void ended(String commandId) {
        lines.forEach((stream, line) -> {
            String first = line.firstEntry().getValue();
            if (line.containsValue(commandId) && !first.equals(commandId)) {
                throw new Violation(
                        "O-9 commands in their order",
                        commandId + " is done on " + stream + " before " + first + ", which came earlier");
            }
            line.values().remove(commandId);
        });
        lines.values().removeIf(Map::isEmpty);
        places.remove(commandId);
        outlived.remove(commandId);
    }

    /** The share of a command is done with these streams, and others need not wait there for the rest of it. */
    void passed(String commandId, Collection<String> streams) {
        for (String stream : streams) {
            NavigableMap<Long, String> line = lines.get(stream);
            if (line == null || !line.containsValue(commandId)) {
                continue;
            }
            String first = line.firstEntry().getValue();
            if (!first.equals(commandId)) {
                throw new Violation(
                        "O-9 commands in their order",
                        commandId + " passes " + stream + " before " + first + ", which came earlier");
            }
            line.values().remove(commandId);
            if (line.isEmpty()) {
                lines.remove(stream);
            }
        }
    }

    /** A command has deleted the stream. */
    void deleted(String stream, String byCommandId) {
        for (String commandId : lines.getOrDefault(stream, new TreeMap<>()).values()) {
            if (!commandId.equals(byCommandId)) {
                outlived.computeIfAbsent(commandId, id -> new HashSet<>()).add(stream);
            }
        }
    }

    /** Returns true if the stream that the command came for is gone. */
    boolean isOutlived(String commandId, String stream) {
        return outlived.getOrDefault(commandId, Set.of()).contains(stream);
    }

    void commit() {
        formerLines = copy(lines, TreeMap::new);
        formerPlaces = new HashMap<>(places);
        formerOutlived = copy(outlived, HashSet::new);
    }

    void abort() {
        lines = copy(formerLines, TreeMap::new);
        places = new HashMap<>(formerPlaces);
        outlived = copy(formerOutlived, HashSet::new);
    }

    private static <C> Map<String, C> copy(Map<String, C> all, UnaryOperator<C> copied) {
        Map<String, C> copy = new LinkedHashMap<>();
        all.forEach((key, value) -> copy.put(key, copied.apply(value)));
        return copy;
    }
}
