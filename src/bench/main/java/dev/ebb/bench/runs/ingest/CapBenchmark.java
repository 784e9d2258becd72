package dev.ebb.bench.runs.ingest;

import dev.ebb.bench.harness.BenchSettings;
import dev.ebb.bench.harness.Benchmark;
import dev.ebb.bench.harness.Duel;
import dev.ebb.bench.harness.Figure;
import dev.ebb.bench.harness.Rate;
import dev.ebb.bench.harness.Target;
import dev.ebb.bench.load.Mix;
import dev.ebb.bench.load.Workload;
import dev.ebb.bench.opponents.RedisServer;
import dev.ebb.bench.stack.BenchStack;
import dev.ebb.bench.stack.InputTopic;
import dev.ebb.bench.stack.Lane;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;

/**
 * B-9: exact caps. Every stream is full from its first events on, so that each further event pushes the oldest one out,
 * against Redis Streams that are told the same.
 */
public final class CapBenchmark implements Benchmark {

    static final int CAP = 10;

    private static final int SHORT_EVENTS = 300_000;
    private static final int LONG_EVENTS = 2_000_000;
    private static final int STREAMS = 1000;
    private static final String AGAINST = "Redis XADD MAXLEN =";

    @Override
    public String id() {
        return "B-9";
    }

    @Override
    public String title() {
        return "ingest with maxCount reached on every stream, against Redis Streams";
    }

    @Override
    public List<Figure> run(BenchSettings settings, Consumer<String> progress) throws InterruptedException {
        try (BenchStack stack = BenchStack.start(settings.folder(), progress)) {
            Lane lane = stack.lane("cap");
            Workload workload = new Workload(
                    settings.seed(),
                    settings.events(SHORT_EVENTS, LONG_EVENTS),
                    STREAMS,
                    lane.partitions(),
                    System.currentTimeMillis(),
                    Mix.PLAIN);
            EbbCapTrial ebb = new EbbCapTrial(InputTopic.fill(lane, workload, progress));
            Optional<RedisServer> redis = RedisServer.start(stack.folder().resolve("redis"));
            if (redis.isEmpty()) {
                progress.accept("redis-server is not installed: only Ebb is measured");
                return alone(ebb, settings, progress);
            }
            try (RedisServer server = redis.get()) {
                return against(ebb, new RedisCapTrial(server, lane, workload), settings, progress);
            }
        }
    }

    private static List<Figure> alone(EbbCapTrial ebb, BenchSettings settings, Consumer<String> progress)
            throws InterruptedException {
        Duel<Rate> runs = new Duel<>(List.of(ebb), Rate::perSecond, "events/s", progress);
        runs.warmUp(settings, 1);
        List<Rate> rates = runs.run(settings, settings.pairs()).stream()
                .map(round -> round.of(0))
                .toList();
        return List.of(
                Figure.skipped("B-9", "ingest at the cap", AGAINST, "skipped: redis-server is not installed"),
                alone("B-9-alone", "ingest at the cap", "events/s", rates, Rate::perSecond),
                alone(
                        "B-9-alone-cpu",
                        "ingest at the cap, CPU of all processes",
                        "events/CPU-s",
                        rates,
                        Rate::perCpuSecond));
    }

    private static Figure alone(String id, String name, String unit, List<Rate> rates, ToDoubleFunction<Rate> value) {
        return Figure.alone(
                id,
                name,
                unit,
                Target.REPORTED,
                rates.stream().map(value::applyAsDouble).toList());
    }

    private static List<Figure> against(
            EbbCapTrial ebb, RedisCapTrial redis, BenchSettings settings, Consumer<String> progress)
            throws InterruptedException {
        Duel<Rate> duel = new Duel<>(List.of(ebb, redis), Rate::perSecond, "events/s", progress);
        duel.warmUpEach(settings);
        List<Duel.Round<Rate>> rounds = duel.run(settings, settings.pairs());
        return List.of(
                Figure.of(
                        "B-9",
                        "ingest at the cap",
                        "events/s",
                        AGAINST,
                        Target.ratioAtLeast(0.5, 0.75),
                        rounds,
                        1,
                        Rate::perSecond),
                Figure.of(
                        "B-9-cpu",
                        "ingest at the cap, CPU of all processes",
                        "events/CPU-s",
                        AGAINST,
                        Target.REPORTED,
                        rounds,
                        1,
                        Rate::perCpuSecond));
    }
}
