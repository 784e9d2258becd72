package dev.ebb.bench.runs.sweep;

import dev.ebb.bench.harness.BenchSettings;
import dev.ebb.bench.harness.Duel;
import dev.ebb.bench.harness.Figure;
import dev.ebb.bench.harness.Numbers;
import dev.ebb.bench.harness.Target;
import dev.ebb.bench.harness.Versus;
import dev.ebb.bench.harness.VoidRunException;
import dev.ebb.bench.load.Mix;
import dev.ebb.bench.load.Workload;
import dev.ebb.bench.opponents.ExpiryIndexApp;
import dev.ebb.bench.stack.BenchStack;
import dev.ebb.bench.stack.EventSender;
import dev.ebb.bench.stack.InputTopic;
import dev.ebb.bench.stack.Lane;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * B-5: the CPU time of a sweep that finds nothing, with protected events at the heads of streams, against a store
 * ordered by time that finds nothing. Both run side by side on the same events.
 *
 * <p>A slice once a second would be interpreted for hours, which says nothing of an application that runs for days. So
 * another application in the same JVM does such slices a thousand times as often first. The measured slice then comes
 * once a second, with caches as cold as that leaves them.
 */
public final class IdleBenchmark {

    private static final int EVENTS = 1_000_000;
    private static final int SHORT_EVENTS = 600_000;
    private static final int EVENTS_PER_STREAM = 10;
    private static final int EVENTS_PER_PROTECTED = 100;

    /** Twice what makes the JVM compile a method for good. */
    private static final int PRACTICE_SLICES = 30_000;

    private static final int FEW_SLICES = 100;
    private static final int PRACTICE_EVENTS = 100;
    private static final long PRACTICE_PAUSE_MS = 300;
    private static final Duration PRACTICE_LIMIT = Duration.ofMinutes(30);

    private IdleBenchmark() {}

    public static List<Figure> run(BenchSettings settings, Consumer<String> progress) throws InterruptedException {
        try (BenchStack stack = BenchStack.start(settings.folder(), progress)) {
            Lane practice = stack.lane("practice");
            InputTopic few = InputTopic.fill(
                    practice, settings.workload(PRACTICE_EVENTS, PRACTICE_EVENTS, practice.partitions()));
            int slices = settings.byLength(FEW_SLICES, PRACTICE_SLICES / (settings.isWhole() ? 4 : 2), PRACTICE_SLICES);
            practise(IdleTrial.practisingEbb(few), slices, progress);
            practice.renewTopics();
            practise(IdleTrial.practisingIndex(few), slices, progress);
            Lane lane = stack.lane("idle");
            InputTopic ofEbb = InputTopic.fill(lane, workload(settings, lane));
            InputTopic ofIndex = InputTopic.fill(stack.lane("index"), ofEbb.workload());
            try (IdleTrial ebb = IdleTrial.ebb(ofEbb);
                    IdleTrial index = IdleTrial.index(ofIndex)) {
                Duel<Double> duel =
                        new Duel<>(List.of(ebb, index), micros -> micros, "µs CPU a sweep of all partitions", progress);
                duel.warmUp(settings, 1);
                List<Duel.Round<Double>> rounds = duel.run(settings, settings.pairs());
                ebb.app().requireContents(ofEbb.expected());
                index.app().requireContents(ofIndex.expected());
                String name = "sweep with nothing due, CPU of all partitions";
                return List.of(new Versus<>(ExpiryIndexApp.TITLE, rounds)
                        .figure("B-5", name, "µs", Target.ratioAtMost(0.1, 0.01), micros -> micros));
            }
        }
    }

    private static void practise(IdleTrial practising, int slices, Consumer<String> progress)
            throws InterruptedException {
        InputTopic input = practising.input();
        EventSender sender = new EventSender(input.lane(), EventSender.BY_STREAM);
        try (IdleTrial side = practising) {
            long end = System.nanoTime() + PRACTICE_LIMIT.toNanos();
            while (side.slices().slices() < slices) {
                if (System.nanoTime() > end) {
                    throw new VoidRunException("there were no " + slices + " slices within " + PRACTICE_LIMIT);
                }
                // Code that has never met a slice with work is thrown away by the JVM when it does.
                sender.send(input.workload().generator());
                TimeUnit.MILLISECONDS.sleep(PRACTICE_PAUSE_MS);
            }
            progress.accept("%s: %,d slices for practice, %s µs a sweep"
                    .formatted(side.name(), side.slices().slices(), Numbers.text(side.microsPerSweep())));
        }
    }

    private static Workload workload(BenchSettings settings, Lane lane) {
        int events = settings.fewerEvents(SHORT_EVENTS, EVENTS);
        return settings.workload(events, Math.max(1, events / EVENTS_PER_STREAM), lane.partitions())
                .with(Mix.USUAL.protectedFirst(events / EVENTS_PER_PROTECTED));
    }
}
