package dev.ebb.bench.runs;

import com.sun.management.ThreadMXBean;
import dev.ebb.bench.harness.BenchSettings;
import dev.ebb.bench.harness.Benchmark;
import dev.ebb.bench.harness.Contents;
import dev.ebb.bench.harness.Figure;
import dev.ebb.bench.harness.Target;
import dev.ebb.bench.load.Workload;
import dev.ebb.bench.stack.BenchStack;
import dev.ebb.bench.stack.EbbApp;
import dev.ebb.bench.stack.InputTopic;
import dev.ebb.bench.stack.Lane;
import dev.ebb.bench.stack.Model;
import dev.ebb.bench.stack.Policies;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.LongStream;

/**
 * B-8: from the record of a policy that makes everything due, on its topic, until the first delete. The memory that
 * stream threads allocate meanwhile bounds the number of events read for that: no event is read without room for its
 * bytes.
 */
final class PolicyBenchmark implements Benchmark {

    private static final int SHORT_EVENTS = 1_000_000;
    private static final int LONG_EVENTS = 10_000_000;
    private static final int STREAMS = 100_000;
    private static final int EVENT_BYTES = 264;
    private static final Duration SETTLE = Duration.ofSeconds(2);

    @Override
    public String id() {
        return "B-8";
    }

    @Override
    public String title() {
        return "from a change of policy to the first delete, and what is read for it";
    }

    /**
     * One change.
     *
     * @param seconds from the record to the first delete
     * @param readable number of events that fit into the memory allocated until then
     */
    private record Change(double seconds, double readable) {}

    @Override
    public List<Figure> run(BenchSettings settings, Consumer<String> progress) throws InterruptedException {
        try (BenchStack stack = BenchStack.start(settings.folder(), progress)) {
            Lane lane = stack.lane("policy");
            int events = settings.events(SHORT_EVENTS, LONG_EVENTS);
            Workload workload = new Workload(
                    settings.seed(),
                    events,
                    Math.max(1, Math.min(STREAMS, events / 10)),
                    lane.partitions(),
                    System.currentTimeMillis());
            InputTopic input = InputTopic.fill(lane, workload, progress);
            Contents left = Model.guarded(workload);
            List<Change> changes = new ArrayList<>();
            for (int run = 0; run <= settings.pairs(); run++) {
                Change change = change(input, left);
                progress.accept(String.format(
                        Locale.ROOT,
                        "%s: first delete after %.2f s, room for %,.0f of %,d events",
                        run == 0 ? "warm-up" : "run " + run + " of " + settings.pairs(),
                        change.seconds(),
                        change.readable(),
                        events));
                if (run > 0) {
                    changes.add(change);
                }
            }
            return figures(events, workload.streams(), changes);
        }
    }

    private static List<Figure> figures(int events, int streams, List<Change> changes) {
        String of = String.format(Locale.ROOT, " (%,d events, %,d streams)", events, streams);
        return List.of(
                Figure.alone(
                        "B-8",
                        "policy change to first delete" + of,
                        "s",
                        Target.valueAtMost(2, 1),
                        changes.stream().map(Change::seconds).toList()),
                Figure.alone(
                        "B-8-reads",
                        "events that may have been read meanwhile, at the most" + of,
                        "events",
                        Target.REPORTED,
                        changes.stream().map(Change::readable).toList()));
    }

    private static Change change(InputTopic input, Contents left) throws InterruptedException {
        Lane lane = input.lane();
        lane.renewTopics();
        AtomicLong allocated = new AtomicLong();
        try (EbbApp app = EbbApp.start(lane, EbbSweepTrial.KEEP)) {
            app.take(input.lastOffsets());
            TimeUnit.MILLISECONDS.sleep(SETTLE.toMillis());
            long[] threads = app.application().threadIds();
            app.deletions().expect(input.expected().events() - left.events());
            app.deletions().onFirst(() -> allocated.set(allocated(threads)));
            long before = allocated(threads);
            long begin = System.nanoTime();
            new Policies(lane)
                    .declare(EbbSweepTrial.DROP.toBuilder().confirmed(true).build());
            app.deletions().await(EbbSweepTrial.SWEEP_LIMIT);
            app.awaitCommitted();
            app.requireContents(left);
            return new Change(
                    (app.deletions().firstNanos() - begin) / 1e9, (double) (allocated.get() - before) / EVENT_BYTES);
        }
    }

    private static long allocated(long[] threads) {
        ThreadMXBean beans = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        return LongStream.of(beans.getThreadAllocatedBytes(threads)).sum();
    }
}
