package dev.ebb.bench.runs;

import dev.ebb.bench.harness.BenchSettings;
import dev.ebb.bench.harness.Benchmark;
import dev.ebb.bench.runs.ingest.CapBenchmark;
import dev.ebb.bench.runs.ingest.IngestBenchmark;
import dev.ebb.bench.runs.ingest.LastPartBenchmark;
import dev.ebb.bench.runs.ingest.MixedBenchmark;
import dev.ebb.bench.runs.ingest.ScaleBenchmark;
import dev.ebb.bench.runs.reads.ReadsBenchmark;
import dev.ebb.bench.runs.rest.CommandBenchmark;
import dev.ebb.bench.runs.rest.HeapBenchmark;
import dev.ebb.bench.runs.rest.KillBenchmark;
import dev.ebb.bench.runs.rest.MissionBenchmark;
import dev.ebb.bench.runs.rest.RestingBenchmark;
import dev.ebb.bench.runs.rest.RestoreBenchmark;
import dev.ebb.bench.runs.source.SourceBenchmark;
import dev.ebb.bench.runs.source.TablePauseBenchmark;
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
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** All measurements that there are. */
public final class Benchmarks {

    /** Has no target; the short form of all leaves it out. */
    private static final Benchmark SCALE = new Benchmark(
            "B-14",
            "ingest and sweep with one, two and four partitions, threads and instances",
            85,
            ScaleBenchmark::run);

    /** Needs minutes until all is warm; the short form of all leaves it out. */
    private static final Benchmark MISSION = new Benchmark(
            "B-23",
            "1000 events a minute, each deleted again: CPU, memory and log of all processes",
            240,
            MissionBenchmark::run);

    /** Stores three times what it measures; the short form of all leaves it out. */
    private static final Benchmark SOURCE = new Benchmark(
            "B-18", "records of a foreign table, against events that are sent to Ebb", 121, SourceBenchmark::run);

    /** Needs a large table; the short form of all leaves it out. */
    private static final Benchmark TABLE = new Benchmark(
            "B-18-pause",
            "longest pause while keys of a foreign table fall due, against a scan of the table",
            60,
            TablePauseBenchmark::run);

    private static final List<Benchmark> ALL = List.of(
            new Benchmark(
                    "B-1",
                    "ingest, exactly once, against a store ordered by time and one that keeps everything",
                    84,
                    IngestBenchmark::run),
            new Benchmark(
                    "B-3", "deletes when everything falls due at once, against PostgreSQL", 85, SweepBenchmark::run),
            new Benchmark(
                    "B-4",
                    "cost of expiring the same number of events among more and more that live",
                    61,
                    GrowingBenchmark::run),
            new Benchmark(
                    "B-5",
                    "CPU time of a sweep with nothing due, against a store ordered by time",
                    125,
                    IdleBenchmark::run),
            new Benchmark(
                    "B-6",
                    "longest pause of a stream thread while everything expires, and while policies and holds change",
                    91,
                    PauseBenchmark::run),
            new Benchmark(
                    "B-7", "ingest while a sweep runs at full speed, against ingest alone", 56, MixedBenchmark::run),
            new Benchmark(
                    "B-8",
                    "from a change of policy to the first delete, and what is read for it",
                    54,
                    PolicyBenchmark::run),
            new Benchmark(
                    "B-9",
                    "ingest with maxCount reached on every stream, against Redis Streams and NATS JetStream",
                    45,
                    CapBenchmark::run),
            new Benchmark(
                    "B-10", "sweep and read after many deletes, against a fresh store", 54, TombstoneBenchmark::run),
            new Benchmark(
                    "B-11",
                    "restore from the changelog, against builder.table(); memory of few and of many events",
                    62,
                    RestoreBenchmark::run),
            new Benchmark("B-11-kill", "restart after a kill -9, until everything is there", 49, KillBenchmark::run),
            new Benchmark(
                    "B-12",
                    "alternating upserts and deletes through Connect into PostgreSQL, against COPY",
                    44,
                    MirrorBenchmark::run),
            new Benchmark(
                    "B-12-runs",
                    "the same with deletes of one stream at a time, as a sweep sends them",
                    60,
                    MirrorBenchmark::runs),
            new Benchmark(
                    "B-13",
                    "from due to gone in the store and in SQL, at 1000 events a minute and at 100 times that",
                    86,
                    LatenessBenchmark::run),
            SCALE,
            new Benchmark(
                    "B-15", "events a second, each deleted again, with which SQL keeps up", 113, SqlPaceBenchmark::run),
            new Benchmark(
                    "B-15u",
                    "an undo: back in the stores, back in SQL, and the intake beside it",
                    95,
                    UndoBenchmark::run),
            new Benchmark(
                    "B-16",
                    "deletes that can be undone, deletes of a settled policy, and receipts, against none of them",
                    110,
                    TrustBenchmark::run),
            new Benchmark("B-17", "events that an erasure reads", 59, EraseBenchmark::run),
            SOURCE,
            TABLE,
            new Benchmark(
                    "B-20",
                    "ingest into a full store, against the first events of an empty one",
                    95,
                    LastPartBenchmark::run),
            new Benchmark("B-20-heap", "heap that a stream needs", 90, HeapBenchmark::run),
            new Benchmark("B-21", "CPU time of an instance with nothing to do", 100, RestingBenchmark::run),
            new Benchmark("B-22", "reads for people: pages of records, and the forecast", 66, ReadsBenchmark::run),
            new Benchmark("B-22-command", "commands from the shell to their answer", 76, CommandBenchmark::run),
            MISSION);

    private Benchmarks() {}

    /** Returns the benchmarks of a run without names; the short form leaves out B-14, B-18 and B-23. */
    public static List<Benchmark> rules(BenchSettings.Length length) {
        return length == BenchSettings.Length.SHORT
                ? ALL.stream()
                        .filter(benchmark ->
                                !Set.of(SCALE, SOURCE, TABLE, MISSION).contains(benchmark))
                        .toList()
                : ALL;
    }

    public static List<Benchmark> all() {
        return ALL;
    }

    /** Returns the one with that id, in upper or lower case. */
    public static Optional<Benchmark> find(String id) {
        return ALL.stream()
                .filter(benchmark -> benchmark.id().equalsIgnoreCase(id))
                .findFirst();
    }
}
