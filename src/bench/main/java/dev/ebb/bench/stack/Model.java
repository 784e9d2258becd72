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

/** Says what must be stored in the end. It remembers repeated events alone, so that it fits beside what it judges. */
public final class Model {

    private Model() {}

    /** When all events have been taken in: of each id the last. */
    public static Contents all(Workload workload) {
        return survivors(workload, event -> true);
    }

    /** All records, repeated ids as often as they were sent. */
    public static Contents sent(Workload workload) {
        Sum sum = new Sum();
        workload.generator().forEachRemaining(next -> sum.contents = sum.contents.plus(Contents.of(next.event())));
        return sum.contents;
    }

    /** Number of events that go when all go that can. */
    public static long due(Workload workload) {
        return all(workload).events() - guarded(workload).events();
    }

    /** When everything has gone that no guard of its own keeps: what is left is protected or has a TTL of its own. */
    public static Contents guarded(Workload workload) {
        return survivors(workload, Model::isGuarded);
    }

    /** The last event of each id, if it is one of these. */
    public static Contents survivors(Workload workload, Predicate<Event> isKept) {
        Sum sum = new Sum();
        forEachLast(workload, event -> {
            if (isKept.test(event)) {
                sum.contents = sum.contents.plus(Contents.of(event));
            }
        });
        return sum.contents;
    }

    /** The newest events of each stream, so many, for workloads whose events can all go and come in their order. */
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

    /** Gives the last event of each id; those whose ids are repeated come at the end. */
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
