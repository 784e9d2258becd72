package dev.ebb.bench.runs.sweep;

import com.sun.management.ThreadMXBean;
import dev.ebb.bench.harness.BenchSettings;
import dev.ebb.bench.harness.Duel;
import dev.ebb.bench.harness.Figure;
import dev.ebb.bench.harness.Target;
import dev.ebb.bench.harness.Trial;
import dev.ebb.bench.stack.BenchStack;
import dev.ebb.bench.stack.EbbApp;
import dev.ebb.bench.stack.Expirations;
import dev.ebb.bench.stack.InputTopic;
import dev.ebb.bench.stack.Lane;
import dev.ebb.bench.stack.Model;
import dev.ebb.bench.stack.Policies;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;
import java.util.stream.LongStream;

/**
 * B-8: from the record of a policy that makes everything due, on its topic, until the first delete, and how many events
 * are read for that at the most.
 */
public final class PolicyBenchmark {

    private static final int SHORT_EVENTS = 300_000;
    private static final int LONG_EVENTS = 10_000_000;
    private static final int STREAMS = 100_000;

    private PolicyBenchmark() {}

    public static List<Figure> run(BenchSettings settings, Consumer<String> progress) throws InterruptedException {
        try (BenchStack stack = BenchStack.start(settings.folder(), progress)) {
            Lane lane = stack.lane("policy");
            int events = settings.events(SHORT_EVENTS, LONG_EVENTS);
            int streams = Math.max(1, Math.min(STREAMS, events / 10));
            InputTopic input = InputTopic.fill(lane, settings.workload(events, streams, lane.partitions()));
            Duel<Change> duel =
                    new Duel<>(List.of(new ChangeTrial(input)), Change::first, "s to the first delete", progress);
            duel.warmUp(settings, 1);
            return figures(events, streams, duel.run(settings, settings.pairs()));
        }
    }

    private static List<Figure> figures(int events, int streams, List<Duel.Round<Change>> rounds) {
        String of = String.format(Locale.ROOT, " (%,d events, %,d streams)", events, streams);
        Target soon = Target.valueAtMost(2, 1);
        String read = "events read until the first delete, at the most" + of;
        return List.of(
                Figure.alone("B-8", "policy change to first delete" + of, "s", soon, all(rounds, Change::first)),
                Figure.alone("B-8-reads", read, "events", Target.REPORTED, all(rounds, Change::read)));
    }

    private static List<Double> all(List<Duel.Round<Change>> rounds, ToDoubleFunction<Change> part) {
        return rounds.stream().map(round -> part.applyAsDouble(round.of(0))).toList();
    }

    /**
     * Result of a change by which everything falls due.
     *
     * @param first seconds until the first event had gone
     * @param read upper bound of the number of events that were read until then
     */
    private record Change(double first, double read) {}

    /**
     * Ebb, with a policy that is declared in the usual way. The memory that stream threads allocate until the first
     * delete bounds the number of events that were read: an event cannot be read without memory for its bytes.
     */
    private record ChangeTrial(InputTopic input) implements Trial<Change> {

        private static final int EVENT_BYTES = 264;
        private static final long SETTLE_MS = 2000;

        @Override
        public String name() {
            return EbbApp.NAME;
        }

        @Override
        public Change run() throws InterruptedException {
            input.lane().renewTopics();
            AtomicLong allocated = new AtomicLong();
            try (EbbApp app = EbbApp.start(input.lane(), Policies.KEEP)) {
                app.take(input.lastOffsets());
                TimeUnit.MILLISECONDS.sleep(SETTLE_MS);
                long[] threads = app.application().threadIds();
                Expirations expirations = app.expirations();
                expirations.expect(Model.due(input.workload()));
                expirations.onFirst(() -> allocated.set(allocated(threads)));
                long before = allocated(threads);
                long begin = System.nanoTime();
                new Policies(input.lane())
                        .declare(Policies.DROP_UNDOABLE.toBuilder()
                                .confirmed(true)
                                .build());
                expirations.await(Expirations.LIMIT);
                app.awaitCommitted();
                app.requireContents(Model.guarded(input.workload()));
                double read = (double) (allocated.get() - before) / EVENT_BYTES;
                return new Change((expirations.firstNanos() - begin) / 1e9, read);
            }
        }

        private static long allocated(long[] threads) {
            ThreadMXBean beans = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            return LongStream.of(beans.getThreadAllocatedBytes(threads)).sum();
        }
    }
}
