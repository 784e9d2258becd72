package dev.ebb.bench.runs.rest;

import dev.ebb.bench.harness.Trial;
import dev.ebb.bench.harness.VoidRunException;
import dev.ebb.bench.stack.EbbProcess;
import dev.ebb.bench.stack.InputTopic;
import dev.ebb.bench.stack.Lane;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * The application as people run it ({@code ebb run}), in a separate process with the heap of its container: it takes an
 * input in, and then its resident set (Linux only) is measured, in MiB.
 */
final class MemoryTrial implements Trial<Double> {

    private static final Duration SETTLE = Duration.ofSeconds(3);
    private static final double KIB_PER_MIB = 1024;

    private final InputTopic input;

    MemoryTrial(InputTopic input) {
        this.input = input;
    }

    @Override
    public String name() {
        return String.format(Locale.ROOT, "%,d events", input.records());
    }

    @Override
    public Double run() throws InterruptedException {
        Lane lane = input.lane();
        lane.renewTopics();
        try (EbbProcess app = EbbProcess.start(lane)) {
            app.take(input.lastOffsets());
            TimeUnit.MILLISECONDS.sleep(SETTLE.toMillis());
            return residentMib(app.pid());
        }
    }

    /** Returns true if this machine reports the resident set. */
    static boolean isKnown() {
        return Files.isReadable(Path.of("/proc/self/status"));
    }

    private static double residentMib(long pid) {
        try {
            String line = Files.readAllLines(Path.of("/proc", Long.toString(pid), "status")).stream()
                    .filter(each -> each.startsWith("VmRSS:"))
                    .findFirst()
                    .orElseThrow(() -> new VoidRunException("the application has ended"));
            return Long.parseLong(line.replaceAll("\\D", "")) / KIB_PER_MIB;
        } catch (IOException e) {
            throw new VoidRunException("the application has ended", e);
        }
    }
}
