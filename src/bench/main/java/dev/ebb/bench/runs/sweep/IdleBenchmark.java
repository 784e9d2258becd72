package dev.ebb.bench.runs.sweep;

import dev.ebb.bench.harness.BenchSettings;
import dev.ebb.bench.harness.Benchmark;
import dev.ebb.bench.harness.Duel;
import dev.ebb.bench.harness.Figure;
import dev.ebb.bench.harness.Numbers;
import dev.ebb.bench.harness.Target;
import dev.ebb.bench.harness.VoidRunException;
import dev.ebb.bench.load.Mix;
import dev.ebb.bench.load.Workload;
import dev.ebb.bench.stack.BenchStack;
import dev.ebb.bench.stack.EventSender;
import dev.ebb.bench.stack.InputTopic;
import dev.ebb.bench.stack.Lane;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * B-5: the CPU time of a sweep that finds nothing, with protected events at the heads of streams, against a scan of the
 * tutorial that finds nothing. Both run side by side on the same events; what is measured is the time of their threads.
 *
 * <p>A scan is compiled while it runs for the first time. A slice of Ebb's, once a second, would be interpreted for hours,
 * which says nothing of an application that runs for days. So another application in the same JVM does such slices a
 * thousand times as often first. The measured slice then comes once a second, with caches as cold as that leaves them.
 */
public final class IdleBenchmark implements Benchmark {

    private static final String NAME = "sweep with nothing due, CPU of all partitions";
    private static final String WARM_NAME = "the same, one after the other";
    private static final int EVENTS = 1_000_000;
    private static final int SHORT_EVENTS = 600_000;
    private static final int EVENTS_PER_STREAM = 10;
    private static final int EVENTS_PER_PROTECTED = 100;

    /** Twice what makes the JVM compile a method for good. */
    private static final int PRACTICE_SLICES = 30_000;

    private static final int FEW_SLICES = 100;
    private static final int PRACTICE_EVENTS = 100;
    private static final long PRACTICE_PAUSE_MS = 300;

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
            int practice =
                    settings.byLength(FEW_SLICES, PRACTICE_SLICES / (settings.isWhole() ? 4 : 2), PRACTICE_SLICES);
            InputTopic few = practiceInput(stack.lane("practice"), settings, progress);
            List<Double> warm = new ArrayList<>();
            warm.add(practise(EbbIdle.practising(few), practice, progress));
            if (settings.hasReported()) {
                few.lane().renewTopics();
                warm.add(practise(IndexIdle.practising(few), practice, progress));
            }
            InputTopic byStream = InputTopic.fill(ebb, workload, progress);
            InputTopic byEvent = InputTopic.fill(table, workload, EventSender.BY_IDENTITY, progress);
            List<InputTopic> ofIndex = new ArrayList<>();
            if (settings.hasReported()) {
                ofIndex.add(InputTopic.fill(stack.lane("index"), workload, progress));
            }
            List<IdleSide> sides = new ArrayList<>();
            try (Closing closing = () -> sides.forEach(IdleSide::close)) {
                sides.add(EbbIdle.start(byStream));
                sides.add(TutorialIdle.start(byEvent));
                for (InputTopic input : ofIndex) {
                    sides.add(IndexIdle.start(input));
                }
                Duel<Double> duel =
                        new Duel<>(List.copyOf(sides), micros -> micros, "µs CPU a sweep of all partitions", progress);
                duel.warmUp(settings, 1);
                List<Duel.Round<Double>> rounds = duel.run(settings, settings.pairs());
                sides.forEach(IdleSide::verify);
                return figures(rounds, warm);
            }
        }
    }

    /**
     * @param warm time of a sweep when they come one after the other: Ebb's, and that of the store ordered by time where it
     *     is measured
     */
    private static List<Figure> figures(List<Duel.Round<Double>> rounds, List<Double> warm) {
        Target scan = Target.ratioAtMost(1e-4, 1e-5);
        Figure cold = Figure.of("B-5", NAME, "µs", "the tutorial's scan", scan, rounds, 1, micros -> micros);
        if (warm.size() == 1) {
            return List.of(cold, Figure.alone("B-5-warm", WARM_NAME, "µs", Target.REPORTED, warm));
        }
        String index = "a store ordered by time";
        Figure.Pair pair = new Figure.Pair(warm.get(0), warm.get(1));
        return List.of(
                cold,
                Figure.of("B-5-index", NAME, "µs", index, Target.REPORTED, rounds, 2, micros -> micros),
                Figure.of("B-5-warm", WARM_NAME, "µs", index, Target.REPORTED, List.of(pair)));
    }

    private static InputTopic practiceInput(Lane lane, BenchSettings settings, Consumer<String> progress)
            throws InterruptedException {
        Workload few = settings.workload(PRACTICE_EVENTS, PRACTICE_EVENTS, lane.partitions());
        return InputTopic.fill(lane, few, progress);
    }

    /** Returns what a sweep of all partitions takes in microseconds when they come one after the other. */
    private static double practise(SlicedIdle practising, int slices, Consumer<String> progress)
            throws InterruptedException {
        InputTopic input = practising.input();
        EventSender sender = new EventSender(input.lane(), EventSender.BY_STREAM);
        try (SlicedIdle side = practising) {
            long end = System.nanoTime() + IdleSide.LIMIT.toNanos();
            while (side.slices().slices() < slices) {
                if (System.nanoTime() > end) {
                    throw new VoidRunException("there were no " + slices + " slices within " + IdleSide.LIMIT);
                }
                // Code that has never met a slice with work is thrown away by the JVM when it does.
                sender.send(input.workload().generator());
                TimeUnit.MILLISECONDS.sleep(PRACTICE_PAUSE_MS);
            }
            progress.accept("%s: %,d slices for practice, %s µs a sweep"
                    .formatted(side.name(), side.slices().slices(), Numbers.text(side.microsPerSweep())));
            return side.microsPerSweep();
        }
    }

    private static Workload workload(BenchSettings settings, Lane lane) {
        int events = settings.fewerEvents(SHORT_EVENTS, EVENTS);
        Mix mix = Mix.USUAL.protectedFirst(events / EVENTS_PER_PROTECTED);
        return new Workload(
                settings.seed(),
                events,
                Math.max(1, events / EVENTS_PER_STREAM),
                lane.partitions(),
                System.currentTimeMillis(),
                mix);
    }
}
