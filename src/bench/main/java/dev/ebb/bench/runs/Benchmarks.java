package dev.ebb.bench.runs;

import static java.util.Map.entry;

import dev.ebb.bench.harness.BenchSettings;
import dev.ebb.bench.harness.Benchmark;
import dev.ebb.bench.runs.ingest.CapBenchmark;
import dev.ebb.bench.runs.ingest.IngestBenchmark;
import dev.ebb.bench.runs.ingest.LastPartBenchmark;
import dev.ebb.bench.runs.ingest.MixedBenchmark;
import dev.ebb.bench.runs.ingest.SeriesBenchmark;
import dev.ebb.bench.runs.ingest.TableBenchmark;
import dev.ebb.bench.runs.reads.FleetBenchmark;
import dev.ebb.bench.runs.reads.ReadsBenchmark;
import dev.ebb.bench.runs.rest.CommandBenchmark;
import dev.ebb.bench.runs.rest.KillBenchmark;
import dev.ebb.bench.runs.rest.RestingBenchmark;
import dev.ebb.bench.runs.rest.RestoreBenchmark;
import dev.ebb.bench.runs.rest.StartBenchmark;
import dev.ebb.bench.runs.sql.LatenessBenchmark;
import dev.ebb.bench.runs.sql.MirrorBenchmark;
import dev.ebb.bench.runs.sql.SqlPaceBenchmark;
import dev.ebb.bench.runs.sql.UndoBenchmark;
import dev.ebb.bench.runs.sweep.EraseBenchmark;
import dev.ebb.bench.runs.sweep.GrowingBenchmark;
import dev.ebb.bench.runs.sweep.IdleBenchmark;
import dev.ebb.bench.runs.sweep.PauseBenchmark;
import dev.ebb.bench.runs.sweep.PolicyBenchmark;
import dev.ebb.bench.runs.sweep.SweepBenchmark;
import dev.ebb.bench.runs.sweep.TombstoneBenchmark;
import dev.ebb.bench.runs.sweep.TrustBenchmark;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** All measurements that there are. */
public final class Benchmarks {

    private static final Benchmark SCALE = SeriesBenchmark.scale();
    private static final Benchmark FLEET = new FleetBenchmark();
    private static final Benchmark FULL_IN_JSON = LastPartBenchmark.inJson();

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
            new KillBenchmark(),
            new MirrorBenchmark(),
            new LatenessBenchmark(),
            SCALE,
            new SqlPaceBenchmark(),
            new UndoBenchmark(),
            new TrustBenchmark(),
            new EraseBenchmark(),
            LastPartBenchmark.inBlocks(),
            FULL_IN_JSON,
            new RestingBenchmark(),
            new CommandBenchmark(),
            new ReadsBenchmark(),
            FLEET);

    private static final List<Benchmark> ONLY_BY_NAME = List.of(SCALE, FLEET, FULL_IN_JSON);

    private static final List<Benchmark> GROWTH = List.of(
            SeriesBenchmark.streams(),
            SeriesBenchmark.events(),
            SeriesBenchmark.partitions(),
            SeriesBenchmark.hotStream(),
            new StartBenchmark());

    /** Seconds in the short form of all on two cores, as they were seen; what is only asked for by name, added up. */
    private static final Map<String, Integer> SHORT_SECONDS = Map.ofEntries(
            entry("B-1", 84),
            entry("B-2", 79),
            entry("B-3", 85),
            entry("B-4", 61),
            entry("B-5", 125),
            entry("B-6", 91),
            entry("B-7", 56),
            entry("B-8", 54),
            entry("B-9", 45),
            entry("B-10", 54),
            entry("B-11", 62),
            entry("B-11-kill", 49),
            entry("B-12", 44),
            entry("B-13", 86),
            entry("B-14", 85),
            entry("B-15", 113),
            entry("B-15u", 95),
            entry("B-16", 110),
            entry("B-17", 59),
            entry("B-20", 95),
            entry("B-20-json", 105),
            entry("B-21", 100),
            entry("B-22", 66),
            entry("B-22-command", 76),
            entry("B-22-fleet", 83),
            entry("growth-streams", 180),
            entry("growth-events", 240),
            entry("growth-partitions", 150),
            entry("growth-hot", 90),
            entry("growth-start", 90));

    private Benchmarks() {}

    /** Time that it takes in the short form, as far as that can be said. */
    public static Duration shortTime(Benchmark benchmark) {
        return Duration.ofSeconds(Objects.requireNonNull(SHORT_SECONDS.get(benchmark.id()), benchmark.id()));
    }

    /**
     * Those that are measured where none is named: in the short form without those of which nothing is asked, and without the
     * forecast over two instances, since that of one has the same target.
     */
    public static List<Benchmark> rules(BenchSettings.Length length) {
        return length == BenchSettings.Length.SHORT
                ? RULES.stream()
                        .filter(benchmark -> !ONLY_BY_NAME.contains(benchmark))
                        .toList()
                : RULES;
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
