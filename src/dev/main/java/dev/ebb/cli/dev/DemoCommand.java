package dev.ebb.cli.dev;

import dev.ebb.cli.demo.Demo;
import dev.ebb.cli.events.FaultyLines;
import dev.ebb.cli.options.CommandEnvironment;
import dev.ebb.cli.options.InputFile;
import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.domain.time.Durations;
import dev.ebb.serde.lines.EventLines;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "demo",
        description = {
            "Shows Ebb at work on its own sample data, which is made anew each time.",
            "Starts everything on this machine, sends sample events, sets policies, and shows the stored events, the"
                    + " deletions with their causes, and the rows in PostgreSQL. With --once it ends on its own, with"
                    + " exit code 0 only if stores and SQL agree."
        },
        footerHeading = "%nExamples:%n",
        footer = {"  ebb demo", "  ebb demo --once --events events.jsonl.gz --policies policies.yaml --out result"})
public final class DemoCommand implements Callable<Integer> {

    private static final String SAMPLE_EVENTS = "/sample/commits.jsonl.gz";
    private static final String MORE_EVENTS = "/sample/more.jsonl";
    private static final String SAMPLE_POLICIES = "/sample/policies.yaml";

    @Option(
            names = "--once",
            description = "Runs unattended: policies and events first, then the application, then a comparison.")
    private boolean once;

    @Option(
            names = "--events",
            paramLabel = "FILE",
            description = "Events instead of the sample: JSON lines, plain or gzip.")
    private @Nullable String events;

    @Option(names = "--policies", paramLabel = "FILE", description = "Policies instead of the sample: YAML or JSON.")
    private @Nullable String policies;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "With --once: folder for events.jsonl, sql.jsonl and report.json.")
    private @Nullable Path out;

    @Option(
            names = "--interval",
            paramLabel = "DURATION",
            defaultValue = "1s",
            description = "Interval of sweeps, in place of the interval of every policy. Default: ${DEFAULT-VALUE}.")
    private String interval;

    @Option(names = "--no-registry", description = "Without a schema registry: all records are JSON.")
    private boolean noRegistry;

    private final CommandEnvironment context;

    DemoCommand(CommandEnvironment context) {
        this.context = context;
        this.interval = "1s";
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        requireGoodOptions();
        try (EventLines lines = EventLines.of(events())) {
            Path folder = context.demoFolder();
            var declared = Demo.policies(policies == null ? "the sample" : policies, policies());
            DataFolder.clear(folder);
            Demo demo = new Demo(
                    folder, new StackWatch(context.terminal()), context.runningStacks(), !noRegistry, declared, lines);
            return (once ? once(demo) : live(demo)).code();
        }
    }

    private ExitCode live(Demo demo) throws InterruptedException {
        demo.live(context.terminal(), settings());
        return ExitCode.OK;
    }

    private ExitCode once(Demo demo) {
        Terminal terminal = context.terminal();
        FaultyLines unreadable = new FaultyLines(terminal);
        boolean agree = demo.once(terminal, unreadable, out, settings());
        unreadable.finish();
        return agree ? ExitCode.OK : ExitCode.FAILED;
    }

    private Map<String, String> settings() {
        return Map.of("sweep.interval", interval);
    }

    private void requireGoodOptions() {
        if (!once && out != null) {
            throw new CommandFailure(ExitCode.USAGE, "--out works with --once only");
        }
        if (out != null && Files.exists(out) && !Files.isDirectory(out)) {
            throw new CommandFailure(ExitCode.USAGE, "--out: " + out + " is not a folder");
        }
        try {
            if (Durations.parseMs(interval) <= 0) {
                throw new IllegalArgumentException("must be positive, was " + interval);
            }
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(ExitCode.USAGE, "--interval: " + e.getMessage(), e);
        }
    }

    private InputStream events() throws IOException {
        return events == null
                ? new SequenceInputStream(new GZIPInputStream(sample(SAMPLE_EVENTS)), sample(MORE_EVENTS))
                : InputFile.of(events, context).in();
    }

    private String policies() throws IOException {
        if (policies != null) {
            return InputFile.of(policies, context).text();
        }
        try (InputStream sample = sample(SAMPLE_POLICIES)) {
            return new String(sample.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static InputStream sample(String name) {
        return Objects.requireNonNull(DemoCommand.class.getResourceAsStream(name), name);
    }
}
