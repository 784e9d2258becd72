package dev.ebb.cli.policy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.tables.StatusSums;
import dev.ebb.cli.terminal.Style;
import dev.ebb.cli.terminal.Table;
import dev.ebb.cli.terminal.Table.Cell;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.cli.terminal.Texts;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.change.BrakeLimits;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Deletions of a plan by namespace, beside the stored events and those that the brake would let through. */
final class PlanByNamespace {

    private final JsonNode plan;
    private final JsonNode stored;
    private final JsonNode brake;
    private final Map<String, Sum> sums = new TreeMap<>();

    /**
     * @param plan the result of the dry run
     * @param all the status of all instances
     */
    PlanByNamespace(JsonNode plan, JsonNode all) {
        this.plan = plan;
        this.stored = StatusSums.of(all.path("instances"), "namespaces");
        this.brake = all.path("instances").path(0).path("policies").path("brake");
        for (JsonNode part : plan.path("parts")) {
            String stream = part.path("stream").asText();
            int slash = stream.indexOf('/');
            Sum sum = new Sum(part.path("events").asLong(), part.path("bytes").asLong());
            sums.merge(slash < 0 ? StreamName.DEFAULT_NAMESPACE : stream.substring(0, slash), sum, Sum::plus);
        }
    }

    private record Sum(long events, long bytes) {

        Sum plus(Sum other) {
            return new Sum(events + other.events, bytes + other.bytes);
        }
    }

    /** Prints nothing if nothing would go. */
    void print(Terminal terminal) {
        if (sums.isEmpty()) {
            return;
        }
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
        Sum listed = sums.values().stream().reduce(new Sum(0, 0), Sum::plus);
        Sum all = new Sum(
                plan.path("eventsDeleted").asLong(), plan.path("bytesDeleted").asLong());
        if (all.events() > listed.events()) {
            table.row(
                    "in smaller parts",
                    Texts.count(all.events() - listed.events()),
                    Texts.bytes(all.bytes() - listed.bytes()),
                    Texts.NONE,
                    Texts.NONE);
        }
        long storedAtAll = 0;
        for (JsonNode namespace : stored) {
            storedAtAll += namespace.path("events").asLong();
        }
        row(table, "all", all, storedAtAll);
        terminal.out().println();
        table.print(terminal);
        terminal.out().println(limits());
    }

    private void row(Table table, String name, Sum sum, long storedThere) {
        boolean isOver = brake.isObject()
                && sum.events() > brakeLimits().allowed(storedThere)
                && brakeLimits().isOn();
        table.row(
                name,
                Texts.count(sum.events()),
                Texts.bytes(sum.bytes()),
                Texts.count(storedThere),
                new Cell(share(sum.events(), storedThere), isOver ? Style.RED : Style.PLAIN));
    }

    private long stored(String namespace) {
        return stored.path(namespace).path("events").asLong();
    }

    private static String share(long events, long of) {
        return of == 0 ? Texts.NONE : String.format(Locale.ROOT, "%.1f %%", 100.0 * events / of);
    }

    private BrakeLimits brakeLimits() {
        return new BrakeLimits(
                brake.path("sharePercent").asInt(), brake.path("minimumEvents").asLong());
    }

    private String limits() {
        if (!brake.isObject()) {
            return "The limits of the brake are not known here.";
        }
        return brakeLimits().isOn()
                ? "The brake holds back a change that makes more than "
                        + brake.path("sharePercent").asText() + " % of the stored events of its scope due at once, and"
                        + " more than " + Texts.counted(brake.path("minimumEvents"), "event") + "."
                : "The brake is off: no change is held back.";
    }
}
