package dev.ebb.plan;

import dev.ebb.cli.terminal.Style;
import dev.ebb.cli.terminal.Table;
import dev.ebb.cli.terminal.Table.Cell;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.cli.terminal.Texts;
import dev.ebb.domain.command.Outcome;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.change.BrakeLimits;
import dev.ebb.domain.time.Durations;
import dev.ebb.port.StatusView.NamespaceView;
import dev.ebb.wire.instance.InstancesSumView;
import dev.ebb.wire.instance.InstancesView;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Deletes of a plan by namespace, beside the stored events and the number that the brake would let through. */
final class PlanByNamespace {

    private final Sum all;
    private final InstancesSumView stored;
    private final BrakeLimits brake;
    private final Map<String, Sum> sums = new TreeMap<>();

    /** @param plan the outcome of the dry run */
    PlanByNamespace(Outcome.Swept plan, InstancesView instances) {
        this.all = new Sum(plan.deletions().eventsDeleted(), plan.deletions().bytesDeleted());
        this.stored = instances.sum();
        this.brake = instances.asked().policies().brake().limits();
        for (Outcome.Part part : plan.parts().biggest()) {
            String namespace = new StreamName(part.stream()).namespace();
            sums.merge(namespace, new Sum(part.events(), part.bytes()), Sum::plus);
        }
        for (Outcome.Rest rest : plan.parts().rest()) {
            sums.merge(rest.namespace(), new Sum(rest.events(), rest.bytes()), Sum::plus);
        }
    }

    private record Sum(long events, long bytes) {

        Sum plus(Sum other) {
            return new Sum(events + other.events, bytes + other.bytes);
        }

        Sum minus(Sum other) {
            return new Sum(events - other.events, bytes - other.bytes);
        }
    }

    /** Returns the limits of the brake. */
    BrakeLimits brake() {
        return brake;
    }

    /** Prints the table; prints nothing if nothing would go. */
    void print(Terminal terminal) {
        if (sums.isEmpty()) {
            return;
        }
        terminal.out().println();
        table().print(terminal);
        terminal.out().println(limits());
    }

    private Table table() {
        Table table = new Table()
                .left("NAMESPACE")
                .right("EVENTS")
                .right("BYTES")
                .right("STORED")
                .right("SHARE");
        sums.entrySet().stream()
                .sorted(Comparator.<Map.Entry<String, Sum>>comparingLong(
                                entry -> -entry.getValue().events())
                        .thenComparing(Map.Entry.comparingByKey()))
                .forEach(entry -> row(table, entry.getKey(), entry.getValue(), stored(entry.getKey())));
        Sum others = all.minus(sums.values().stream().reduce(new Sum(0, 0), Sum::plus));
        if (others.events() > 0) {
            table.row("in smaller parts", Texts.count(others.events()), Texts.bytes(others.bytes()), null, null);
        }
        row(table, "all", all, stored.stored().events());
        return table;
    }

    private void row(Table table, String name, Sum sum, long storedThere) {
        boolean isOver = brake.isOn() && sum.events() > brake.allowed(storedThere);
        table.row(
                name,
                Texts.count(sum.events()),
                Texts.bytes(sum.bytes()),
                Texts.count(storedThere),
                new Cell(share(sum.events(), storedThere), isOver ? Style.RED : Style.PLAIN));
    }

    private long stored(String namespace) {
        return stored.namespaces()
                .getOrDefault(namespace, NamespaceView.NOTHING)
                .events();
    }

    private static String share(long events, long of) {
        return of == 0 ? Texts.NONE : String.format(Locale.ROOT, "%.1f %%", 100.0 * events / of);
    }

    /** Returns the time for which the brake looks ahead, in words. */
    static String within(long horizonMs) {
        return horizonMs == 0 ? "at once" : "within " + Durations.format(horizonMs);
    }

    private String limits() {
        return brake.isOn()
                ? "The brake holds back a change that deletes more than " + brake.sharePercent()
                        + " % of the stored events of its scope or of a namespace " + within(brake.horizonMs())
                        + ", and more than " + Texts.counted(brake.minimumEvents(), "event") + "."
                : "The brake is off: no change is held back.";
    }
}
