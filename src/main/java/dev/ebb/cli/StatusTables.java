package dev.ebb.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.terminal.Style;
import dev.ebb.cli.terminal.Table;
import dev.ebb.cli.terminal.Table.Cell;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.cli.terminal.Texts;
import dev.ebb.domain.policy.Durations;
import java.time.Instant;

/** The status for people. */
final class StatusTables {

    private final Terminal terminal;
    private final Instant now;

    StatusTables(Terminal terminal, Instant now) {
        this.terminal = terminal;
        this.now = now;
    }

    void print(JsonNode status) {
        summary(status).print(terminal);
        section("PARTITIONS");
        partitions(status.path("partitions")).print(terminal);
        if (!status.path("restoring").isEmpty()) {
            section("RESTORING");
            restoring(status.path("restoring")).print(terminal);
        }
        section("STORED");
        namespaces(status.path("namespaces")).print(terminal);
        section("REMOVED SINCE THE START");
        removed(status.path("counts").path("removed")).print(terminal);
    }

    private Table summary(JsonNode status) {
        JsonNode counts = status.path("counts");
        Table table = new Table().left("").left("");
        table.row(
                label("application"),
                status.path("applicationId").asText() + ", instance "
                        + status.path("instance").asText() + ", version "
                        + status.path("version").asText());
        table.row(label("state"), state(status.path("state").asText()));
        table.row(label("started"), Texts.distance(status.path("startedAt"), now));
        table.row(label("sweeping"), sweeping(status.path("sweepEnabled").asBoolean()));
        table.row(label("policies"), policies(status.path("policies")));
        for (WaitingChange waiting : WaitingChange.of(status.path("policies").path("waiting"))) {
            table.row(label("held back"), heldBack(waiting));
        }
        table.row(label("clock"), clock(status.path("clock")));
        table.row(label("input"), lag(status.path("input").path("lag"), "records wait"));
        table.row(
                label("taken in"),
                Texts.count(counts.path("ingested")) + " events, "
                        + Texts.count(counts.path("updated")) + " updates, "
                        + Texts.count(counts.path("orphaned")) + " orphaned, "
                        + Texts.count(counts.path("rejected")) + " rejected, "
                        + Texts.count(counts.path("rekeyed")) + " re-keyed");
        table.row(label("mirror"), mirror(status.path("mirror")));
        return table;
    }

    private Table partitions(JsonNode partitions) {
        Table table = new Table()
                .right("#")
                .left("STATE")
                .left("LAST SWEEP")
                .left("LAST DELETE")
                .left("NEXT SWEEP")
                .right("STREAMS")
                .right("DUE")
                .right("PARKED")
                .right("STALE");
        for (JsonNode partition : partitions) {
            table.row(
                    partition.path("partition").asText(),
                    partition.path("state").asText(),
                    Texts.distance(partition.path("lastSweepCompleted"), now),
                    Texts.distance(partition.path("lastDeletePoint"), now),
                    Texts.distance(partition.path("nextSweep"), now),
                    Texts.count(partition.path("streams")),
                    Texts.count(partition.path("dueStreams")),
                    Texts.count(partition.path("parkedRecords")),
                    Texts.count(partition.path("staleEvents")));
        }
        return table;
    }

    private static Table restoring(JsonNode stores) {
        Table table = new Table().left("STORE").right("#").right("DONE").right("OF");
        for (JsonNode store : stores) {
            table.row(
                    store.path("store").asText(),
                    store.path("partition").asText(),
                    Texts.count(store.path("done")),
                    Texts.count(store.path("total")));
        }
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
        return Cell.of(policies.path("records").asText() + " in force, version "
                + policies.path("version").asText());
    }

    private static Cell heldBack(WaitingChange change) {
        JsonNode waiting = change.first();
        String actor = waiting.path("actor").asText("");
        return new Cell(
                change.name() + ", version "
                        + waiting.path("version").asText()
                        + (actor.isEmpty() ? "" : ", asked for by " + actor) + ": "
                        + waiting.path("why").asText(),
                Style.YELLOW);
    }

    private static Cell clock(JsonNode clock) {
        String problem = clock.path("problem").textValue();
        if (problem != null) {
            return new Cell("sweeping stopped: " + problem, Style.RED);
        }
        JsonNode ahead = clock.path("aheadMs");
        if (!ahead.isNumber()) {
            return new Cell("not compared with the broker's", Style.DIM);
        }
        String side = ahead.asLong() < 0 ? " behind the broker's" : " ahead of the broker's";
        return Cell.of(ahead.asLong() == 0 ? "as the broker's" : Durations.format(Math.abs(ahead.asLong())) + side);
    }

    private static Cell mirror(JsonNode mirror) {
        if (!mirror.isObject()) {
            return new Cell("none", Style.DIM);
        }
        String detail = mirror.path("detail").textValue();
        String text = mirror.path("state").asText() + ", "
                + lag(mirror.path("lag"), "records behind").text() + (detail == null ? "" : ", " + detail);
        return new Cell(text, mirror.path("state").asText().equals("RUNNING") ? Style.PLAIN : Style.RED);
    }

    private static Cell lag(JsonNode lag, String what) {
        return lag.isNumber() ? Cell.of(Texts.count(lag) + " " + what) : new Cell("not known", Style.DIM);
    }

    private static Cell state(String state) {
        return new Cell(state, state.equals("RUNNING") ? Style.GREEN : Style.YELLOW);
    }

    private static Cell sweeping(boolean isEnabled) {
        return isEnabled ? Cell.of("on") : new Cell("switched off for this instance", Style.RED);
    }

    private static Cell label(String text) {
        return new Cell(text, Style.DIM);
    }

    private void section(String title) {
        terminal.out().println();
        terminal.out().println(terminal.styled(Style.CYAN, title));
    }
}
