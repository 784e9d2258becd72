package dev.ebb.bench.harness;

import java.util.Collection;

/** The middle of some numbers, and how far the worst of them go. */
public final class Medians {

    private Medians() {}

    /** The middle one; between two of them the mean. At least one number. */
    public static double of(Collection<Double> values) {
        double[] sorted = sorted(values);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /**
     * The least number that so many of them do not exceed (nearest rank). At least one number.
     *
     * @param share above 0, at most 1
     */
    public static double percentile(Collection<Double> values, double share) {
        double[] sorted = sorted(values);
        return sorted[(int) Math.ceil(share * sorted.length) - 1];
    }

    private static double[] sorted(Collection<Double> values) {
        if (values.isEmpty()) {
            throw new IllegalArgumentException("nothing was measured");
        }
        return values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    }
}
