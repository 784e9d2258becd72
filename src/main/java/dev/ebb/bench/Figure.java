package dev.ebb.bench;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What was measured, against what.
 *
 * @param id which measurement
 * @param name what was measured
 * @param value Ebb's, the median of all runs
 * @param unit of both values
 * @param against what Ebb was compared with
 * @param againstValue the other's, the median of all runs
 * @param ratio the median of the ratios of the pairs
 * @param target what the ratio should be
 * @param reached whether it is
 * @param pairs the runs in their order
 */
public record Figure(
        String id,
        String name,
        double value,
        String unit,
        String against,
        double againstValue,
        double ratio,
        String target,
        boolean reached,
        List<Pair> pairs) {

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

    static Figure of(String id, String name, String unit, String against, Target target, List<Pair> pairs) {
        double ratio = median(pairs, Pair::ratio);
        return new Figure(
                id,
                name,
                median(pairs, Pair::value),
                unit,
                against,
                median(pairs, Pair::against),
                ratio,
                target.toString(),
                target.isReachedBy(ratio),
                pairs);
    }

    private static double median(List<Pair> pairs, ToDoubleFunction<Pair> part) {
        double[] sorted = pairs.stream().mapToDouble(part).sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
