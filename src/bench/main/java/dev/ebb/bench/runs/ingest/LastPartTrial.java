package dev.ebb.bench.runs.ingest;

import dev.ebb.bench.harness.Awaiting;
import dev.ebb.bench.harness.CpuMeter;
import dev.ebb.bench.harness.Rate;
import dev.ebb.bench.harness.Trial;
import dev.ebb.bench.harness.WriteMeter;
import dev.ebb.bench.stack.EbbApp;
import dev.ebb.bench.stack.InputTopic;
import dev.ebb.bench.stack.IntakeProgress;
import dev.ebb.bench.stack.Lane;
import dev.ebb.bench.stack.Policies;
import java.time.Duration;
import java.util.Locale;

/**
 * Ebb takes an input in from the beginning; the rate of its last part counts.
 *
 * @param from number of records before the part that counts
 */
record LastPartTrial(InputTopic input, int from) implements Trial<LastPartTrial.LastPart> {

    /** The whole time depends on the machine. */
    private static final Duration LIMIT = Duration.ofHours(2);

    /**
     * The result of a run.
     *
     * @param rate rate of the last part
     * @param bytes bytes that the application wrote for each event of the whole run, merges included
     */
    record LastPart(Rate rate, double bytes) {}

    @Override
    public String name() {
        return String.format(Locale.ROOT, "%,d", input.records());
    }

    @Override
    public LastPart run() throws InterruptedException {
        Lane lane = input.lane();
        lane.renewTopics();
        CpuMeter cpu = lane.stack().cpu();
        WriteMeter disk = new WriteMeter(ProcessHandle.current().pid());
        long writtenBefore = disk.written();
        try (EbbApp app = EbbApp.start(lane, Policies.MONTH_FROM_OCCURRED)) {
            app.awaitFirst();
            Awaiting.until(() -> hasCome(app), LIMIT, "the part that counts has not come");
            IntakeProgress intake = app.intake();
            long before = intake.count();
            long begin = from == 0 ? intake.firstNanos() : System.nanoTime();
            Duration cpuBefore = cpu.used();
            app.take(input.lastOffsets());
            Duration used = cpu.used().minus(cpuBefore);
            Rate rate = new Rate(
                    input.records() - (from == 0 ? 0 : before), Duration.ofNanos(intake.lastNanos() - begin), used);
            double bytes = disk.written() - writtenBefore;
            app.requireContents(input.expected());
            return new LastPart(rate, bytes / input.records());
        }
    }

    private boolean hasCome(EbbApp app) {
        app.check();
        return app.intake().count() >= from;
    }
}
