package dev.ebb.cli.bench;

import dev.ebb.bench.harness.BenchSettings;
import dev.ebb.bench.harness.BenchSettings.Length;
import dev.ebb.bench.harness.Benchmark;
import dev.ebb.bench.harness.Figure;
import dev.ebb.bench.harness.FigureFiles;
import dev.ebb.bench.harness.Numbers;
import dev.ebb.bench.harness.VoidRunException;
import dev.ebb.bench.runs.Benchmarks;
import dev.ebb.cli.options.CommandEnvironment;
import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.cli.terminal.Style;
import dev.ebb.cli.terminal.Table;
import dev.ebb.cli.terminal.Table.Cell;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.stacks.DevStackException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "bench",
        description = {
            "Measures the speed of Ebb and, in turn, of others that do the same on the same machine, and prints the"
                    + " ratios.",
            "Starts the services that it needs, on ports of their own. A missed target is no failure; a run that"
                    + " ends with a wrong set of events is one (exit code 1)."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  ebb bench              all measurements with a target, in the short form",
            "  ebb bench --list       the measurements, and how long each takes",
            "  ebb bench B-1 --long   ingest alone, for figures to publish"
        })
public final class BenchCommand implements Callable<Integer> {

    @Parameters(paramLabel = "ID", arity = "0..*", description = "Measurements, such as B-1. Default: all.")
    private List<String> ids = new ArrayList<>();

    @ArgGroup
    private @Nullable LengthOption length;

    @Option(
            names = "--json",
            paramLabel = "DIR",
            description = "Folder for a file of each figure. Default: target/bench.")
    private @Nullable Path json;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "Folder for the data of the services during the run. Default: target/bench.")
    private @Nullable Path data;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Seed that the events are made from. Default: ${DEFAULT-VALUE}.")
    private long seed = 1;

    @Option(
            names = "--list",
            description =
                    "Measures nothing: lists the measurements, and about how long each takes in the short form on two"
                            + " idle cores.")
    private boolean isList;

    @Option(
            names = "--events",
            paramLabel = "N",
            description = "Number of events to send. Default: a number that fits the length.")
    private @Nullable Integer events;

    private final CommandEnvironment context;

    BenchCommand(CommandEnvironment context) {
        this.context = context;
    }

    /** Length of the runs, by at most one option. */
    private static final class LengthOption {

        @Option(
                names = "--short",
                description = "At most three pairs of runs; the default. All measurements together take about half an"
                        + " hour; a measurement given by name gets more time, and is also compared with"
                        + " opponents without a target.")
        private boolean isShort;

        @Option(names = "--long", description = "Five pairs of longer runs.")
        private boolean isLong;

        @Option(names = "--once", description = "One pair without a warm-up: shows that it works, not how fast.")
        private boolean isOnce;

        Length length() {
            if (isOnce) {
                return Length.ONCE;
            }
            return isLong && !isShort ? Length.LONG : Length.SHORT;
        }
    }

    /** Writes the files of each benchmark when it is done: a later one may fail, and all of them take long. */
    @Override
    public Integer call() throws IOException, InterruptedException {
        List<Benchmark> chosen = chosen();
        if (isList) {
            list(chosen);
            return ExitCode.OK.code();
        }
        BenchSettings settings = settings();
        FigureFiles files = new FigureFiles(folder(json));
        List<Figure> figures = new ArrayList<>();
        List<String> failures = new ArrayList<>();
        for (Benchmark benchmark : chosen) {
            try {
                List<Figure> measured = measure(benchmark, settings);
                files.write(measured, settings, Instant.now());
                figures.addAll(measured);
            } catch (VoidRunException e) {
                failures.add(benchmark.id() + " is void: " + e.getMessage());
                say(benchmark, "void: " + e.getMessage());
            }
        }
        print(figures);
        if (!failures.isEmpty()) {
            throw new CommandFailure(ExitCode.FAILED, String.join("\n", failures));
        }
        return ExitCode.OK.code();
    }

    private void list(List<Benchmark> chosen) {
        Table table = new Table().left("ID").right("SHORT FORM").left("COMPARED");
        Duration all = Duration.ZERO;
        for (Benchmark benchmark : chosen) {
            table.row(benchmark.id(), benchmark.shortSeconds() + " s", benchmark.title());
            all = all.plusSeconds(benchmark.shortSeconds());
        }
        table.print(context.terminal());
        context.terminal()
                .out()
                .println("all of them: about " + all.plusSeconds(30).toMinutes() + " min");
        String others = Benchmarks.all().stream()
                .filter(benchmark -> !chosen.contains(benchmark))
                .map(Benchmark::id)
                .collect(Collectors.joining(", "));
        if (!others.isEmpty()) {
            context.terminal().out().println("others, by their names: " + others);
        }
    }

    private List<Figure> measure(Benchmark benchmark, BenchSettings settings) throws InterruptedException {
        say(benchmark, benchmark.title());
        long begin = System.nanoTime();
        try {
            List<Figure> figures = benchmark.measurement().run(settings, line -> say(benchmark, line));
            say(benchmark, "took " + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin) + " s");
            return figures;
        } catch (DevStackException e) {
            throw new CommandFailure(ExitCode.FAILED, String.valueOf(e.getMessage()), e);
        }
    }

    private List<Benchmark> chosen() {
        return ids.isEmpty()
                ? Benchmarks.rules(length == null ? Length.SHORT : length.length())
                : ids.stream().map(BenchCommand::find).distinct().toList();
    }

    private static Benchmark find(String id) {
        return Benchmarks.find(id).orElseThrow(() -> {
            String all = Benchmarks.all().stream().map(Benchmark::id).collect(Collectors.joining(", "));
            return new CommandFailure(ExitCode.USAGE, "there is no measurement '" + id + "'; there are " + all);
        });
    }

    private BenchSettings settings() {
        try {
            return new BenchSettings(
                    folder(data),
                    length == null ? Length.SHORT : length.length(),
                    ids.isEmpty(),
                    seed,
                    events == null ? OptionalInt.empty() : OptionalInt.of(events));
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(ExitCode.USAGE, "--" + e.getMessage(), e);
        }
    }

    private Path folder(@Nullable Path named) {
        return named == null
                ? context.home().resolve("target/bench")
                : named.toAbsolutePath().normalize();
    }

    private void say(Benchmark benchmark, String line) {
        Terminal terminal = context.terminal();
        terminal.err().println(terminal.styled(Style.DIM, benchmark.id()) + " " + line);
        terminal.err().flush();
    }

    private void print(List<Figure> figures) {
        Table table = new Table()
                .left("ID")
                .left("NAME")
                .right("VALUE")
                .left("UNIT")
                .left("AGAINST")
                .right("ITS VALUE")
                .right("RATIO")
                .left("TARGET")
                .left("REACHED");
        for (Figure figure : figures) {
            table.row(
                    figure.id(),
                    figure.name(),
                    Numbers.text(figure.value()),
                    figure.unit(),
                    figure.against(),
                    Numbers.text(figure.againstValue().orElse(Double.NaN)),
                    Numbers.text(figure.ratio().orElse(Double.NaN)),
                    figure.target(),
                    reached(figure));
        }
        table.print(context.terminal());
    }

    private static Cell reached(Figure figure) {
        return switch (figure.grade()) {
            case AIM -> new Cell("aim", Style.GREEN);
            case GATE -> new Cell("yes", Style.GREEN);
            case MISSED -> new Cell("no", Style.YELLOW);
            case REPORTED -> new Cell("–", Style.DIM);
            case SKIPPED -> new Cell(figure.note(), Style.DIM);
        };
    }
}
