package dev.ebb.bench.runs;

import dev.ebb.bench.harness.Benchmark;
import dev.ebb.bench.runs.ingest.CapBenchmark;
import dev.ebb.bench.runs.ingest.IngestBenchmark;
import dev.ebb.bench.runs.ingest.LastPartBenchmark;
import dev.ebb.bench.runs.ingest.MixedBenchmark;
import dev.ebb.bench.runs.ingest.SeriesBenchmark;
import dev.ebb.bench.runs.ingest.TableBenchmark;
import dev.ebb.bench.runs.reads.ReadsBenchmark;
import dev.ebb.bench.runs.rest.CommandBenchmark;
import dev.ebb.bench.runs.rest.RestingBenchmark;
import dev.ebb.bench.runs.rest.RestoreBenchmark;
import dev.ebb.bench.runs.rest.StartBenchmark;
import dev.ebb.bench.runs.sql.LatenessBenchmark;
import dev.ebb.bench.runs.sql.MirrorBenchmark;
import dev.ebb.bench.runs.sql.SqlPaceBenchmark;
import dev.ebb.bench.runs.sweep.EraseBenchmark;
import dev.ebb.bench.runs.sweep.GrowingBenchmark;
import dev.ebb.bench.runs.sweep.IdleBenchmark;
import dev.ebb.bench.runs.sweep.PauseBenchmark;
import dev.ebb.bench.runs.sweep.PolicyBenchmark;
import dev.ebb.bench.runs.sweep.SweepBenchmark;
import dev.ebb.bench.runs.sweep.TombstoneBenchmark;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** All measurements that there are. */
public final class Benchmarks {

    private static final List<Benchmark> RULES = List.of(
            new IngestBenchmark(),
            new TableBenchmark(),
            new SweepBenchmark(),
            new GrowingBenchmark(),
            new IdleBenchmark(),
            new PauseBenchmark(),
            new MixedBenchmark(),
            new PolicyBenchmark(),
            new CapBenchmark(),
            new TombstoneBenchmark(),
            new RestoreBenchmark(),
            new MirrorBenchmark(),
            new LatenessBenchmark(),
            SeriesBenchmark.scale(),
            new SqlPaceBenchmark(),
            new EraseBenchmark(),
            new LastPartBenchmark(),
            new RestingBenchmark(),
            new CommandBenchmark(),
            new ReadsBenchmark());

    private static final List<Benchmark> GROWTH = List.of(
            SeriesBenchmark.streams(),
            SeriesBenchmark.events(),
            SeriesBenchmark.partitions(),
            SeriesBenchmark.hotStream(),
            new StartBenchmark());

    private Benchmarks() {}

    /** Those that are measured where nothing is asked for. */
    public static List<Benchmark> rules() {
        return RULES;
    }

    /** All measurements, those of growth included. */
    public static List<Benchmark> all() {
        return Stream.concat(RULES.stream(), GROWTH.stream()).toList();
    }

    /** The one with that id, in upper or lower case; {@code growth} is all measurements of growth. */
    public static List<Benchmark> find(String id) {
        String wanted = id.toLowerCase(Locale.ROOT);
        List<Benchmark> exact = all().stream()
                .filter(benchmark -> benchmark.id().toLowerCase(Locale.ROOT).equals(wanted))
                .toList();
        return exact.isEmpty()
                ? GROWTH.stream()
                        .filter(benchmark -> benchmark.id().startsWith(wanted + "-"))
                        .toList()
                : exact;
    }
}
