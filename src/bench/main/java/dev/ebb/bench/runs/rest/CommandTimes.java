package dev.ebb.bench.runs.rest;

import dev.ebb.bench.harness.Figure;
import dev.ebb.bench.harness.Medians;
import dev.ebb.bench.harness.Target;
import dev.ebb.bench.harness.VoidRunException;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Wall time of commands, from the shell to the end of the output, which is the time that a person at a terminal waits.
 */
final class CommandTimes {

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

    private final Path launcher;
    private final String url;

    /**
     * Makes the measurement of commands that ask one application.
     *
     * @param launcher the script {@code ebb}
     * @param url the address of the application
     */
    CommandTimes(Path launcher, String url) {
        this.launcher = launcher;
        this.url = url;
    }

    /**
     * Runs each command that many times, after one run that does not count, and reports the slowest command and all
     * together.
     */
    List<Figure> measure(int rounds, Consumer<String> progress) throws InterruptedException {
        COMMANDS.forEach(this::run);
        List<Double> medians = new ArrayList<>();
        for (String command : COMMANDS) {
            List<Double> times = new ArrayList<>();
            for (int round = 0; round < rounds; round++) {
                times.add(run(command));
            }
            medians.add(Medians.of(times));
            progress.accept(String.format(Locale.ROOT, "ebb %s: %.0f ms", command, medians.get(medians.size() - 1)));
        }
        double slowest = medians.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
        return List.of(
                Figure.alone(
                        "B-22-command",
                        "the slowest of " + COMMANDS.size() + " commands, from shell to answer",
                        "ms",
                        Target.valueAtMost(400, 150),
                        List.of(slowest)),
                Figure.alone("B-22-commands", "all of them", "ms", Target.REPORTED, medians));
    }

    private double run(String command) {
        List<String> words = new ArrayList<>(List.of(launcher.toString()));
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
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new VoidRunException("interrupted", e);
        }
    }
}
