package dev.ebb.bench.runs.sweep;

import dev.ebb.bench.harness.CpuMeter;
import dev.ebb.bench.harness.Rate;
import dev.ebb.bench.harness.Trial;
import dev.ebb.bench.harness.VoidRunException;
import dev.ebb.bench.stack.EbbApp;
import dev.ebb.bench.stack.EbbStores;
import dev.ebb.bench.stack.InputTopic;
import dev.ebb.bench.stack.Lane;
import dev.ebb.bench.stack.Policies;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** A scan of all events in the stores of Ebb, partitions side by side, as fast as iterators go. */
final class ScanTrial implements Trial<Rate> {

    private final InputTopic input;

    ScanTrial(InputTopic input) {
        this.input = input;
    }

    @Override
    public String name() {
        return "scan";
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
            long begin = System.nanoTime();
            long events = IntStream.range(0, lane.partitions())
                    .parallel()
                    .mapToLong(partition -> EbbStores.scan(app.streams(), partition))
                    .sum();
            Duration took = Duration.ofNanos(System.nanoTime() - begin);
            if (events != input.expected().events()) {
                throw new VoidRunException("the scan has seen " + events + " events");
            }
            return new Rate(events, took, cpu.used().minus(before));
        }
    }
}
