package dev.ebb.bench.runs.sweep;

import dev.ebb.bench.harness.CpuMeter;
import dev.ebb.bench.harness.Rate;
import dev.ebb.bench.harness.Trial;
import dev.ebb.bench.stack.EbbApp;
import dev.ebb.bench.stack.Erasures;
import dev.ebb.bench.stack.InputTopic;
import dev.ebb.bench.stack.Lane;
import dev.ebb.bench.stack.Policies;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Ebb erases the events of a person of whom there are none, so that reading is all it does. */
final class EbbEraseTrial implements Trial<Rate> {

    private final InputTopic input;

    EbbEraseTrial(InputTopic input) {
        this.input = input;
    }

    @Override
    public String name() {
        return "ebb";
    }

    @Override
    public Rate run() throws InterruptedException {
        Lane lane = input.lane();
        lane.renewTopics();
        try (EbbApp app = EbbApp.start(lane, Policies.KEEP)) {
            app.take(input.lastOffsets());
            TimeUnit.MILLISECONDS.sleep(EbbChangeTrial.SETTLE.toMillis());
            CpuMeter cpu = lane.stack().cpu();
            Duration before = cpu.used();
            Duration took = new Erasures(lane).erase("metadata.user=nobody");
            app.requireContents(input.expected());
            return new Rate(input.expected().events(), took, cpu.used().minus(before));
        }
    }
}
