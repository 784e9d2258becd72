package dev.ebb.bench.runs.sweep;

import dev.ebb.bench.harness.BenchSettings;
import dev.ebb.bench.harness.Contents;
import dev.ebb.bench.harness.Duel;
import dev.ebb.bench.harness.Figure;
import dev.ebb.bench.harness.Medians;
import dev.ebb.bench.harness.Target;
import dev.ebb.bench.harness.Trial;
import dev.ebb.bench.harness.Versus;
import dev.ebb.bench.load.BalancedStreams;
import dev.ebb.bench.load.Mix;
import dev.ebb.bench.load.Workload;
import dev.ebb.bench.load.Zipf;
import dev.ebb.bench.stack.BenchStack;
import dev.ebb.bench.stack.DueBatch;
import dev.ebb.bench.stack.EbbApp;
import dev.ebb.bench.stack.EbbStores;
import dev.ebb.bench.stack.EventSender;
import dev.ebb.bench.stack.Expirations;
import dev.ebb.bench.stack.Lane;
import dev.ebb.bench.stack.Model;
import dev.ebb.bench.stack.Policies;
import dev.ebb.domain.event.StreamName;
import dev.ebb.store.read.ReadOnlyEventStore;
import dev.ebb.topology.wire.StreamPartition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * B-10: the lasting cost of many deletes. Two applications hold the same events; one of them has deleted many more
 * before, from the same streams, and has not been restarted.
 */
public final class TombstoneBenchmark {

    private static final int SHORT_EVENTS = 500_000;
    private static final int LONG_EVENTS = 10_000_000;
    private static final int STREAMS = 1000;
    private static final int LIVE_SHARE = 10;
    private static final int MOST_BATCH = 10_000;
    private static final int PAGE = 10;
    private static final int READ_ROUNDS = 5;
    private static final Duration LONG_AGO = Duration.ofDays(60);

    /**
     * Costs of one application.
     *
     * @param readMicros time to read ten events of a stream, in microseconds: the median over streams
     * @param sweepMillis CPU time to expire a batch, in milliseconds
     */
    private record Needs(double readMicros, double sweepMillis) {}

    private TombstoneBenchmark() {}

    public static List<Figure> run(BenchSettings settings, Consumer<String> progress) throws InterruptedException {
        int deleted = settings.fewerEvents(SHORT_EVENTS, LONG_EVENTS);
        try (BenchStack stack = BenchStack.start(settings.folder(), progress);
                Store aged = Store.start(stack.lane("aged"), settings, deleted, deleted);
                Store fresh = Store.start(stack.lane("fresh"), settings, deleted, 0)) {
            Duel<Needs> duel = new Duel<>(List.of(aged, fresh), Needs::readMicros, "µs a read", progress);
            duel.warmUp(settings, 3);
            List<Duel.Round<Needs>> rounds = duel.run(settings, settings.pairs());
            aged.app().requireContents(aged.expected());
            fresh.app().requireContents(fresh.expected());
            Target target = Target.ratioAtMost(2, 1.2);
            String after = String.format(Locale.ROOT, " after %,d deletes", deleted);
            String read = "read of " + PAGE + " events" + after;
            Versus<Needs> versus = new Versus<>("fresh", rounds);
            return List.of(
                    versus.figure("B-10", "sweep" + after, "ms CPU", target, Needs::sweepMillis),
                    versus.figure("B-10-read", read, "µs", target, Needs::readMicros));
        }
    }

    /** One of the two applications. */
    private record Store(Lane lane, Contents expected, EbbApp app, DueBatch batch)
            implements Trial<Needs>, AutoCloseable {

        static Store start(Lane lane, BenchSettings settings, int most, int deleted) throws InterruptedException {
            lane.renewAllTopics();
            EbbApp app = EbbApp.start(lane, Policies.KEEP);
            EventSender sender = new EventSender(lane, EventSender.BY_STREAM);
            if (deleted > 0) {
                app.take(sender.send(workload(~settings.seed(), deleted, lane, Mix.PLAIN.ago(LONG_AGO))
                        .generator()));
                app.expirations().expect(deleted);
            }
            new Policies(lane).putInForce(Policies.MONTH_FROM_OCCURRED);
            if (deleted > 0) {
                app.expirations().await(Expirations.LIMIT);
            }
            int kept = Math.max(1, most / LIVE_SHARE);
            Workload live = workload(settings.seed(), kept, lane, Mix.USUAL);
            app.take(sender.send(live.generator()));
            int batch = Math.min(MOST_BATCH, kept);
            return new Store(lane, Model.all(live), app, new DueBatch(lane, app, batch, STREAMS, settings.seed()));
        }

        private static Workload workload(long seed, int events, Lane lane, Mix mix) {
            return new Workload(seed, events, STREAMS, lane.partitions(), System.currentTimeMillis(), mix);
        }

        @Override
        public String name() {
            return lane.topics().prefix().replace(".", "");
        }

        @Override
        public Needs run() throws InterruptedException {
            double sweepMillis = batch.expire().toNanos() / 1e6;
            return new Needs(readMicros(), sweepMillis);
        }

        /** Reads right after a sweep, when tombstones stand in place of events. */
        private double readMicros() {
            List<StreamName> streams = BalancedStreams.of(new Zipf(STREAMS), lane.partitions());
            List<Double> micros = new ArrayList<>();
            for (int round = 0; round < READ_ROUNDS; round++) {
                for (StreamName stream : streams) {
                    ReadOnlyEventStore store =
                            EbbStores.of(app.streams(), StreamPartition.of(stream, lane.partitions()));
                    long begin = System.nanoTime();
                    var unused = store.list(stream, null, PAGE);
                    micros.add((System.nanoTime() - begin) / 1e3);
                }
            }
            return Medians.of(micros);
        }

        @Override
        public void close() {
            app.close();
        }
    }
}
