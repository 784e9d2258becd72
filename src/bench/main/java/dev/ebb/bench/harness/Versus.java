package dev.ebb.bench.harness;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The first trial of a duel against another one.
 *
 * @param against the name of the other one in tables
 * @param opponent the place of the other one among the trials
 */
public record Versus<R>(String against, List<Duel.Round<R>> rounds, int opponent) {

    /** Makes a comparison with the second trial. */
    public Versus(String against, List<Duel.Round<R>> rounds) {
        this(against, rounds, 1);
    }

    /** Returns one part of the results as a figure. */
    public Figure figure(String id, String name, String unit, Target target, ToDoubleFunction<R> part) {
        List<Figure.Pair> pairs = rounds.stream()
                .map(round -> new Figure.Pair(part.applyAsDouble(round.of(0)), part.applyAsDouble(round.of(opponent))))
                .toList();
        return Figure.of(id, name, unit, against, target, pairs);
    }

    /** Returns the rate by the clock and the rate by the CPU time of all processes. */
    public List<Figure> rates(
            String id, String name, String what, Target byClock, Target byCpu, ToRate<? super R> rateOf) {
        return List.of(
                figure(id, name, what + "/s", byClock, result -> rateOf.of(result)
                        .perSecond()),
                figure(id + "-cpu", name + ", CPU of all processes", what + "/CPU-s", byCpu, result -> rateOf.of(result)
                        .perCpuSecond()));
    }

    /** Returns the rates of results that are rates themselves. */
    public static List<Figure> rates(
            Versus<Rate> versus, String id, String name, String what, Target byClock, Target byCpu) {
        return versus.rates(id, name, what, byClock, byCpu, rate -> rate);
    }

    /** Returns the rate of a result. */
    @FunctionalInterface
    public interface ToRate<R> {

        Rate of(R result);
    }
}
