package dev.ebb.topology.wire;

import dev.ebb.domain.command.Outcome.Part;
import dev.ebb.domain.command.Outcome.Parts;
import dev.ebb.domain.command.Outcome.Rest;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.retention.RemovalCause;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Biggest findings of a sweep by stream and cause. The others are added up by namespace and cause; the sums of
 * namespaces stay exact as long as there are not too many namespaces (C-4). Memory is bounded. Not thread-safe.
 */
public final class BiggestParts {

    private static final Comparator<Part> BIGGEST_FIRST = Comparator.comparingLong(Part::events)
            .reversed()
            .thenComparing(Part::stream)
            .thenComparing(Part::cause);

    private static final Comparator<Rest> BIGGEST_REST_FIRST = Comparator.comparingLong(Rest::events)
            .reversed()
            .thenComparing(Rest::namespace)
            .thenComparing(Rest::cause);

    /** Bytes of a part as JSON, without the name of its stream. */
    private static final int PART_BYTES = 100;

    /** Largest number of namespaces with sums; beyond it, the smallest lose their sums and are only counted. */
    static final int MOST_NAMESPACES = 2 * Parts.MAX;

    /** Share of the bytes for the sums of the others. */
    private static final int REST_SHARE = 4;

    private final PriorityQueue<Part> parts = new PriorityQueue<>(BIGGEST_FIRST.reversed());
    private final Map<String, Map<RemovalCause, Rest>> rest = new HashMap<>();
    private final int maxBytes;
    private final int maxRestBytes;
    private long bytes;
    private long leftOut;

    /**
     * Begins with the biggest parts, and with the number and the sums of the others.
     *
     * @param maxBytes the size that all of them may have as JSON, in bytes
     */
    public BiggestParts(Parts known, int maxBytes) {
        this.maxRestBytes = maxBytes / REST_SHARE;
        this.maxBytes = maxBytes - maxRestBytes;
        addAll(known);
    }

    /** Adds the parts of another sweep, the number of parts that it left out, and their sums. */
    public void addAll(Parts others) {
        others.biggest().forEach(this::add);
        leftOut += others.leftOut();
        others.rest().forEach(this::addRest);
    }

    public void add(Part part) {
        parts.add(part);
        bytes += bytes(part.stream());
        while (parts.size() > Parts.MAX || bytes > maxBytes) {
            Part smallest = parts.remove();
            bytes -= bytes(smallest.stream());
            leftOut++;
            addRest(new Rest(
                    new StreamName(smallest.stream()).namespace(),
                    smallest.cause(),
                    smallest.events(),
                    smallest.bytes()));
        }
    }

    private void addRest(Rest more) {
        rest.computeIfAbsent(more.namespace(), name -> new EnumMap<>(RemovalCause.class))
                .merge(
                        more.cause(),
                        more,
                        (one, other) -> new Rest(
                                one.namespace(),
                                one.cause(),
                                one.events() + other.events(),
                                one.bytes() + other.bytes()));
        if (rest.size() > MOST_NAMESPACES) {
            forgetSmallest();
        }
    }

    /** Forgets half of the namespaces at a time, so that this happens rarely. */
    private void forgetSmallest() {
        Set<String> biggest = rest.entrySet().stream()
                .sorted(Comparator.comparingLong(BiggestParts::events)
                        .reversed()
                        .thenComparing(Map.Entry::getKey))
                .limit(MOST_NAMESPACES / 2)
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
        rest.keySet().retainAll(biggest);
    }

    private static long events(Map.Entry<String, Map<RemovalCause, Rest>> namespace) {
        return namespace.getValue().values().stream().mapToLong(Rest::events).sum();
    }

    private static int bytes(String name) {
        return PART_BYTES + RecordLimits.jsonBytes(name);
    }

    /** Returns all that is known; a copy. */
    public Parts all() {
        return new Parts(list(), leftOut, rest());
    }

    /** Returns the parts, the biggest first; a copy. */
    public List<Part> list() {
        return parts.stream().sorted(BIGGEST_FIRST).toList();
    }

    /** Returns the number of namespaces with sums. */
    int namespaces() {
        return rest.size();
    }

    /** Returns the sums of the parts that are not among the biggest, the biggest first, as many as fit; a copy. */
    public List<Rest> rest() {
        List<Rest> listed = new ArrayList<>();
        long taken = 0;
        List<Rest> all = rest.values().stream()
                .flatMap(causes -> causes.values().stream())
                .sorted(BIGGEST_REST_FIRST)
                .limit(Parts.MAX)
                .toList();
        for (Rest one : all) {
            taken += bytes(one.namespace());
            if (taken > maxRestBytes) {
                break;
            }
            listed.add(one);
        }
        return listed;
    }
}
