package dev.ebb.cli.demo;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.cli.terminal.Style;
import dev.ebb.cli.terminal.Table;
import dev.ebb.cli.terminal.Table.Cell;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.cli.terminal.Texts;
import dev.ebb.devstack.process.StackObserver;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.serde.lines.EventLines;
import dev.ebb.serde.lines.Line;
import dev.ebb.serde.text.PolicyFile;
import dev.ebb.stacks.RunningStacks;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The parts of the demonstration.
 *
 * @param folder the folder for the data of its stack; empty at the start
 * @param observer takes events of the processes
 * @param running the list in which its stack leaves a note
 * @param hasRegistry false to run without a registry: all records are then JSON
 * @param policies the policies to apply
 * @param events the events to send; closed by the caller
 */
public record Demo(
        Path folder,
        StackObserver observer,
        RunningStacks running,
        boolean hasRegistry,
        List<RetentionPolicy> policies,
        EventLines events) {

    private static final int LIVE_PARTITIONS = 4;

    /**
     * Number of partitions of {@code ebb demo --once}. Each partition has a sweep point of its own; with one partition,
     * the sweep point of the report is that of every event.
     */
    private static final int ONCE_PARTITIONS = 1;

    public Demo {
        policies = List.copyOf(policies);
    }

    /** Returns the policies of a file; if one of them is wrong, the command ends with all faults. */
    public static List<RetentionPolicy> policies(String name, String text) {
        PolicyFile file = PolicyFile.read(text);
        if (file.isFaulty()) {
            String faults = file.problems().stream()
                    .filter(problem -> problem.problem().isFault())
                    .map(problem -> "\n  " + problem)
                    .collect(Collectors.joining());
            throw new CommandFailure(ExitCode.USAGE, name + " is refused, nothing was started:" + faults);
        }
        return file.policies();
    }

    /**
     * Shows the demonstration until the process is asked to end.
     *
     * @param settings settings of the application
     */
    public void live(Terminal terminal, Map<String, String> settings) throws InterruptedException {
        try (DemoStack stack = start(LIVE_PARTITIONS)) {
            new LiveDemo(stack, terminal).run(policies, events, settings);
        }
    }

    /**
     * Runs the demonstration to its end.
     *
     * @param out the folder for the result; null for none
     * @param settings settings of the application
     * @return true if stores and SQL agree
     */
    public boolean once(
            Terminal terminal, Consumer<Line.Unreadable> unreadable, @Nullable Path out, Map<String, String> settings) {
        DemoReport report;
        try (DemoStack stack = start(ONCE_PARTITIONS)) {
            report = new OnceDemo(stack, terminal).run(policies, events, unreadable, settings);
        }
        if (out != null) {
            report.write(out);
        }
        summary(terminal, report);
        return report.comparison().agrees();
    }

    private DemoStack start(int partitions) {
        return DemoStack.start(folder, observer, running, hasRegistry, partitions);
    }

    private static void summary(Terminal terminal, DemoReport report) {
        ObjectNode json = report.json();
        Table table = new Table().left("").right("");
        for (String count : List.of("unreadable", "ingested", "updated", "orphaned", "rejected")) {
            table.row(new Cell(count, Style.DIM), Texts.count(json.path(count)));
        }
        json.path("removed")
                .properties()
                .forEach(cause ->
                        table.row(new Cell("removed by " + cause.getKey(), Style.DIM), Texts.count(cause.getValue())));
        table.row(new Cell("stored", Style.DIM), Texts.count(json.path("stored")));
        table.row(new Cell("rows in SQL", Style.DIM), Texts.count(json.path("sql")));
        table.print(terminal);
        boolean agrees = report.comparison().agrees();
        terminal.out()
                .println(terminal.styled(
                        agrees ? Style.GREEN : Style.RED,
                        agrees ? "Stores and SQL agree." : "Stores and SQL do not agree."));
        terminal.out().flush();
    }
}
