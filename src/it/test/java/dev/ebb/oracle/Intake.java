package dev.ebb.oracle;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ebb.oracle.World.Input;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The records of the topic of events that wait to be seen in the mirror, by stream and by the way that they came: order
 * holds among those of one way (O-21).
 */
final class Intake {

    static final String EVENT = "Event";
    static final String UPDATE = "EventUpdate";
    static final String EXECUTION = "ExecutionUpdate";

    private final Map<String, Map<Integer, Deque<Input>>> waiting = new HashMap<>();
    private final int partitions;

    Intake(int partitions) {
        this.partitions = partitions;
    }

    void add(Input input) {
        String stream = stream(input);
        boolean isDirect = input.partition() == Names.partition(stream, partitions)
                && Content.of(stream.getBytes(UTF_8)).equals(input.key());
        waiting.computeIfAbsent(stream, any -> new LinkedHashMap<>())
                .computeIfAbsent(isDirect ? -1 : input.partition(), any -> new ArrayDeque<>())
                .add(input);
    }

    static String kind(Input input) {
        return input.value().getSchema().getName();
    }

    static String stream(Input input) {
        return Fields.text(input.value(), "stream");
    }

    static String id(Input input) {
        return Fields.text(input.value(), "id");
    }

    Collection<Deque<Input>> waiting(String stream) {
        return waiting.getOrDefault(stream, Map.of()).values();
    }

    Stream<Input> all() {
        return waiting.values().stream().flatMap(ways -> ways.values().stream()).flatMap(Deque::stream);
    }

    /** Finds, on any way, the first record that may have made a change; its reader has to drop the ones before it. */
    Deque<Input> wayTo(Input wanted, String stream) {
        return waiting(stream).stream()
                .filter(way -> way.contains(wanted))
                .findFirst()
                .orElseThrow();
    }

    /**
     * The first record of a way that fits; null if an event stands before it that cannot be passed over.
     *
     * @param mayPass says if an event has left its trace elsewhere
     */
    static Input first(Deque<Input> way, Predicate<Input> fits, Predicate<Input> mayPass) {
        for (Iterator<Input> each = way.iterator(); each.hasNext(); ) {
            Input input = each.next();
            if (fits.test(input)) {
                return input;
            }
            if (kind(input).equals(EVENT) && !mayPass.test(input)) {
                return null;
            }
        }
        return null;
    }
}
