package dev.ebb.bench.harness;

import java.util.Collection;

/** Medians and percentiles. */
public final class Medians {

    private Medians() {}

    /** Returns the median; with an even count, the mean of the middle two. At least one value. */
    public static double of(Collection<Double> values) {
        double[] sorted = sorted(values);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /**
     * Returns the least value that this share of the values does not exceed (nearest rank). At least one value.
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
