package dev.ebb.bench.runs;

import dev.ebb.bench.harness.BenchSettings;
import dev.ebb.bench.harness.Benchmark;
import dev.ebb.bench.harness.Duel;
import dev.ebb.bench.harness.Figure;
import dev.ebb.bench.harness.Numbers;
import dev.ebb.bench.harness.SliceCpu;
import dev.ebb.bench.harness.Target;
import dev.ebb.bench.harness.Trial;
import dev.ebb.bench.harness.VoidRunException;
import dev.ebb.bench.load.Mix;
import dev.ebb.bench.load.Workload;
import dev.ebb.bench.opponents.TutorialContender;
import dev.ebb.bench.stack.Application;
import dev.ebb.bench.stack.BenchStack;
import dev.ebb.bench.stack.Deletions;
import dev.ebb.bench.stack.DrainWatch;
import dev.ebb.bench.stack.EbbApp;
import dev.ebb.bench.stack.EventSender;
import dev.ebb.bench.stack.InputTopic;
import dev.ebb.bench.stack.Lane;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.topology.observe.TaskStatus;
import dev.ebb.topology.parts.TopologySettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * B-5: the CPU time of a sweep that finds nothing, with protected events at the heads of streams, against a scan of the
 * tutorial that finds nothing. Both run side by side on the same events; what is measured is the time of their threads.
 *
 * <p>A scan is compiled while it runs for the first time. A slice of Ebb's, once a second, would be interpreted for hours,
 * which says nothing of an application that runs for days. So another application in the same JVM does such slices a
 * thousand times as often first. The measured slice then comes once a second, with caches as cold as that leaves them.
 */
final class IdleBenchmark implements Benchmark {

    private static final int EVENTS = 1_000_000;
    private static final int EVENTS_PER_STREAM = 10;
    private static final int EVENTS_PER_PROTECTED = 100;
    private static final Duration SCAN_EVERY = Duration.ofSeconds(3);
    private static final Duration WINDOW = Duration.ofSeconds(20);

    /** Twice what makes the JVM compile a method for good. */
    private static final int PRACTICE_SLICES = 30_000;

    private static final int PRACTICE_EVENTS = 100;
    private static final Duration PRACTICE_PERIOD = Duration.ofMillis(1);
    private static final long PRACTICE_PAUSE_MS = 300;
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
            double warm = practise(stack.lane("practice"), settings, progress);
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
                return List.of(
                        Figure.of(
                                "B-5",
                                "sweep with nothing due, CPU of all partitions",
                                "µs",
                                "the tutorial's scan",
                                Target.ratioAtMost(1e-4, 1e-5),
                                rounds,
                                1,
                                micros -> micros),
                        Figure.alone(
                                "B-5-warm", "the same, one after the other", "µs", Target.REPORTED, List.of(warm)));
            }
        }
    }

    /** Returns what a sweep of all partitions takes in microseconds when they come one after the other. */
    private static double practise(Lane lane, BenchSettings settings, Consumer<String> progress)
            throws InterruptedException {
        InputTopic input =
                InputTopic.fill(lane, settings.workload(PRACTICE_EVENTS, PRACTICE_EVENTS, lane.partitions()), progress);
        EventSender sender = new EventSender(lane, EventSender.BY_STREAM);
        try (EbbSide side = EbbSide.practising(input)) {
            long end = System.nanoTime() + LIMIT.toNanos();
            while (side.slices().slices() < PRACTICE_SLICES) {
                if (System.nanoTime() > end) {
                    throw new VoidRunException("there were no " + PRACTICE_SLICES + " slices within " + LIMIT);
                }
                // Code that has never met a slice with work is thrown away by the JVM when it does.
                sender.send(input.workload().generator());
                TimeUnit.MILLISECONDS.sleep(PRACTICE_PAUSE_MS);
            }
            progress.accept("%,d slices for practice, %s µs each"
                    .formatted(
                            side.slices().slices(), Numbers.text(side.slices().microsPerSlice())));
            return side.slices().microsPerSlice() * lane.partitions();
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
            return start(input, IngestBenchmark.MONTH_FROM_OCCURRED, TopologySettings.IDLE_PERIOD, Map.of());
        }

        /** Practises the measured work with the same classes, so that the code that the JVM has compiled stands. */
        static EbbSide practising(InputTopic input) throws InterruptedException {
            RetentionPolicy policy = IngestBenchmark.MONTH_FROM_OCCURRED.toBuilder()
                    .intervalMs(PRACTICE_PERIOD.toMillis())
                    .build();
            return start(input, policy, PRACTICE_PERIOD, Map.of("kafka.poll.ms", "1"));
        }

        private static EbbSide start(
                InputTopic input, RetentionPolicy policy, Duration idlePeriod, Map<String, String> settings)
                throws InterruptedException {
            SliceCpu slices = new SliceCpu();
            Deletions observer = new Deletions() {
                @Override
                public void taskStatus(TaskStatus status) {
                    super.taskStatus(status);
                    slices.ended();
                }

                @Override
                public void taskRested(int partition, long pointMs, long completedMs, long nextMs) {
                    super.taskRested(partition, pointMs, completedMs, nextMs);
                    slices.ended();
                }
            };
            EbbApp app = EbbApp.start(input.lane(), policy, observer, slices::asked, idlePeriod, settings);
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
