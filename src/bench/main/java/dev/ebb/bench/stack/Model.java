package dev.ebb.bench.stack;

import dev.ebb.bench.harness.Contents;
import dev.ebb.bench.load.Workload;
import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.TerminalStatuses;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Computes the expected contents. Remembers only repeated events, so that it fits into memory beside the application.
 */
public final class Model {

    private Model() {}

    /** Returns the contents when all events have been taken in: the last event of each id. */
    public static Contents all(Workload workload) {
        return survivors(workload, event -> true);
    }

    /** Returns the number of events that go if all go that can. */
    public static long due(Workload workload) {
        return all(workload).events() - guarded(workload).events();
    }

    /** Returns the contents when everything has gone that can: all other events are protected or have an own TTL. */
    public static Contents guarded(Workload workload) {
        return survivors(workload, Model::isGuarded);
    }

    /** Returns the last event of each id, as far as the predicate keeps it. */
    public static Contents survivors(Workload workload, Predicate<Event> isKept) {
        Sum sum = new Sum();
        forEachLast(workload, event -> {
            if (isKept.test(event)) {
                sum.contents = sum.contents.plus(Contents.of(event));
            }
        });
        return sum.contents;
    }

    /**
     * Returns the newest events of each stream, up to this count, for workloads whose events can all go and arrive in
     * order.
     */
    public static Contents newest(Workload workload, int count) {
        Map<String, Deque<Event>> streams = new HashMap<>();
        forEachLast(workload, event -> {
            Deque<Event> newest = streams.computeIfAbsent(event.stream().value(), name -> new ArrayDeque<>());
            newest.add(event);
            if (newest.size() > count) {
                newest.remove();
            }
        });
        return streams.values().stream()
                .flatMap(Deque::stream)
                .map(Contents::of)
                .reduce(Contents.NONE, Contents::plus);
    }

    /** Passes the last event of each id to the consumer; those with repeated ids come at the end. */
    public static void forEachLast(Workload workload, Consumer<Event> consumer) {
        Set<String> repeated = repeated(workload);
        Map<String, Event> last = new LinkedHashMap<>();
        workload.generator().forEachRemaining(next -> {
            Event event = next.event();
            String identity = identity(event);
            if (repeated.contains(identity)) {
                last.put(identity, event);
            } else {
                consumer.accept(event);
            }
        });
        last.values().forEach(consumer);
    }

    private static final class Sum {
        private Contents contents = Contents.NONE;
    }

    private static boolean isGuarded(Event event) {
        return !TerminalStatuses.DEFAULT.isTerminal(event.status())
                || event.ttl().isFinite();
    }

    private static Set<String> repeated(Workload workload) {
        Set<String> repeated = new HashSet<>();
        workload.generator().forEachRemaining(next -> {
            if (next.isRepeat()) {
                repeated.add(identity(next.event()));
            }
        });
        return repeated;
    }

    private static String identity(Event event) {
        return event.stream() + "\n" + event.id();
    }
}
