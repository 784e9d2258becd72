package dev.ebb.topology.order;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Lines in which commands wait for the streams of one partition: commands on one stream take effect in the order in
 * which they came (O-9), however long one of them waits. A command stands once in the line of a stream, whatever number
 * of its pieces of work concern the stream, and leaves with the last of them. A command in several lines begins when it
 * is the first of all; since all lines have the same order, two commands never wait for each other. Not thread-safe.
 */
public final class StreamLines {

    /** By stream, the number of pieces of work of each command, in the order in which the commands came. */
    private final Map<String, NavigableMap<Place, Integer>> lines = new HashMap<>();

    private final Map<String, Place> places = new HashMap<>();

    /** By command, the number of its pieces of work that stand in a line. */
    private final Map<String, Integer> works = new HashMap<>();

    /** By command, the streams that other commands have deleted while it waited. */
    private final Map<String, Set<String>> outlived = new HashMap<>();

    private final Set<String> newlyOutlived = new LinkedHashSet<>();

    /** Place of a command in all lines of the partition. */
    private record Place(long number, String commandId) implements Comparable<Place> {

        @Override
        public int compareTo(Place other) {
            int order = Long.compare(number, other.number);
            return order == 0 ? commandId.compareTo(other.commandId) : order;
        }
    }

    /**
     * Puts a piece of work of the command into the lines of these streams; work without streams stands in no line.
     *
     * @param number the place in the order of arrival; further work of a command stands beside its first
     */
    public void join(String commandId, long number, Collection<String> streams) {
        if (streams.isEmpty()) {
            return;
        }
        Place place = places.computeIfAbsent(commandId, id -> new Place(number, id));
        works.merge(commandId, 1, Integer::sum);
        streams.forEach(
                stream -> lines.computeIfAbsent(stream, name -> new TreeMap<>()).merge(place, 1, Integer::sum));
    }

    /** Returns true if no earlier command stands in the lines of these streams. */
    public boolean isFirst(String commandId, Collection<String> streams) {
        return streams.stream().allMatch(stream -> commandId.equals(first(stream)));
    }

    private @Nullable String first(String stream) {
        NavigableMap<Place, Integer> line = lines.get(stream);
        return line == null ? null : line.firstKey().commandId();
    }

    /**
     * Takes a piece of work out of the lines of all streams in which it still stands, because it is done.
     *
     * @return the commands that have become the first of a line
     */
    public Set<String> leave(String commandId, Collection<String> streams) {
        if (streams.isEmpty()) {
            return Set.of();
        }
        Set<String> next = release(commandId, streams);
        works.computeIfPresent(commandId, (id, count) -> count == 1 ? null : (Integer) (count - 1));
        if (!works.containsKey(commandId)) {
            places.remove(commandId);
            outlived.remove(commandId);
        }
        return next;
    }

    /**
     * Takes a piece of work out of the lines of some of its streams, with which it is done. Others do not wait for the
     * rest of it.
     *
     * @return the commands that have become the first of a line
     */
    public Set<String> release(String commandId, Collection<String> streams) {
        Set<String> next = new LinkedHashSet<>();
        Place place = Objects.requireNonNull(places.get(commandId), commandId);
        for (String stream : streams) {
            NavigableMap<Place, Integer> line = Objects.requireNonNull(lines.get(stream), stream);
            line.computeIfPresent(place, (key, count) -> count == 1 ? null : (Integer) (count - 1));
            if (line.isEmpty()) {
                lines.remove(stream);
            } else {
                next.add(line.firstKey().commandId());
            }
        }
        next.remove(commandId);
        return next;
    }

    /**
     * Notes that a command has deleted the stream. All commands behind it came for that stream: they change nothing in
     * a later one of its name (O-10). The order says so exactly; clocks, of which each instance has its own, do not.
     */
    public void deleted(String stream, String byCommandId) {
        lines.getOrDefault(stream, new TreeMap<>()).keySet().stream()
                .map(Place::commandId)
                .filter(commandId -> !commandId.equals(byCommandId))
                .forEach(commandId -> {
                    outlive(commandId, Set.of(stream));
                    newlyOutlived.add(commandId);
                });
    }

    /** Notes what was noted before a restart. */
    public void outlive(String commandId, Collection<String> streams) {
        if (!streams.isEmpty()) {
            outlived.computeIfAbsent(commandId, id -> new HashSet<>()).addAll(streams);
        }
    }

    /** Returns the streams that other commands have deleted since this one came. */
    public Set<String> outlivedBy(String commandId) {
        return outlived.getOrDefault(commandId, Set.of());
    }

    /** Returns the commands of which {@link #outlivedBy} has changed since the last call. */
    public Set<String> takeOutlived() {
        Set<String> changed = new LinkedHashSet<>(newlyOutlived);
        newlyOutlived.clear();
        return changed;
    }
}
