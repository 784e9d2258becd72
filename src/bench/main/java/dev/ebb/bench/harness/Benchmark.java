package dev.ebb.bench.harness;

import java.util.List;
import java.util.function.Consumer;

/** One measurement: two things run in turn. */
public interface Benchmark {

    /** Name such as {@code B-1}. */
    String id();

    /** The things that are compared, in one line. */
    String title();

    /**
     * Measures. Nothing of it is left when it returns.
     *
     * @param progress hears a line now and then
     * @throws VoidRunException if a run ended wrong
     */
    List<Figure> run(BenchSettings settings, Consumer<String> progress) throws InterruptedException;
}
