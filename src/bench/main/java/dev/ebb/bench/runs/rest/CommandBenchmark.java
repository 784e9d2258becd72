package dev.ebb.bench.runs.rest;

import dev.ebb.bench.harness.BenchSettings;
import dev.ebb.bench.harness.Figure;
import dev.ebb.bench.harness.Medians;
import dev.ebb.bench.harness.Target;
import dev.ebb.bench.harness.VoidRunException;
import dev.ebb.bench.stack.BenchStack;
import dev.ebb.bench.stack.EbbProcess;
import dev.ebb.bench.stack.InputTopic;
import dev.ebb.bench.stack.Lane;
import dev.ebb.bench.stack.Policies;
import dev.ebb.devstack.process.Distribution;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * B-22-command: commands that ask an application with a thousand streams, from the shell to the end of the output, which
 * is the time that a person at a terminal waits.
 */
public final class CommandBenchmark {

    private static final int EVENTS = 20_000;
    private static final int STREAMS = 1000;
    private static final int PARTITIONS = 4;
    private static final int SHORT_ROUNDS = 10;
    private static final int LONG_ROUNDS = 30;
    private static final List<String> COMMANDS = List.of(
            "status",
            "namespace list",
            "stream list --limit 20",
            "policy list",
            "hold list",
            "sweep list",
            "rejected list --limit 20",
            "audit list --limit 20");
    private static final long LIMIT_SECONDS = 60;
    private static final double MILLIS = 1e6;

    private CommandBenchmark() {}

    public static List<Figure> run(BenchSettings settings, Consumer<String> progress) throws InterruptedException {
        try (BenchStack stack = BenchStack.start(settings.folder(), progress)) {
            Lane lane = stack.lane("commands", PARTITIONS);
            InputTopic input =
                    InputTopic.fill(lane, settings.workload(settings.events(EVENTS, EVENTS), STREAMS, PARTITIONS));
            new Policies(lane).putInForce(Policies.MONTH_FROM_OCCURRED);
            try (EbbProcess app = EbbProcess.start(lane)) {
                app.take(input.lastOffsets());
                return measure(app.url(), settings.byLength(1, SHORT_ROUNDS, LONG_ROUNDS), progress);
            }
        }
    }

    /** Runs each command that many times, after one run that does not count, and reports the slowest command. */
    private static List<Figure> measure(String url, int rounds, Consumer<String> progress) throws InterruptedException {
        List<Double> medians = new ArrayList<>();
        for (String command : COMMANDS) {
            milliseconds(command, url);
            List<Double> times = new ArrayList<>();
            for (int round = 0; round < rounds; round++) {
                times.add(milliseconds(command, url));
            }
            double median = Medians.of(times);
            medians.add(median);
            progress.accept(String.format(Locale.ROOT, "ebb %s: %.0f ms", command, median));
        }
        String name = "the slowest of " + COMMANDS.size() + " commands, from shell to answer";
        List<Double> slowest = List.of(Collections.max(medians));
        return List.of(Figure.alone("B-22-command", name, "ms", Target.valueAtMost(400, 150), slowest));
    }

    private static double milliseconds(String command, String url) throws InterruptedException {
        List<String> words = new ArrayList<>();
        words.add(Distribution.locate().home().resolve("ebb").toString());
        words.addAll(List.of(command.split(" ")));
        ProcessBuilder builder = new ProcessBuilder(words)
                .redirectOutput(Redirect.DISCARD)
                .redirectError(Redirect.DISCARD)
                .redirectInput(new File("/dev/null"));
        builder.environment().put("EBB_API_URL", url);
        try {
            long begin = System.nanoTime();
            Process process = builder.start();
            boolean hasEnded = process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
            long took = System.nanoTime() - begin;
            if (!hasEnded || process.exitValue() != 0) {
                process.destroyForcibly();
                throw new VoidRunException("ebb " + command + " has failed");
            }
            return took / MILLIS;
        } catch (IOException e) {
            throw new VoidRunException("ebb " + command + " could not be started", e);
        }
    }
}
