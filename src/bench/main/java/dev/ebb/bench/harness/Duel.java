package dev.ebb.bench.harness;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Trials in turn: A B A B …
 *
 * @param <R> type of the result of a run
 */
public final class Duel<R> {

    /** A JVM interprets code at first. */
    private static final Duration WARM_UP = Duration.ofSeconds(20);

    /**
     * Compiling takes a core from the measured work: a trial is warm when compiling takes less than this share of the
     * time of a run.
     */
    private static final double WARM_COMPILING = 0.1;

    private static final int MAX_WARM_UPS = 10;
    private static final int MAX_SHORT_WARM_UPS = 4;

    private final List<Trial<R>> trials;
    private final ToDoubleFunction<R> shown;
    private final String unit;
    private final Consumer<String> progress;
    private final LongSupplier nanoClock;
    private final LongSupplier compilingNanos;
    private final Function<BenchSettings, TimeLimit> limits;

    /** Set by the warm-up, or else by the first run. */
    private @Nullable TimeLimit time;

    /**
     * @param trials Ebb and its opponents
     * @param shown the figure of a run that the progress shows
     * @param unit the unit of that figure
     */
    public Duel(List<Trial<R>> trials, ToDoubleFunction<R> shown, String unit, Consumer<String> progress) {
        this(trials, shown, unit, progress, System::nanoTime, Duel::compiledNanos, BenchSettings::timeFromNow);
    }

    /**
     * @param nanoClock measures the time of a trial
     * @param compilingNanos returns the time spent on compiling so far
     * @param limits returns the time in which runs may begin
     */
    Duel(
            List<Trial<R>> trials,
            ToDoubleFunction<R> shown,
            String unit,
            Consumer<String> progress,
            LongSupplier nanoClock,
            LongSupplier compilingNanos,
            Function<BenchSettings, TimeLimit> limits) {
        this.limits = limits;
        this.nanoClock = nanoClock;
        this.compilingNanos = compilingNanos;
        this.trials = List.copyOf(trials);
        this.shown = shown;
        this.unit = unit;
        this.progress = progress;
    }

    /**
     * One run of each trial.
     *
     * @param results the results, in the order of the trials
     */
    public record Round<R>(List<R> results) {

        public Round {
            results = List.copyOf(results);
        }

        public R of(int trial) {
            return results.get(trial);
        }
    }

    /**
     * Runs rounds that do not count, for trials that run the same code: at least this number, until 20 s have passed.
     */
    public void warmUp(BenchSettings settings, int atLeast) throws InterruptedException {
        if (settings.length() == BenchSettings.Length.ONCE) {
            return;
        }
        TimeLimit limit = begin(settings);
        long begin = nanoClock.getAsLong();
        for (int rounds = 0; rounds < atLeast || nanoClock.getAsLong() - begin < WARM_UP.toNanos(); rounds++) {
            if (rounds > 0 && limit.isHalfOver()) {
                return;
            }
            round("warm-up");
        }
    }

    private TimeLimit begin(BenchSettings settings) {
        TimeLimit begun = time == null ? limits.apply(settings) : time;
        time = begun;
        return begun;
    }

    /**
     * Makes runs that do not count, for trials that have little in common: at least {@link Trial#warmUps} of each,
     * until each trial has run for 20 s itself, and either compiles little any more or has made ten runs. Runs of other
     * trials compile none of its code, so a trial that has had enough waits for the others. In the short form half the
     * number of runs is enough, four are the most, and all end when half of the time is over; with a single run of
     * each, there is no warm-up.
     */
    public void warmUpEach(BenchSettings settings) throws InterruptedException {
        TimeLimit limit = begin(settings);
        List<WarmUp> warmUps =
                trials.stream().map(trial -> warmUp(trial, settings.length())).toList();
        boolean isFirst = true;
        while (warmUps.stream().anyMatch(WarmUp::isWanted)) {
            if (!isFirst && limit.isHalfOver()) {
                return;
            }
            isFirst = false;
            StringJoiner line = new StringJoiner(", ", "warm-up: ", " " + unit);
            for (int i = 0; i < trials.size(); i++) {
                if (warmUps.get(i).isWanted()) {
                    warmUps.get(i).run(trials.get(i), line);
                }
            }
            progress.accept(line.toString());
        }
    }

    private WarmUp warmUp(Trial<R> trial, BenchSettings.Length length) {
        return switch (length) {
            case ONCE -> new WarmUp(0, 0, Duration.ZERO);
            case SHORT -> new WarmUp((trial.warmUps() + 1) / 2, MAX_SHORT_WARM_UPS, WARM_UP);
            case LONG -> new WarmUp(trial.warmUps(), MAX_WARM_UPS, WARM_UP);
        };
    }

    /** Warm-up of one trial. */
    private final class WarmUp {

        private final int atLeast;
        private final int most;
        private final Duration least;
        private int runs;
        private long nanos;
        private boolean isCompiled;

        WarmUp(int atLeast, int most, Duration least) {
            this.atLeast = atLeast;
            this.most = most;
            this.least = least;
        }

        boolean isWanted() {
            boolean isEnough = runs >= atLeast && nanos >= least.toNanos();
            return !isEnough || (!isCompiled && runs < most);
        }

        void run(Trial<R> trial, StringJoiner line) throws InterruptedException {
            long begin = nanoClock.getAsLong();
            long compiledBefore = compilingNanos.getAsLong();
            Duel.this.run(trial, line);
            long took = nanoClock.getAsLong() - begin;
            isCompiled = compilingNanos.getAsLong() - compiledBefore < WARM_COMPILING * took;
            nanos += took;
            runs++;
        }
    }

    private static long compiledNanos() {
        return TimeUnit.MILLISECONDS.toNanos(
                ManagementFactory.getCompilationMXBean().getTotalCompilationTime());
    }

    /** Runs rounds that count: the given number, or fewer if the time of the short form is over, but at least one. */
    public List<Round<R>> run(BenchSettings settings, int rounds) throws InterruptedException {
        TimeLimit limit = begin(settings);
        List<Round<R>> results = new ArrayList<>();
        for (int i = 1; i <= rounds; i++) {
            if (i > 1 && limit.isOver()) {
                progress.accept("the time of the short form is over: " + (i - 1) + " of " + rounds + " pairs");
                return results;
            }
            results.add(round("pair " + i + " of " + rounds));
        }
        return results;
    }

    private Round<R> round(String what) throws InterruptedException {
        List<R> results = new ArrayList<>();
        StringJoiner line = new StringJoiner(", ", what + ": ", " " + unit);
        for (Trial<R> trial : trials) {
            results.add(run(trial, line));
        }
        progress.accept(line.toString());
        return new Round<>(results);
    }

    private R run(Trial<R> trial, StringJoiner line) throws InterruptedException {
        R result = trial.run();
        line.add(trial.name() + " " + Numbers.text(shown.applyAsDouble(result)));
        return result;
    }
}
