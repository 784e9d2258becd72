package dev.ebb.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;

/**
 * Trials in turn: A B A B …
 *
 * @param <R> what a run yields
 */
final class Duel<R> {

    /** What a JVM does first is still interpreted. */
    private static final Duration WARM_UP = Duration.ofSeconds(20);

    private final List<Trial<R>> trials;
    private final ToDoubleFunction<R> shown;
    private final String unit;
    private final Consumer<String> progress;

    /**
     * @param trials Ebb and its opponents
     * @param shown what of a run is told to the progress
     * @param unit of that
     */
    Duel(List<Trial<R>> trials, ToDoubleFunction<R> shown, String unit, Consumer<String> progress) {
        this.trials = List.copyOf(trials);
        this.shown = shown;
        this.unit = unit;
        this.progress = progress;
    }

    /**
     * One run of each.
     *
     * @param results in the order of the trials
     */
    record Round<R>(List<R> results) {

        Round {
            results = List.copyOf(results);
        }

        R of(int trial) {
            return results.get(trial);
        }
    }

    /** Rounds that do not count: at least so many, until 20 s have passed. */
    void warmUp(int atLeast) throws InterruptedException {
        long begin = System.nanoTime();
        for (int rounds = 0; rounds < atLeast || System.nanoTime() - begin < WARM_UP.toNanos(); rounds++) {
            round("warm-up");
        }
    }

    List<Round<R>> run(int rounds) throws InterruptedException {
        List<Round<R>> results = new ArrayList<>();
        for (int i = 1; i <= rounds; i++) {
            results.add(round("pair " + i + " of " + rounds));
        }
        return results;
    }

    private Round<R> round(String what) throws InterruptedException {
        List<R> results = new ArrayList<>();
        StringJoiner line = new StringJoiner(", ", what + ": ", " " + unit);
        for (Trial<R> trial : trials) {
            R result = trial.run();
            results.add(result);
            line.add(trial.name() + " " + Numbers.text(shown.applyAsDouble(result)));
        }
        progress.accept(line.toString());
        return new Round<>(results);
    }
}
