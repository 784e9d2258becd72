package dev.ebb.simulation;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Commands on one stream end in the order in which their partition has taken them in, whatever one of them waits for and
 * however often the task comes back (O-9). A share of a command over many streams comes to its streams when their partition
 * gets it.
 *
 * <p>A command whose stream is deleted while it waits finds nothing, although a new stream has the name by its turn: it came
 * for the old one (O-10). That goes by the order alone. Clocks say nothing of it: the instance that takes a command in and the
 * one that deletes the stream may differ by hours.
 */
final class OrderLaw {

    /** By stream, the commands that are not done, in the order in which they came. */
    private Map<String, List<String>> lines = new LinkedHashMap<>();

    /** By command, the streams that were deleted since it came. */
    private Map<String, Set<String>> outlived = new HashMap<>();

    private Map<String, List<String>> formerLines = Map.of();
    private Map<String, Set<String>> formerOutlived = Map.of();

    /** The partition has taken a command in, or its share of one. */
    void taken(String commandId, Collection<String> streams) {
        for (String stream : streams) {
            List<String> line = lines.computeIfAbsent(stream, name -> new ArrayList<>());
            if (!line.contains(commandId)) {
                line.add(commandId);
            }
        }
    }

    /** The command, or the share, is done. */
    void ended(String commandId) {
        for (Map.Entry<String, List<String>> entry : lines.entrySet()) {
            List<String> line = entry.getValue();
            if (line.contains(commandId) && !line.get(0).equals(commandId)) {
                throw new Violation(
                        "O-9 commands in their order",
                        commandId + " is done on " + entry.getKey() + " before " + line.get(0)
                                + ", which came earlier");
            }
            line.remove(commandId);
        }
        lines.values().removeIf(List::isEmpty);
        outlived.remove(commandId);
    }

    /** A command has deleted the stream. */
    void deleted(String stream, String byCommandId) {
        for (String commandId : lines.getOrDefault(stream, List.of())) {
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
        formerLines = copy(lines, ArrayList::new);
        formerOutlived = copy(outlived, HashSet::new);
    }

    void abort() {
        lines = copy(formerLines, ArrayList::new);
        outlived = copy(formerOutlived, HashSet::new);
    }

    private static <C> Map<String, C> copy(Map<String, C> all, UnaryOperator<C> copied) {
        Map<String, C> copy = new LinkedHashMap<>();
        all.forEach((key, value) -> copy.put(key, copied.apply(value)));
        return copy;
    }
}
