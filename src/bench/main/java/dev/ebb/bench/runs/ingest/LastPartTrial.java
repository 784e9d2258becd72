package dev.ebb.bench.runs.ingest;

import dev.ebb.bench.harness.CpuMeter;
import dev.ebb.bench.harness.Rate;
import dev.ebb.bench.harness.Trial;
import dev.ebb.bench.harness.WriteMeter;
import dev.ebb.bench.stack.EbbApp;
import dev.ebb.bench.stack.Headway;
import dev.ebb.bench.stack.InputTopic;
import dev.ebb.bench.stack.Intake;
import dev.ebb.bench.stack.Lane;
import dev.ebb.bench.stack.Policies;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Ebb takes an input in from the beginning; the rate of its last part counts.
 *
 * @param from number of records before the part that counts
 */
record LastPartTrial(InputTopic input, int from) implements Trial<LastPart> {

    private static final long POLL_MS = 5;

    @Override
    public String name() {
        return String.format(Locale.ROOT, "%,d", input.records());
    }

    @Override
    public LastPart run() throws InterruptedException {
        Lane lane = input.lane();
        lane.renewTopics();
        CpuMeter cpu = lane.stack().cpu();
        WriteMeter ofApp = new WriteMeter(ProcessHandle.current().pid());
        WriteMeter ofBroker =
                new WriteMeter(lane.stack().services().broker().pid().orElseThrow());
        long appBefore = ofApp.written();
        long brokerBefore = ofBroker.written();
        try (EbbApp app = EbbApp.start(lane, Policies.MONTH_FROM_OCCURRED)) {
            app.awaitFirst();
            awaitPart(app);
            Intake intake = app.intake();
            long before = intake.count();
            long begin = from == 0 ? intake.firstNanos() : System.nanoTime();
            Duration cpuBefore = cpu.used();
            app.take(input.lastOffsets());
            Duration used = cpu.used().minus(cpuBefore);
            Rate rate = new Rate(
                    input.records() - (from == 0 ? 0 : before), Duration.ofNanos(intake.lastNanos() - begin), used);
            double appBytes = ofApp.written() - appBefore;
            double brokerBytes = ofBroker.written() - brokerBefore;
            app.requireContents(input.expected());
            return new LastPart(rate, appBytes / input.records(), brokerBytes / input.records());
        }
    }

    /**
     * Waits for the part that counts. The whole time depends on the machine; an intake that stands still ends the run.
     */
    private void awaitPart(EbbApp app) throws InterruptedException {
        Headway headway = new Headway("events taken in (" + name() + ")", from, input.lane().stack().progress());
        while (!headway.isDone(app.intake().count())) {
            app.check();
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
        }
    }
}
