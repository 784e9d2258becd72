package dev.ebb.bench.load;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/** Draws numbers from 0 on by Zipf's law: number k has the weight 1 / (k + 1). Immutable. */
public final class Zipf {

    private final double[] cumulative;

    /** @param size count of numbers to draw from, at least 1 */
    public Zipf(int size) {
        cumulative = new double[size];
        double sum = 0;
        for (int i = 0; i < size; i++) {
            sum += 1.0 / (i + 1);
            cumulative[i] = sum;
        }
        for (int i = 0; i < size; i++) {
            cumulative[i] /= sum;
        }
    }

    int size() {
        return cumulative.length;
    }

    int draw(RandomGenerator random) {
        int found = Arrays.binarySearch(cumulative, random.nextDouble());
        return Math.min(size() - 1, found < 0 ? -found - 1 : found + 1);
    }

    /** Returns the share of all draws that fall on this number, from 0 to 1. */
    double share(int number) {
        return cumulative[number] - (number == 0 ? 0 : cumulative[number - 1]);
    }
}
