package dev.ebb.model;

import java.util.Random;

/**
 * Runs a random test many times, each time with a seed of its own. A failure names its seed;
 * {@code -Dtest.seed=N} runs that case alone, {@code -Dtest.cases=N} as many as wanted.
 */
public final class SeededCases {

    private static final long BASE_SEED = 20_261_121L;

    private SeededCases() {}

    /** One case. */
    @FunctionalInterface
    public interface Case {
        void run(Random random) throws Exception;
    }

    public static void forAll(int cases, Case test) {
        Long only = Long.getLong("test.seed");
        if (only != null) {
            run(only, test);
            return;
        }
        for (long seed = BASE_SEED; seed < BASE_SEED + Integer.getInteger("test.cases", cases); seed++) {
            run(seed, test);
        }
    }

    private static void run(long seed, Case test) {
        try {
            test.run(new Random(seed * 0x9E3779B97F4A7C15L));
        } catch (Exception | AssertionError e) {
            throw new AssertionError("-Dtest.seed=" + seed + ": " + e.getMessage(), e);
        }
    }
}
