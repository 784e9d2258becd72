package dev.ebb.cli.insight;

import dev.ebb.cli.tables.WaitingChange;
import dev.ebb.cli.terminal.CellText;
import dev.ebb.cli.terminal.Columns;
import dev.ebb.cli.terminal.Style;
import dev.ebb.cli.terminal.Table;
import dev.ebb.cli.terminal.Table.Cell;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.cli.terminal.Texts;
import dev.ebb.port.StatusView;
import dev.ebb.port.StatusView.CountsView;
import dev.ebb.port.StatusView.MirrorView;
import dev.ebb.port.StatusView.NamespaceView;
import dev.ebb.port.StatusView.PoliciesView;
import dev.ebb.port.StatusView.RemovedView;
import dev.ebb.port.StatusView.TrashView;
import dev.ebb.port.WaitingPolicyView;
import dev.ebb.wire.instance.ConcernView;
import dev.ebb.wire.instance.InstancesSumView;
import dev.ebb.wire.instance.InstancesSumView.StaleStream;
import dev.ebb.wire.instance.InstancesView;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The status, for people. */
final class StatusTables {

    private final Terminal terminal;
    private final InstancesView all;
    private final InstancesSumView sum;
    private final InstanceTables instances;

    StatusTables(Terminal terminal, InstancesView all, Instant now) {
        this.terminal = terminal;
        this.all = all;
        this.sum = all.sum();
        this.instances = new InstanceTables(all, now);
    }

    /** Prints what is wrong or waits, and the most important figures. */
    void answer() {
        concerns();
        summary().print(terminal);
    }

    /** Prints the tables that a person needs to look further. */
    void details() {
        terminal.out().println();
        technical().print(terminal);
        section("INSTANCES", instances.instances());
        all.unanswered().forEach(one -> warn(Style.RED, one.instance() + " did not answer: " + one.reason()));
        if (instances.isAskedAway()) {
            warn(
                    Style.YELLOW,
                    "This instance is drained and knows of no others; ask another instance, or restart this one.");
        }
        section("PARTITIONS", instances.partitions());
        troubles();
        String exactness = exactness();
        section("STORED" + exactness, namespaces(sum.namespaces()));
        section("REMOVED SINCE THE START" + exactness, removed(sum.counts().removed()));
    }

    /** Prints what is wrong or waits: the answer that most people want. */
    private void concerns() {
        boolean isWrong = false;
        for (ConcernView concern : all.concerns()) {
            if (concern.what() == ConcernView.Kind.RESTORE) {
                // Every start restores: that is progress, and nobody has to act on it.
                warn(Style.PLAIN, concern.text());
                continue;
            }
            isWrong = true;
            String since = concern.since() == null ? "" : ", since " + Texts.second(concern.since());
            String role =
                    concern.role() == null ? " (for those who run the instances" : " (for the role " + concern.role();
            warn(Style.YELLOW, "! " + concern.text() + role + since + ")");
        }
        if (!isWrong) {
            terminal.out().println("Nothing is wrong, and nothing waits for a person.");
        }
        terminal.out().println();
    }

    private void troubles() {
        if (sum.staleEvents() > 0) {
            section("STALE WORK", stale());
            terminal.out()
                    .println("Protected for longer than stale.threshold: retention never deletes such events. 'ebb"
                            + " stream describe STREAM' shows the open work.");
        }
        if (sum.quarantinedStreams() > 0) {
            section("QUARANTINED", instances.quarantined());
        }
        if (sum.parkedRecords() > 0) {
            section("WAITING", instances.waiting());
            terminal.out().println("'ebb parked list' names the streams; 'ebb parked retry' and 'drop' end the wait.");
        }
        if (instances.isAnyRestoring()) {
            section("RESTORING", instances.restoring());
        }
    }

    private String exactness() {
        if (instances.isAskedAway()) {
            return ", of this instance only";
        }
        return all.unanswered().isEmpty() ? "" : ", not exact: an instance did not answer";
    }

    private Table summary() {
        StatusView asked = all.asked();
        CountsView counts = sum.counts();
        Table table = Table.ofFacts();
        table.fact("application", asked.applicationId() + ", " + instancesAndPartitions());
        table.fact("stored", stored(sum.stored()) + exactness());
        table.fact("removed", removed());
        table.fact("input", input(asked, counts));
        table.fact("policies", policies(asked.policies()));
        table.fact("trash", trash(sum.trash()));
        table.fact("mirror", mirror(asked.mirror()));
        return table;
    }

    /** Returns the facts that few people need. */
    private Table technical() {
        StatusView asked = all.asked();
        CountsView counts = sum.counts();
        Table table = Table.ofFacts();
        WaitingChange.of(asked.policies().waiting()).forEach(change -> table.fact("held back", heldBack(change)));
        for (StatusView instance : all.instances()) {
            List<String> settings = instance.policies().settingsNotInForce();
            if (!settings.isEmpty()) {
                table.fact(
                        "settings",
                        new Cell(
                                "not in force on " + instance.instance() + ": " + String.join("; ", settings),
                                Style.YELLOW));
            }
        }
        table.fact(
                "taken in",
                Texts.counted(counts.ingested(), "event") + ", "
                        + Texts.counted(counts.updated(), "update") + ", "
                        + Texts.count(counts.orphaned()) + " orphaned, "
                        + Texts.count(counts.late()) + " late, "
                        + Texts.count(counts.rejected()) + " rejected, "
                        + Texts.count(counts.rekeyed()) + " re-keyed");
        if (sum.commands().bulk() + sum.commands().single() > 0) {
            table.fact(
                    "commands",
                    "unfinished: " + Texts.count(sum.commands().bulk()) + " over many streams, "
                            + Texts.count(sum.commands().single()) + " on a single one");
        }
        return table;
    }

