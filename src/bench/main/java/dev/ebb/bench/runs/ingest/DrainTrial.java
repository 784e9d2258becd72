package dev.ebb.bench.runs.ingest;

import dev.ebb.bench.harness.CpuMeter;
import dev.ebb.bench.harness.Rate;
import dev.ebb.bench.harness.Trial;
import dev.ebb.bench.stack.App;
import dev.ebb.bench.stack.InputTopic;
import java.time.Duration;

/**
 * Lets a new application drain an input, and checks its contents against the model. Each run has an id, state and
 * output topics of its own.
 */
record DrainTrial(String name, InputTopic input, App.Maker maker) implements Trial<Rate> {

    private static final Duration COMMIT_LIMIT = Duration.ofMinutes(1);

    /** Returns enough runs for 20 s of draining, since a trial drains for only half of a run. */
    @Override
    public int warmUps() {
        return 3;
    }

    @Override
    public Rate run() throws InterruptedException {
        input.lane().renewTopics();
        String id = input.lane().newId(name);
        CpuMeter cpu = input.lane().stack().cpu();
        try (App app = maker.make(input.lane(), id)) {
            app.start();
            app.awaitFirst();
            Duration cpuBefore = cpu.used();
            app.awaitTaken(input.lastOffsets());
            input.lane().awaitInput(id, input.lastOffsets(), COMMIT_LIMIT);
            Duration used = cpu.used().minus(cpuBefore);
            app.requireContents(input.expected());
            return new Rate(input.records(), app.intake().took(), used);
        }
    }
}
