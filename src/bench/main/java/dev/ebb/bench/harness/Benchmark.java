package dev.ebb.bench.harness;

import java.util.List;
import java.util.function.Consumer;

/**
 * One measurement: runs the compared applications in turn.
 *
 * @param id the name, such as {@code B-1}
 * @param title the compared applications, in one line
 * @param shortSeconds about the time that it takes where all are measured in the short form, on two idle cores
 * @param measurement measures
 */
public record Benchmark(String id, String title, int shortSeconds, Measurement measurement) {

    /** Makes figures. */
    @FunctionalInterface
    public interface Measurement {

        /**
         * Measures. Leaves nothing behind when it returns.
         *
         * @param progress takes a line of progress now and then
         * @throws VoidRunException if a run ended with a wrong result
         */
        List<Figure> run(BenchSettings settings, Consumer<String> progress) throws InterruptedException;
    }
}