    private String instancesAndPartitions() {
        Map<String, Long> states = new TreeMap<>();
        all.instances().forEach(one -> states.merge(one.state(), 1L, Long::sum));
        if (!all.unanswered().isEmpty()) {
            states.put("without an answer", (long) all.unanswered().size());
        }
        String text = states.entrySet().stream()
                .map(state -> Texts.count(state.getValue()) + " " + state.getKey())
                .collect(Collectors.joining(", "));
        return "instances: " + text + "; " + Texts.counted(all.partitions(), "partition");
    }

    private static String stored(NamespaceView held) {
        return Texts.counted(held.events(), "event") + " in " + Texts.counted(held.streams(), "stream") + ", "
                + Texts.bytes(held.bytes()) + "; " + Texts.count(held.protectedEvents()) + " protected";
    }

    private String removed() {
        long events = sum.counts().removed().values().stream()
                .mapToLong(RemovedView::events)
                .sum();
        return Texts.counted(events, "event") + " since the start"
                + (all.instances().size() == 1 ? "" : " of each");
    }

    private static Cell input(StatusView asked, CountsView counts) {
        String rejected = counts.rejected() == 0
                ? ""
                : "; " + Texts.counted(counts.rejected(), "record") + " rejected since the start: 'ebb rejected list'";
        Cell lag = lag(asked.input().lag(), "record waits", "records wait");
        return new Cell(lag.text() + rejected, lag.style());
    }

    private Table stale() {
        Table table = new Columns<StaleStream>()
                .left("STREAM", StaleStream::stream)
                .count("EVENTS", StaleStream::events)
                .table(sum.staleStreams());
        long others = sum.staleEvents()
                - sum.staleStreams().stream().mapToLong(StaleStream::events).sum();
        if (others > 0) {
            table.row("other streams", Texts.count(others));
        }
        return table;
    }

    private static Table namespaces(Map<String, NamespaceView> namespaces) {
        return new Columns<Map.Entry<String, NamespaceView>>()
                .left("NAMESPACE", Map.Entry::getKey)
                .count("STREAMS", held -> held.getValue().streams())
                .count("EVENTS", held -> held.getValue().events())
                .bytes("BYTES", held -> held.getValue().bytes())
                .count("PROTECTED", held -> held.getValue().protectedEvents())
                .count("OWN TTL", held -> held.getValue().timedEvents())
                .count("FOR EVER", held -> held.getValue().infiniteEvents())
                .table(namespaces.entrySet());
    }

    private static Table removed(Map<String, RemovedView> removed) {
        return new Columns<Map.Entry<String, RemovedView>>()
                .left("CAUSE", Map.Entry::getKey)
                .count("EVENTS", cause -> cause.getValue().events())
                .bytes("BYTES", cause -> cause.getValue().bytes())
                .table(removed.entrySet());
    }

    private static Cell policies(PoliciesView policies) {
        if (policies.unreadable() != null) {
            return new Cell("sweeping stopped: " + policies.unreadable(), Style.RED);
        }
        String count = policies.records() + " in force";
        return Cell.of(policies.version() < 0 ? count : count + ", version " + policies.version());
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

    /**
     * Returns the state of the trash. Times are absolute: a person who waits for the last one wants to compare it with
     * a clock.
     */
    private static Cell trash(TrashView trash) {
        if ((trash.events() == 0 && trash.missing() == 0) || trash.firstUntil() == null || trash.until() == null) {
            return new Cell("empty", Style.DIM);
        }
        String end = trash.firstUntil().equals(trash.until())
                ? ", until " + Texts.second(trash.until())
                : ", until " + Texts.second(trash.firstUntil()) + " to " + Texts.second(trash.until());
        String text = Texts.counted(trash.events(), "event") + ", " + Texts.bytes(trash.bytes())
                + (trash.missing() == 0 ? " can be brought back" : " promised") + end;
        return trash.missing() == 0
                ? Cell.of(text)
                : new Cell(text + "; " + Texts.counted(trash.missing(), "record") + " missing", Style.RED);
    }

    private static Cell mirror(@Nullable MirrorView mirror) {
        if (mirror == null) {
            return new Cell("none", Style.DIM);
        }
        String text = mirror.state() + ", "
                + lag(mirror.lag(), "record behind", "records behind").text()
                + (mirror.refused() == 0 ? "" : ", " + refused(mirror))
                + (mirror.detail() == null ? "" : ", " + mirror.detail());
        boolean isGood =
                (mirror.state().equals("RUNNING") || mirror.state().equals("STARTING")) && mirror.refused() == 0;
        return new Cell(text, isGood ? Style.PLAIN : Style.RED);
    }

    /** Returns the number of rows that SQL refuses, with a reason: they are missing there while all else goes on. */
    private static String refused(MirrorView mirror) {
        return Texts.counted(mirror.refused(), "row")
                + " refused by the database (" + mirror.refusal() + "): 'ebb verify' names "
                + (mirror.refused() == 1 ? "it" : "them");
    }

    private static Cell lag(@Nullable Long lag, String one, String many) {
        return lag == null
                ? new Cell("not known", Style.DIM)
                : Cell.of(Texts.count(lag) + " " + (lag == 1 ? one : many));
    }

    private void warn(Style style, String text) {
        terminal.out().println(terminal.styled(style, CellText.safe(text)));
    }

    private void section(String title, Table table) {
        terminal.out().println();
        terminal.out().println(terminal.styled(Style.CYAN, title));
        table.print(terminal);
    }
}
