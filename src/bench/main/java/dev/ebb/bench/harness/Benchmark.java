package dev.ebb.bench.harness;

import java.util.List;
import java.util.function.Consumer;

/** One measurement: runs the compared applications in turn. */
public interface Benchmark {

    /** Returns the name, such as {@code B-1}. */
    String id();

    /** Returns the compared applications, in one line. */
    String title();

    /**
     * Measures. Leaves nothing behind when it returns.
     *
     * @param progress takes a line of progress now and then
     * @throws VoidRunException if a run ended with a wrong result
     */
    List<Figure> run(BenchSettings settings, Consumer<String> progress) throws InterruptedException;
}
