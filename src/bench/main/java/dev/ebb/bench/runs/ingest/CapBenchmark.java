package dev.ebb.bench.runs.ingest;

import dev.ebb.bench.harness.BenchSettings;
import dev.ebb.bench.harness.Benchmark;
import dev.ebb.bench.harness.Duel;
import dev.ebb.bench.harness.Figure;
import dev.ebb.bench.harness.Rate;
import dev.ebb.bench.harness.Target;
import dev.ebb.bench.harness.Trial;
import dev.ebb.bench.load.Mix;
import dev.ebb.bench.load.Workload;
import dev.ebb.bench.opponents.InstalledServer;
import dev.ebb.bench.stack.BenchStack;
import dev.ebb.bench.stack.InputTopic;
import dev.ebb.bench.stack.Lane;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;

/**
 * B-9: exact caps. Every stream is full from its first events on, so that each further event pushes the oldest one out,
 * against Redis Streams, and NATS JetStream, that are told the same.
 */
public final class CapBenchmark implements Benchmark {

    private static final int SHORT_EVENTS = 300_000;
    private static final int LONG_EVENTS = 2_000_000;
    private static final int STREAMS = 1000;
    private static final String NAME = "ingest at the cap";
    private static final String OF_ALL = ", CPU of all processes";
    private static final String AGAINST = "Redis XADD MAXLEN =";
    private static final String NATS = "NATS MaxMsgsPerSubject";

    @Override
    public String id() {
        return "B-9";
    }

    @Override
    public String title() {
        return "ingest with maxCount reached on every stream, against Redis Streams and NATS JetStream";
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
            List<Figure> figures = new ArrayList<>();
            Optional<InstalledServer> redis =
                    InstalledServer.redis(stack.folder().resolve("redis"));
            if (redis.isEmpty()) {
                progress.accept("redis-server is not installed: only Ebb is measured");
                figures.addAll(alone(ebb, settings, progress));
            } else {
                try (InstalledServer server = redis.get()) {
                    figures.addAll(against(ebb, new RedisCapTrial(server, lane, workload), settings, progress));
                }
            }
            if (settings.hasReported()) {
                figures.addAll(againstNats(stack, ebb, lane, workload, settings, progress));
            }
            return figures;
        }
    }

    private static List<Figure> againstNats(
            BenchStack stack,
            EbbCapTrial ebb,
            Lane lane,
            Workload workload,
            BenchSettings settings,
            Consumer<String> progress)
            throws InterruptedException {
        Optional<InstalledServer> nats = InstalledServer.nats(stack.folder().resolve("nats"));
        if (nats.isEmpty()) {
            progress.accept("nats-server is not installed: its figures are left out");
            return List.of();
        }
        try (InstalledServer server = nats.get()) {
            Duel<Rate> duel = duel(List.of(ebb, new NatsCapTrial(server, lane, workload)), progress);
            duel.warmUpOpponents(settings);
            return figures("B-9-nats", NATS, Target.REPORTED, duel.run(settings, settings.reportedPairs()));
        }
    }

    private static Duel<Rate> duel(List<Trial<Rate>> trials, Consumer<String> progress) {
        return new Duel<>(trials, Rate::perSecond, "events/s", progress);
    }

    private static List<Figure> alone(EbbCapTrial ebb, BenchSettings settings, Consumer<String> progress)
            throws InterruptedException {
        Duel<Rate> runs = duel(List.of(ebb), progress);
        runs.warmUp(settings, 1);
        List<Rate> rates = runs.run(settings, settings.pairs()).stream()
                .map(round -> round.of(0))
                .toList();
        return List.of(
                Figure.skipped("B-9", NAME, AGAINST, "skipped: redis-server is not installed"),
                alone("B-9-alone", NAME, "events/s", rates, Rate::perSecond),
                alone("B-9-alone-cpu", NAME + OF_ALL, "events/CPU-s", rates, Rate::perCpuSecond));
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
        Duel<Rate> duel = duel(List.of(ebb, redis), progress);
        duel.warmUpEach(settings);
        return figures("B-9", AGAINST, Target.ratioAtLeast(0.5, 0.75), duel.run(settings, settings.pairs()));
    }

    private static List<Figure> figures(String id, String against, Target target, List<Duel.Round<Rate>> rounds) {
        return List.of(
                Figure.of(id, NAME, "events/s", against, target, rounds, 1, Rate::perSecond),
                Figure.of(
                        id + "-cpu",
                        NAME + OF_ALL,
                        "events/CPU-s",
                        against,
                        Target.REPORTED,
                        rounds,
                        1,
                        Rate::perCpuSecond));
    }
}
