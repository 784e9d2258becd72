package dev.ebb.cli.demo;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.terminal.Progress;
import dev.ebb.cli.terminal.Style;
import dev.ebb.cli.terminal.Table;
import dev.ebb.cli.terminal.Table.Cell;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.cli.terminal.Texts;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The figures as a screen that fits into a terminal. */
final class LiveScreen {

    private static final int BAR = 24;
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT).withZone(ZoneId.systemDefault());

    private final Terminal terminal;
    private final Instant start;
    private final String console;

    /** @param console the address of the console */
    LiveScreen(Terminal terminal, Instant start, String console) {
        this.terminal = terminal;
        this.start = start;
        this.console = console;
    }

    /** Returns the screen, line by line. */
    List<String> lines(LiveFigures figures, String news, Instant now) {
        JsonNode status = figures.status();
        List<String> lines = new ArrayList<>();
        lines.add(terminal.styled(Style.BOLD, "EBB DEMO") + "  " + state(status) + "  running for "
                + Texts.length(Duration.between(start, now)) + "  " + terminal.styled(Style.DIM, "Ctrl-C ends it"));
        lines.add(terminal.styled(Style.BOLD, console) + "  in a browser: the tide of past and coming deletes");
        lines.add(terminal.styled(Style.CYAN, news));
        lines.add("");
        lines.add(cameIn(status.path("counts")));
        lines.add(mirror(status.path("mirror"), figures));
        section(lines, "STORED, AND IN POSTGRESQL", stored(figures));
        section(lines, "WENT, AND WHY", removed(status.path("counts").path("removed")));
        section(lines, "LATEST", latest(figures.latest()));
        return lines;
    }

    private void section(List<String> lines, String title, Table table) {
        lines.add("");
        lines.add(terminal.styled(Style.CYAN, title));
        lines.addAll(table.lines(terminal));
    }

    private String state(JsonNode status) {
        String state = status.path("state").asText("not there");
        return terminal.styled(state.equals("RUNNING") ? Style.GREEN : Style.YELLOW, state);
    }

    private String cameIn(JsonNode counts) {
        JsonNode ingested = counts.path("ingested");
        return terminal.styled(Style.BOLD, Texts.count(ingested)) + " " + Texts.plural(ingested.asLong(), "event")
                + " came in, "
                + Texts.count(counts.path("updated")) + " updated, "
                + Texts.counted(counts.path("orphaned"), "update") + " came too late, "
                + Texts.count(counts.path("rejected")) + " rejected";
    }

    private Table stored(LiveFigures figures) {
        JsonNode namespaces = figures.status().path("namespaces");
        long most = 1;
        for (JsonNode namespace : namespaces) {
            most = Math.max(most, namespace.path("events").longValue());
        }
        Table table = new Table()
                .left("NAMESPACE")
                .right("EVENTS")
                .left("")
                .right("BYTES")
                .right("PROTECTED")
                .right("OWN TTL")
                .right("SQL ROWS");
        for (Map.Entry<String, JsonNode> entry : namespaces.properties()) {
            JsonNode held = entry.getValue();
            table.row(
                    entry.getKey(),
                    Texts.count(held.path("events")),
                    bar(held.path("events").longValue(), most, Style.BLUE),
                    Texts.bytes(held.path("bytes")),
                    Texts.count(held.path("protectedEvents")),
                    Texts.count(held.path("timedEvents")),
                    Texts.count(figures.sqlRows().getOrDefault(entry.getKey(), 0L)));
        }
        return table;
    }

    private static Table removed(JsonNode removed) {
        long most = 1;
        for (JsonNode cause : removed) {
            most = Math.max(most, cause.path("events").longValue());
        }
        Table table = new Table().left("CAUSE").right("EVENTS").left("").right("BYTES");
        for (Map.Entry<String, JsonNode> entry : removed.properties()) {
            long events = entry.getValue().path("events").longValue();
            table.row(
                    entry.getKey(),
                    Texts.count(events),
                    bar(events, most, Style.MAGENTA),
                    Texts.bytes(entry.getValue().path("bytes")));
        }
        return table;
    }

    private static Table latest(List<LiveFigures.Removal> latest) {
        Table table = new Table()
                .left("TIME")
                .left("CAUSE")
                .left("STREAM")
                .right("EVENTS")
                .left("POLICY");
        for (LiveFigures.Removal removal : latest) {
            table.row(TIME.format(removal.at()), removal.cause(), removal.stream(), removal.events(), removal.scope());
        }
        return table;
    }

    private String mirror(JsonNode mirror, LiveFigures figures) {
        JsonNode lag = mirror.path("lag");
        return "PostgreSQL has " + terminal.styled(Style.BOLD, Texts.count(figures.allSqlRows()))
                + " " + Texts.plural(figures.allSqlRows(), "row") + ", "
                + (lag.isNumber() ? Texts.counted(lag, "change") + " on the way" : "the sink is being set up");
    }

    private static Cell bar(long value, long most, Style style) {
        return new Cell(Progress.bar((double) value / most, BAR), style);
    }
}
