package dev.ebb.bench.harness;

import java.util.List;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/**
 * Result of a measurement, and of its opponent.
 *
 * @param id the id of the measurement, and the name of its file
 * @param name name of the measured quantity
 * @param value the value of Ebb, the median of all runs; not a number if it was skipped
 * @param unit the unit of both values
 * @param against the opponent of Ebb; empty if there is none
 * @param againstValue the value of the opponent, the median of all runs; empty if there is none
 * @param ratio the median of the ratios of the pairs; empty if there is no opponent
 * @param target the target of the value or of the ratio
 * @param grade grade of the value
 * @param pairs the runs in order; empty if there is no opponent
 * @param note a remark for the reader; empty if there is none
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
     * Two consecutive runs.
     *
     * @param value the value of Ebb
     * @param against the value of the opponent
     */
    public record Pair(double value, double against) {

        /** Returns the value of Ebb as a share of that of the opponent. */
        public double ratio() {
            return value / against;
        }
    }

    /** Returns a figure of Ebb against an opponent: the median of the ratios counts, not the ratio of the medians. */
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

    /** Returns a figure of Ebb alone: the median of the runs. */
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

    /** Returns a figure that says why it was not measured. */
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
