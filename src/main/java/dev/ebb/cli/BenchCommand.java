package dev.ebb.cli;

import dev.ebb.bench.BenchSettings;
import dev.ebb.bench.BenchSettings.Length;
import dev.ebb.bench.Benchmark;
import dev.ebb.bench.Benchmarks;
import dev.ebb.bench.Figure;
import dev.ebb.bench.FigureFiles;
import dev.ebb.bench.VoidRunException;
import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.cli.terminal.Style;
import dev.ebb.cli.terminal.Table;
import dev.ebb.cli.terminal.Table.Cell;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.devstack.DevStackException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        description = {
            "Measures how fast Ebb is, against others that do the same on the same machine in turn, and prints the"
                    + " ratios.",
            "Starts a broker and a registry of its own. A target that is not reached is no failure; a run that ends in"
                    + " a wrong set of events is one (exit code 1)."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  ebb bench              everything that can be measured",
            "  ebb bench B-1 --long   ingest alone, for figures that can be shown"
        })
final class BenchCommand implements Callable<Integer> {

    @Parameters(paramLabel = "ID", arity = "0..*", description = "What to measure, such as B-1. Default: everything.")
    private List<String> ids = new ArrayList<>();

    @ArgGroup
    private @Nullable LengthOption length;

    @Option(
            names = "--json",
            paramLabel = "DIR",
            description = "Where a file for each figure is written to. Default: target/bench.")
    private @Nullable Path json;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "Below which folder the services keep their data meanwhile. Default: target/bench.")
    private @Nullable Path data;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "What the events are made from. Default: ${DEFAULT-VALUE}.")
    private long seed = 1;

    @Option(
            names = "--events",
            paramLabel = "N",
            description = "How many events are sent. Default: 300000, with --long 2000000.")
    private @Nullable Integer events;

    private final CommandContext context;

    BenchCommand(CommandContext context) {
        this.context = context;
    }

    /** At most one of them. */
    private static final class LengthOption {

        @Option(names = "--short", description = "Three pairs of runs, in under three minutes each. The default.")
        private boolean isShort;

        @Option(names = "--long", description = "Five pairs of longer runs.")
        private boolean isLong;

        Length length() {
            return isLong && !isShort ? Length.LONG : Length.SHORT;
        }
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        List<Benchmark> chosen = chosen();
        BenchSettings settings = settings();
        List<Figure> figures = new ArrayList<>();
        for (Benchmark benchmark : chosen) {
            figures.addAll(measure(benchmark, settings));
        }
        new FigureFiles(folder(json)).write(figures, settings, Instant.now());
        print(figures);
        return ExitCode.OK.code();
    }

    private List<Figure> measure(Benchmark benchmark, BenchSettings settings) throws InterruptedException {
        say(benchmark, benchmark.title());
        try {
            return benchmark.run(settings, line -> say(benchmark, line));
        } catch (VoidRunException e) {
            throw new CommandFailure(ExitCode.FAILED, benchmark.id() + " is void: " + e.getMessage(), e);
        } catch (DevStackException e) {
            throw new CommandFailure(ExitCode.FAILED, String.valueOf(e.getMessage()), e);
        }
    }

    private List<Benchmark> chosen() {
        return ids.isEmpty()
                ? Benchmarks.all()
                : ids.stream().map(BenchCommand::find).toList();
    }

    private static Benchmark find(String id) {
        return Benchmarks.find(id)
                .orElseThrow(() -> new CommandFailure(
                        ExitCode.USAGE,
                        "there is no measurement '" + id + "'; there are "
                                + String.join(
                                        ", ",
                                        Benchmarks.all().stream()
                                                .map(Benchmark::id)
                                                .toList())));
    }

    private BenchSettings settings() {
        try {
            return new BenchSettings(
                    folder(data),
                    length == null ? Length.SHORT : length.length(),
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
                    number(figure.value()),
                    figure.unit(),
                    figure.against(),
                    number(figure.againstValue()),
                    String.format(Locale.ROOT, "%.2f", figure.ratio()),
                    figure.target(),
                    figure.reached() ? new Cell("yes", Style.GREEN) : new Cell("no", Style.YELLOW));
        }
        table.print(context.terminal());
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%,.0f", value);
    }
}
