package dev.ebb.bench.harness;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/**
 * Result of a measurement, and of its opponent.
 *
 * @param id id of the measurement; the name of its file
 * @param name name of the measured quantity
 * @param value Ebb's, the median of all runs; not a number if it was skipped
 * @param unit of both values
 * @param against the opponent of Ebb; empty if there is none
 * @param againstValue the other's, the median of all runs; empty if there is no other
 * @param ratio the median of the ratios of the pairs; empty if there is no other
 * @param target its target
 * @param grade grade of the value
 * @param pairs the runs in their order; empty if there is no other
 * @param note a remark that has to be known; empty if there is none
 */
public record Figure(
        String id,
        String name,
        double value,
        String unit,
        String against,
        OptionalDouble againstValue,
        OptionalDouble ratio,
        String target,
        Grade grade,
        List<Pair> pairs,
        String note) {

    public Figure {
        pairs = List.copyOf(pairs);
    }

    /**
     * Two runs, one after the other.
     *
     * @param value Ebb's
     * @param against the other's
     */
    public record Pair(double value, double against) {

        /** Ebb's part of the other's. */
        public double ratio() {
            return value / against;
        }
    }

    /** Ebb against another: the median of the ratios counts, not the ratio of the medians. */
    public static Figure of(String id, String name, String unit, String against, Target target, List<Pair> pairs) {
        OptionalDouble ratio = OptionalDouble.of(median(pairs, Pair::ratio));
        double value = median(pairs, Pair::value);
        return new Figure(
                id,
                name,
                value,
                unit,
                against,
                OptionalDouble.of(median(pairs, Pair::against)),
                ratio,
                target.toString(),
                target.grade(value, ratio),
                pairs,
                "");
    }

    /** A figure from the rounds of a duel: the first trial against another one. */
    public static <R> Figure of(
            String id,
            String name,
            String unit,
            String against,
            Target target,
            List<Duel.Round<R>> rounds,
            int opponent,
            ToDoubleFunction<R> part) {
        List<Pair> pairs = new ArrayList<>();
        for (Duel.Round<R> round : rounds) {
            pairs.add(new Pair(part.applyAsDouble(round.of(0)), part.applyAsDouble(round.of(opponent))));
        }
        return of(id, name, unit, against, target, pairs);
    }

    /** Ebb alone: the median of the runs. */
    public static Figure alone(String id, String name, String unit, Target target, List<Double> values) {
        double value = Medians.of(values);
        return new Figure(
                id,
                name,
                value,
                unit,
                "",
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                target.toString(),
                target.grade(value, OptionalDouble.empty()),
                List.of(),
                "");
    }

    /** Says why something was not measured. */
    public static Figure skipped(String id, String name, String against, String why) {
        return new Figure(
                id,
                name,
                Double.NaN,
                "",
                against,
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                "",
                Grade.SKIPPED,
                List.of(),
                why);
    }

    private static double median(List<Pair> pairs, ToDoubleFunction<Pair> part) {
        return Medians.of(pairs.stream().map(part::applyAsDouble).toList());
    }
}
