package dev.ebb.bench.runs.sweep;

import dev.ebb.bench.harness.Trial;
import dev.ebb.bench.opponents.ExpiryIndexApp;
import dev.ebb.bench.stack.Expirations;
import dev.ebb.bench.stack.InputTopic;
import dev.ebb.bench.stack.Lane;
import dev.ebb.bench.stack.Model;
import dev.ebb.bench.stack.ThreadWatch;
import java.time.Duration;

/** The store ordered by time: its limit changes, and all events expire. */
final class IndexPauseTrial implements Trial<Pauses> {

    private final InputTopic input;

    IndexPauseTrial(InputTopic input) {
        this.input = input;
    }

    @Override
    public String name() {
        return ExpiryIndexApp.NAME;
    }

    @Override
    public int warmUps() {
        return 3;
    }

    @Override
    public Pauses run() throws InterruptedException {
        Lane lane = input.lane();
        lane.renewTopics();
        try (ExpiryIndexApp app = ExpiryIndexApp.start(lane, Duration.ofDays(30))) {
            app.take(input.lastOffsets());
            lane.stack().rest();
            app.expirations().expect(Model.due(input.workload()));
            app.application().threads().reset();
            app.limit(Duration.ofMillis(1));
            app.expirations().await(Expirations.LIMIT);
            app.awaitCommitted();
            Pauses pauses = pauses(app.application().threads());
            app.requireContents(Model.guarded(input.workload()));
            return pauses;
        }
    }

    private static Pauses pauses(ThreadWatch threads) {
        double pause = EbbPauseTrial.millis(threads.longestWork());
        double cpu = EbbPauseTrial.millis(threads.longestWorkCpu());
        return new Pauses(pause, EbbPauseTrial.millis(threads.longestPause()), cpu, pause, cpu);
    }
}
