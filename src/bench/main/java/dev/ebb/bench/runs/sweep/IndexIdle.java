package dev.ebb.bench.runs.sweep;

import dev.ebb.bench.harness.SliceCpu;
import dev.ebb.bench.opponents.ExpiryIndexApp;
import dev.ebb.bench.stack.InputTopic;
import java.time.Duration;

/** The store ordered by time: each slice looks at the head of the index of one partition. */
record IndexIdle(InputTopic input, ExpiryIndexApp app) implements SlicedIdle {

    private static final Duration MAX_AGE = Duration.ofDays(30);

    static IndexIdle start(InputTopic input) throws InterruptedException {
        return taken(input, ExpiryIndexApp.start(input.lane(), MAX_AGE));
    }

    static IndexIdle practising(InputTopic input) throws InterruptedException {
        return taken(input, ExpiryIndexApp.practising(input.lane(), MAX_AGE, PRACTICE_PERIOD));
    }

    private static IndexIdle taken(InputTopic input, ExpiryIndexApp app) throws InterruptedException {
        app.take(input.lastOffsets());
        return new IndexIdle(input, app);
    }

    @Override
    public String name() {
        return ExpiryIndexApp.NAME;
    }

    @Override
    public SliceCpu slices() {
        return app.slices();
    }

    @Override
    public void verify() {
        app.requireContents(input.expected());
    }

    @Override
    public void close() {
        app.close();
    }
}
