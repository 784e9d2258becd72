package dev.ebb.bench;

import java.util.List;
import java.util.Optional;

/** All measurements that there are. */
public final class Benchmarks {

    private static final List<Benchmark> ALL = List.of(new IngestBenchmark());

    private Benchmarks() {}

    public static List<Benchmark> all() {
        return ALL;
    }

    /** The one with that id, in upper or lower case. */
    public static Optional<Benchmark> find(String id) {
        return ALL.stream()
                .filter(benchmark -> benchmark.id().equalsIgnoreCase(id))
                .findFirst();
    }
}
