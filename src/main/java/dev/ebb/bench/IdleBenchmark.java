package dev.ebb.bench;

import dev.ebb.topology.TaskStatus;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * B-5: the CPU time of a sweep that finds nothing, with protected events at the heads of streams, against a scan of the
 * tutorial that finds nothing. Both run side by side on the same events; what is measured is the time of their threads.
 */
final class IdleBenchmark implements Benchmark {

    private static final int EVENTS = 1_000_000;
    private static final int EVENTS_PER_STREAM = 10;
    private static final int EVENTS_PER_PROTECTED = 100;
    private static final Duration SCAN_EVERY = Duration.ofSeconds(3);
    private static final Duration WINDOW = Duration.ofSeconds(4);
    private static final Duration LIMIT = Duration.ofMinutes(30);
    private static final long POLL_MS = 20;

    @Override
    public String id() {
        return "B-5";
    }

    @Override
    public String title() {
        return "CPU time of a sweep with nothing due, against the tutorial's scan";
    }

    @Override
    public List<Figure> run(BenchSettings settings, Consumer<String> progress) throws InterruptedException {
        try (BenchStack stack = BenchStack.start(settings.folder(), progress)) {
            Lane ebb = stack.lane("idle");
            Lane table = stack.lane("table");
            Workload workload = workload(settings, ebb);
            InputTopic byStream = InputTopic.fill(ebb, workload, progress);
            InputTopic byEvent = InputTopic.fill(table, workload, EventSender.BY_IDENTITY, progress);
            try (EbbSide first = EbbSide.start(byStream);
                    TutorialSide second = TutorialSide.start(byEvent)) {
                Duel<Double> duel = new Duel<>(
                        List.of(first, second), micros -> micros, "µs CPU a sweep of all partitions", progress);
                duel.warmUp(1);
                List<Duel.Round<Double>> rounds = duel.run(settings.pairs());
                first.verify();
                second.verify();
                return List.of(Figure.of(
                        "B-5",
                        "sweep with nothing due, CPU of all partitions",
                        "µs",
                        "the tutorial's scan",
                        Target.ratioAtMost(1e-4, 1e-5),
                        rounds,
                        1,
                        micros -> micros));
            }
        }
    }

    private static Workload workload(BenchSettings settings, Lane lane) {
        int events = settings.events(EVENTS, EVENTS);
        Mix mix = Mix.USUAL.protectedFirst(events / EVENTS_PER_PROTECTED);
        return new Workload(
                settings.seed(),
                events,
                Math.max(1, events / EVENTS_PER_STREAM),
                lane.partitions(),
                System.currentTimeMillis(),
                mix);
    }

    /** Ebb: the slices of one window, each of which sweeps one partition. */
    private record EbbSide(InputTopic input, EbbApp app, SliceCpu slices) implements Trial<Double>, AutoCloseable {

        static EbbSide start(InputTopic input) throws InterruptedException {
            SliceCpu slices = new SliceCpu();
            Deletions observer = new Deletions() {
                @Override
                public void taskStatus(TaskStatus status) {
                    slices.ended();
                    super.taskStatus(status);
                }
            };
            EbbApp app =
                    EbbApp.start(input.lane(), IngestBenchmark.MONTH_FROM_OCCURRED, observer, slices::asked, Map.of());
            app.take(input.lastOffsets());
            return new EbbSide(input, app, slices);
        }

        @Override
        public String name() {
            return "ebb";
        }

        @Override
        public Double run() throws InterruptedException {
            slices.reset();
            TimeUnit.MILLISECONDS.sleep(WINDOW.toMillis());
            if (slices.slices() < input.lane().partitions()) {
                throw new VoidRunException("there were " + slices.slices() + " sweeps within " + WINDOW);
            }
            return slices.microsPerSlice() * input.lane().partitions();
        }

        void verify() {
            app.requireContents(input.expected());
        }

        @Override
        public void close() {
            app.close();
        }
    }

    /** The tutorial: the next scan of each partition. */
    private record TutorialSide(InputTopic input, Application application, TutorialContender contender, Scanned scanned)
            implements Trial<Double>, AutoCloseable {

        static TutorialSide start(InputTopic input) throws InterruptedException {
            Scanned scanned = new Scanned(new AtomicLong(), new AtomicLong());
            long maxAgeMs = Duration.ofDays(30).toMillis();
            var contender = new TutorialContender(input.lane(), () -> maxAgeMs, SCAN_EVERY, scanned::add);
            DrainWatch watch = new DrainWatch(input.lastOffsets());
            var config = input.lane().newConfig(contender.name(), contender.settings());
            var application = new Application(config, contender.topology(config, watch), watch::failed);
            application.start();
            watch.awaitLast(LIMIT);
            return new TutorialSide(input, application, contender, scanned);
        }

        @Override
        public String name() {
            return "tutorial";
        }

        @Override
        public Double run() throws InterruptedException {
            int partitions = input.lane().partitions();
            scanned.count().set(0);
            scanned.cpuNanos().set(0);
            while (scanned.count().get() < partitions) {
                TimeUnit.MILLISECONDS.sleep(POLL_MS);
            }
            return scanned.cpuNanos().get() / 1e3 / scanned.count().get() * partitions;
        }

        void verify() {
            VoidRunException.requireSame(name(), contender.contents(application), input.expected());
        }

        @Override
        public void close() {
            application.close();
        }
    }

    private record Scanned(AtomicLong count, AtomicLong cpuNanos) {

        void add(int partition, long nanos) {
            cpuNanos.addAndGet(nanos);
            count.incrementAndGet();
        }
    }
}
