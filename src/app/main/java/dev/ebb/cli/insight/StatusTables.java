package dev.ebb.cli.insight;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.tables.StaleStreams;
import dev.ebb.cli.tables.StatusSums;
import dev.ebb.cli.tables.WaitingChange;
import dev.ebb.cli.terminal.CellText;
import dev.ebb.cli.terminal.Style;
import dev.ebb.cli.terminal.Table;
import dev.ebb.cli.terminal.Table.Cell;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.cli.terminal.Texts;
import dev.ebb.port.WaitingPolicyView;
import java.time.Instant;
import java.util.List;

/** The status for people. */
final class StatusTables {

    private final Terminal terminal;
    private final Instant now;

    StatusTables(Terminal terminal, Instant now) {
        this.terminal = terminal;
        this.now = now;
    }

    /** @param all the answer for all instances */
    void print(JsonNode all) {
        JsonNode instances = all.path("instances");
        summary(asked(all), instances).print(terminal);
        InstanceTables tables = new InstanceTables(all, now);
        section("INSTANCES");
        tables.instances().print(terminal);
        all.path("unanswered").forEach(one -> terminal.out()
                .println(terminal.styled(
                        Style.RED,
                        CellText.safe(one.path("instance").asText() + " gave no answer: "
                                + one.path("reason").asText()))));
        if (tables.isAskedAway()) {
            terminal.out()
                    .println(
                            terminal.styled(
                                    Style.YELLOW,
                                    "This instance is drained and does not hear of others; ask another one, or start it anew."));
        }
        section("PARTITIONS");
        tables.partitions().print(terminal);
        StaleStreams stale = StaleStreams.of(instances);
        if (stale.events() > 0) {
            section("STALE WORK");
            stale.table().print(terminal);
            terminal.out()
                    .println(
                            "Protected for longer than stale.threshold: retention never removes it. 'ebb stream describe"
                                    + " STREAM' says what is open.");
        }
        if (tables.isAnyQuarantined()) {
            section("QUARANTINED");
            tables.quarantined().print(terminal);
        }
        if (tables.isAnyWaiting()) {
            section("WAITING");
            tables.waiting().print(terminal);
            terminal.out().println("'ebb parked list' names the streams; 'ebb parked retry' and 'drop' end the wait.");
        }
        if (tables.isAnyRestoring()) {
            section("RESTORING");
            tables.restoring().print(terminal);
        }
        String exactness = exactness(all, tables);
        section("STORED" + exactness);
        namespaces(StatusSums.of(instances, "namespaces")).print(terminal);
        section("REMOVED SINCE THE START" + exactness);
        removed(StatusSums.of(instances, "counts").path("removed")).print(terminal);
    }

    private static String exactness(JsonNode all, InstanceTables tables) {
        if (tables.isAskedAway()) {
            return ", of this instance alone";
        }
        return all.path("unanswered").isEmpty() ? "" : ", not exact: an instance gave no answer";
    }

    /** The instance that was asked, for facts that all instances know alike. */
    private static JsonNode asked(JsonNode all) {
        for (JsonNode instance : all.path("instances")) {
            if (instance.path("instance").equals(all.path("askedInstance"))) {
                return instance;
            }
        }
        return all.path("instances").path(0);
    }

    private Table summary(JsonNode status, JsonNode instances) {
        JsonNode counts = StatusSums.of(instances, "counts");
        Table table = new Table().left("").left("");
        table.row(label("application"), status.path("applicationId").asText());
        table.row(label("policies"), policies(status.path("policies")));
        for (WaitingChange waiting : waiting(status.path("policies"))) {
            table.row(label("held back"), heldBack(waiting));
        }
        table.row(label("input"), lag(status.path("input").path("lag"), "record waits", "records wait"));
        table.row(
                label("taken in"),
                Texts.counted(counts.path("ingested"), "event") + ", "
                        + Texts.counted(counts.path("updated"), "update") + ", "
                        + Texts.count(counts.path("orphaned")) + " orphaned, "
                        + Texts.count(counts.path("late")) + " late, "
                        + Texts.count(counts.path("rejected")) + " rejected, "
                        + Texts.count(counts.path("rekeyed")) + " re-keyed");
        table.row(label("mirror"), mirror(status.path("mirror")));
        return table;
    }

    private static Table namespaces(JsonNode namespaces) {
        Table table = new Table()
                .left("NAMESPACE")
                .right("STREAMS")
                .right("EVENTS")
                .right("BYTES")
                .right("PROTECTED")
                .right("OWN TTL")
                .right("FOR EVER");
        namespaces.properties().forEach(entry -> {
            JsonNode totals = entry.getValue();
            table.row(
                    entry.getKey(),
                    Texts.count(totals.path("streams")),
                    Texts.count(totals.path("events")),
                    Texts.bytes(totals.path("bytes")),
                    Texts.count(totals.path("protectedEvents")),
                    Texts.count(totals.path("timedEvents")),
                    Texts.count(totals.path("infiniteEvents")));
        });
        return table;
    }

    private static Table removed(JsonNode removed) {
        Table table = new Table().left("CAUSE").right("EVENTS").right("BYTES");
        removed.properties()
                .forEach(entry -> table.row(
                        entry.getKey(),
                        Texts.count(entry.getValue().path("events")),
                        Texts.bytes(entry.getValue().path("bytes"))));
        return table;
    }

    private static Cell policies(JsonNode policies) {
        String unreadable = policies.path("unreadable").textValue();
        if (unreadable != null) {
            return new Cell("sweeping stopped: " + unreadable, Style.RED);
        }
        String count = policies.path("records").asText() + " in force";
        JsonNode version = policies.path("version");
        return Cell.of(version.asLong() < 0 ? count : count + ", version " + version.asText());
    }

    private static List<WaitingChange> waiting(JsonNode policies) {
        return policies.isObject()
                ? WaitingChange.of(
                        Json.as(policies, WaitingPolicyView.All.class).waiting())
                : List.of();
    }

    private static Cell heldBack(WaitingChange change) {
        WaitingPolicyView waiting = change.first();
        String actor = waiting.actor();
        return new Cell(
                change.name() + ", version "
                        + waiting.version()
                        + (actor.isEmpty() ? "" : ", asked for by " + actor) + ": "
                        + waiting.why(),
                Style.YELLOW);
    }

    private static Cell mirror(JsonNode mirror) {
        if (!mirror.isObject()) {
            return new Cell("none", Style.DIM);
        }
        String detail = mirror.path("detail").textValue();
        String text = mirror.path("state").asText() + ", "
                + lag(mirror.path("lag"), "record behind", "records behind").text()
                + (detail == null ? "" : ", " + detail);
        return new Cell(text, mirror.path("state").asText().equals("RUNNING") ? Style.PLAIN : Style.RED);
    }

    private static Cell lag(JsonNode lag, String one, String many) {
        return lag.isNumber()
                ? Cell.of(Texts.count(lag) + " " + (lag.asLong() == 1 ? one : many))
                : new Cell("not known", Style.DIM);
    }

    private static Cell label(String text) {
        return new Cell(text, Style.DIM);
    }

    private void section(String title) {
        terminal.out().println();
        terminal.out().println(terminal.styled(Style.CYAN, title));
    }
}
