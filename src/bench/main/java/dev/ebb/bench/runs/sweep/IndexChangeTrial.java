package dev.ebb.bench.runs.sweep;

import dev.ebb.bench.harness.Trial;
import dev.ebb.bench.opponents.ExpiryIndexApp;
import dev.ebb.bench.stack.Expirations;
import dev.ebb.bench.stack.InputTopic;
import dev.ebb.bench.stack.Model;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The store ordered by time, whose limit changes in memory: the application notices it at its next look, and reads
 * nothing for it.
 */
final class IndexChangeTrial implements Trial<Change> {

    private final InputTopic input;

    IndexChangeTrial(InputTopic input) {
        this.input = input;
    }

    @Override
    public String name() {
        return ExpiryIndexApp.NAME;
    }

    @Override
    public Change run() throws InterruptedException {
        input.lane().renewTopics();
        try (ExpiryIndexApp app = ExpiryIndexApp.start(input.lane(), Duration.ofDays(30))) {
            app.take(input.lastOffsets());
            TimeUnit.MILLISECONDS.sleep(EbbChangeTrial.SETTLE.toMillis());
            Expirations expirations = app.expirations();
            expirations.expect(Model.due(input.workload()));
            long begin = System.nanoTime();
            app.limit(Duration.ofMillis(1));
            expirations.await(Expirations.LIMIT);
            app.awaitCommitted();
            double all = (System.nanoTime() - begin) / 1e9;
            app.requireContents(Model.guarded(input.workload()));
            return new Change((expirations.firstNanos() - begin) / 1e9, all, 0);
        }
    }
}
