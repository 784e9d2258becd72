package dev.ebb.simulation;

import dev.ebb.domain.command.CommandRequest;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The commands that were sent. */
final class CommandBook {

    private final Map<String, CommandRequest> sent = new LinkedHashMap<>();

    private final Map<String, Integer> places = new HashMap<>();

    private final Map<String, Set<Long>> points = new HashMap<>();

    /** The points of a sweep by hand: one, unless it had to begin anew; a live view. */
    Set<Long> points(String commandId) {
        return points.computeIfAbsent(commandId, id -> new TreeSet<>());
    }

    void send(CommandRequest request) {
        places.putIfAbsent(request.commandId(), sent.size());
        sent.putIfAbsent(request.commandId(), request);
    }

    @Nullable
    CommandRequest get(String commandId) {
        return sent.get(commandId);
    }

    Iterable<CommandRequest> all() {
        return sent.values();
    }

    /** Number of the commands that were sent before that one. */
    int before(String commandId) {
        return places.get(commandId);
    }

    int size() {
        return sent.size();
    }
}
