package dev.ebb.model;

import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

/**
 * Runs a random test many times, each time with a seed of its own. A failure names its seed;
 * {@code -Dtest.seed=N} runs that case alone, {@code -Dtest.cases=N} as many as wanted, for example
 * {@code mvn test -Dtest=RetentionModelTest -Dtest.cases=100000}.
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
        forSome(Integer.getInteger("test.cases", cases), test);
    }

    /** Runs a case that takes long: a hundredth of the cases that are asked for, and at least so many. */
    public static void forAFew(int cases, Case test) {
        forSome(Math.max(cases, Integer.getInteger("test.cases", 0) / 100), test);
    }

    /** Exactly so many cases, whatever is asked for. */
    public static void forTheFirst(int cases, Case test) {
        forTheFirst(cases, 0, test);
    }

    /**
     * As many cases, but in another order.
     *
     * @param from the number of the case that comes first, 0 or more; the cases before it come last
     */
    public static void forTheFirst(int cases, int from, Case test) {
        for (int number = 0; number < cases; number++) {
            run(BASE_SEED + (from + number) % cases, test);
        }
    }

    /** Runs the case with that seed, whatever is asked for. */
    public static void forOne(long seed, Case test) {
        run(seed, test);
    }

    /** Runs cases that share nothing, on all cores. */
    public static void forAllOnEveryCore(int cases, Case test) throws InterruptedException {
        Long only = Long.getLong("test.seed");
        if (only == null) {
            onEveryCore(Integer.getInteger("test.cases", cases), test);
        } else {
            run(only, test);
        }
    }

    private static void onEveryCore(int cases, Case test) throws InterruptedException {
        ExecutorService cores =
                Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
        try {
            List<Future<?>> runs = LongStream.range(BASE_SEED, BASE_SEED + cases)
                    .<Future<?>>mapToObj(seed -> cores.submit(() -> run(seed, test)))
                    .toList();
            for (Future<?> run : runs) {
                run.get();
            }
        } catch (ExecutionException e) {
            throw (AssertionError) e.getCause();
        } finally {
            cores.shutdownNow();
            cores.awaitTermination(1, TimeUnit.MINUTES);
        }
    }

    private static void forSome(int cases, Case test) {
        Long only = Long.getLong("test.seed");
        if (only == null) {
            forTheFirst(cases, test);
        } else {
            run(only, test);
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
