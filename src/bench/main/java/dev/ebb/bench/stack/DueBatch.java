package dev.ebb.bench.stack;

import dev.ebb.bench.load.Mix;
import dev.ebb.bench.load.Workload;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * Sends a few events to a running application that keeps events for 30 days after they occurred, so old that all of
 * them fall due at once a little later, and measures the cost of their expiry.
 */
public final class DueBatch {

    private static final long MAX_AGE_MS = Duration.ofDays(30).toMillis();
    private static final long SETTLE_MS = 200;
    private static final Duration LIMIT = Duration.ofMinutes(5);

    private final Lane lane;
    private final App app;
    private final int events;
    private final int streams;
    private long seed;
    private long leadMs = 2000;

    /**
     * @param streams number of streams over which the events are spread
     * @param seed seed of the batches; it may be that of other workloads
     */
    public DueBatch(Lane lane, App app, int events, int streams, long seed) {
        this.lane = lane;
        this.app = app;
        this.events = events;
        this.streams = streams;
        // Far from the seeds of other workloads: the first event of a workload depends on nothing else.
        this.seed = new SplittableRandom(seed).nextLong();
    }

    /**
     * Returns the CPU time of the stream threads from just before the events fall due until their deletes are
     * committed.
     */
    public Duration expire() throws InterruptedException {
        while (true) {
            long dueMs = System.currentTimeMillis() + leadMs;
            send(dueMs);
            Duration before = app.application().threads().workCpu();
            boolean isInTime = app.expirations().count() == 0;
            app.expirations().await(LIMIT);
            app.awaitCommitted();
            // Until the turn of the last commit has ended.
            TimeUnit.MILLISECONDS.sleep(SETTLE_MS);
            if (isInTime) {
                return app.application().threads().workCpu().minus(before);
            }
            // The events fell due before all of them were stored.
            leadMs *= 2;
        }
    }

    private void send(long dueMs) throws InterruptedException {
        seed++;
        long nowMs = System.currentTimeMillis();
        Mix old = Mix.PLAIN.ago(Duration.ofMillis(MAX_AGE_MS + nowMs - dueMs));
        Workload batch = new Workload(seed, events, streams, lane.partitions(), nowMs, old);
        app.expirations().expect(events);
        app.take(new EventSender(lane, EventSender.BY_STREAM).send(batch.generator()));
        TimeUnit.MILLISECONDS.sleep(Math.max(0, dueMs - System.currentTimeMillis() - 1));
    }
}
