package dev.ebb.bench.runs.ingest;

import dev.ebb.bench.harness.BenchSettings;
import dev.ebb.bench.harness.Figure;
import dev.ebb.bench.harness.Target;
import dev.ebb.bench.harness.TimeLimit;
import dev.ebb.bench.load.Mix;
import dev.ebb.bench.load.Workload;
import dev.ebb.bench.stack.BenchStack;
import dev.ebb.bench.stack.EbbApp;
import dev.ebb.bench.stack.EventSender;
import dev.ebb.bench.stack.Expirations;
import dev.ebb.bench.stack.IntakeProgress;
import dev.ebb.bench.stack.Lane;
import dev.ebb.bench.stack.Model;
import dev.ebb.bench.stack.Policies;
import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * B-7: ingest while a sweep runs at full speed, against the ingest of the same application without one. The application
 * holds old events, is paused while its input is filled, and then drains the input; the second time, old events are due
 * meanwhile.
 */
public final class MixedBenchmark {

    private static final int SHORT_EVENTS = 150_000;
    private static final int LONG_EVENTS = 2_000_000;
    private static final int STREAMS = 1000;
    private static final int OLD_PER_NEW = 2;
    private static final Duration AGE_OF_OLD = Duration.ofDays(10);
    private static final RetentionPolicy DROP_OLD = Policies.settled(RetentionPolicy.of(Scope.ALL)
            .anchor(Anchor.OCCURRED)
            .maxAge(Limit.of(Duration.ofDays(5).toMillis()))
            .build());

    /**
     * Both rates of one application.
     *
     * @param alone events a second without a sweep
     * @param sweeping events a second during a sweep
     * @param gapMs the longest time without intake on a thread during the sweep, in milliseconds
     */
    private record Mixed(double alone, double sweeping, double gapMs) {}

    /** Progress over time. */
    private record Mark(long nanos, long taken) {

        static final Mark NONE = new Mark(0, 0);
    }

    private MixedBenchmark() {}

    public static List<Figure> run(BenchSettings settings, Consumer<String> progress) throws InterruptedException {
        try (BenchStack stack = BenchStack.start(settings.folder(), progress)) {
            Lane lane = stack.lane("mixed");
            List<Mixed> runs = new ArrayList<>();
            TimeLimit time = settings.timeFromNow();
            for (int run = 0; run <= settings.pairs() && (runs.isEmpty() || !time.isOver()); run++) {
                Mixed mixed = new Run(lane, settings).measure();
                progress.accept(String.format(
                        Locale.ROOT,
                        "%s: alone %,.0f events/s, while sweeping %,.0f events/s, longest gap %.0f ms",
                        run == 0 ? "warm-up" : "pair " + run + " of " + settings.pairs(),
                        mixed.alone(),
                        mixed.sweeping(),
                        mixed.gapMs()));
                if (run > 0) {
                    runs.add(mixed);
                }
            }
            return figures(runs);
        }
    }

    private static List<Figure> figures(List<Mixed> runs) {
        List<Figure.Pair> pairs = runs.stream()
                .map(run -> new Figure.Pair(run.sweeping(), run.alone()))
                .toList();
        List<Double> gaps = runs.stream().map(Mixed::gapMs).toList();
        Target rate = Target.ratioAtLeast(0.5, 0.7);
        Target gap = Target.valueAtMost(250, 250);
        return List.of(
                Figure.of("B-7", "ingest while sweeping", "events/s", "ingest alone", rate, pairs),
                Figure.alone("B-7-gap", "longest gap in ingest while sweeping", "ms", gap, gaps));
    }

    /** One application from its first event to its last. */
    private static final class Run {

        private final Lane lane;
        private final Workload old;
        private final Workload first;
        private final Workload second;
        private final EventSender sender;

        Run(Lane lane, BenchSettings settings) {
            this.lane = lane;
            int events = settings.events(SHORT_EVENTS, LONG_EVENTS);
            long now = System.currentTimeMillis();
            // Some events with an own TTL would be due before they are stored.
            Mix happenedLongAgo = Mix.USUAL.withoutTtl().ago(AGE_OF_OLD);
            old = new Workload(settings.seed(), OLD_PER_NEW * events, STREAMS, lane.partitions(), now, happenedLongAgo);
            first = new Workload(settings.seed() + 1, events, STREAMS, lane.partitions(), now);
            second = new Workload(settings.seed() + 2, events, STREAMS, lane.partitions(), now);
            sender = new EventSender(lane, EventSender.BY_STREAM);
        }

        Mixed measure() throws InterruptedException {
            lane.renewAllTopics();
            try (EbbApp app = EbbApp.start(lane, Policies.KEEP)) {
                app.take(sender.send(old.generator()));
                double alone = drainAlone(app);
                Mixed mixed = drainSweeping(app, alone);
                app.awaitCommitted();
                app.requireContents(Model.guarded(old).plus(Model.all(first)).plus(Model.all(second)));
                return mixed;
            }
        }

        private double drainAlone(EbbApp app) throws InterruptedException {
            app.streams().pause();
            long[] last = sender.send(first.generator());
            long before = app.intake().count();
            app.intake().reset();
            app.streams().resume();
            app.take(last);
            return rate(new Mark(app.intake().firstNanos(), before), app.intake());
        }

        private Mixed drainSweeping(EbbApp app, double alone) throws InterruptedException {
            app.streams().pause();
            long[] last = sender.send(second.generator());
            Expirations deletions = app.expirations();
            deletions.expect(Model.due(old));
            AtomicReference<Mark> begin = new AtomicReference<>(Mark.NONE);
            AtomicReference<Mark> end = new AtomicReference<>(Mark.NONE);
            deletions.onFirst(() -> {
                app.intake().reset();
                begin.set(new Mark(System.nanoTime(), app.intake().count()));
            });
            deletions.onLast(
                    () -> end.set(new Mark(System.nanoTime(), app.intake().count())));
            app.streams().resume();
            new Policies(lane).putInForce(DROP_OLD);
            app.take(last);
            deletions.await(Expirations.LIMIT);
            double gapMs = app.intake().longestGap().toNanos() / 1e6;
            Mark from = Objects.requireNonNull(begin.get());
            Mark swept = Objects.requireNonNull(end.get());
            double sweeping = swept.nanos() < app.intake().lastNanos()
                    ? (swept.taken() - from.taken()) * 1e9 / (swept.nanos() - from.nanos())
                    : rate(from, app.intake());
            return new Mixed(alone, sweeping, gapMs);
        }

        private static double rate(Mark from, IntakeProgress intake) {
            return (intake.count() - from.taken()) * 1e9 / (intake.lastNanos() - from.nanos());
        }
    }
}
