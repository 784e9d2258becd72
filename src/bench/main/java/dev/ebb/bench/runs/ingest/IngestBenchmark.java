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
import dev.ebb.bench.opponents.CopyContender;
import dev.ebb.bench.opponents.EbbContender;
import dev.ebb.bench.opponents.ExpiryIndexContender;
import dev.ebb.bench.opponents.KeepEverythingContender;
import dev.ebb.bench.stack.BenchStack;
import dev.ebb.bench.stack.InputTopic;
import dev.ebb.bench.stack.Lane;
import dev.ebb.bench.stack.Model;
import dev.ebb.bench.stack.Policies;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * B-1: how fast events come from the topic into store, usage, changelog and mirror, exactly once, against an application
 * that keeps everything and never deletes; beside it against one that keeps a second store ordered by time, and against a
 * copy of the log, which Kafka's own retention could clean up.
 */
public final class IngestBenchmark implements Benchmark {

    private static final String KEEP = "keep-everything";
    private static final String INDEX = "a store ordered by time";
    private static final String COPY = "a copy of the log";
    private static final Target TARGET = Target.ratioAtLeast(1.0, 1.2);
    private static final int STREAMS = 1000;

    /** With fewer, much of what is measured is the beginning of an application. */
    private static final int SHORT_EVENTS = 400_000;

    private static final int LONG_EVENTS = 2_000_000;

    @Override
    public String id() {
        return "B-1";
    }

    @Override
    public String title() {
        return "ingest, exactly once, against an application that keeps everything";
    }

    @Override
    public List<Figure> run(BenchSettings settings, Consumer<String> progress) throws InterruptedException {
        try (BenchStack stack = BenchStack.start(settings.folder(), progress)) {
            Lane lane = stack.lane("ingest");
            InputTopic input = InputTopic.fill(lane, workload(settings, lane), progress);
            Trial<Rate> ebb = new DrainTrial(input, new EbbContender(lane, Policies.MONTH_FROM_OCCURRED));
            Duel<Rate> duel = duel(progress, List.of(ebb, new DrainTrial(input, new KeepEverythingContender(lane))));
            Duel<Rate> others = duel(
                    progress,
                    List.of(
                            ebb,
                            new DrainTrial(input, new ExpiryIndexContender(lane)),
                            new DrainTrial(input, new CopyContender(lane), Model.sent(input.workload()), Map.of())));
            duel.warmUpEach(settings);
            List<Duel.Round<Rate>> rounds = duel.run(settings, settings.pairs());
            others.warmUpOpponents(settings);
            return figures(
                    rounds,
                    others.run(settings, settings.reportedPairs()),
                    settings.hasReported() ? json(stack, settings, progress) : List.of());
        }
    }

    /** Payloads that compress, after the others: the code is compiled by then. */
    private static List<Duel.Round<Rate>> json(BenchStack stack, BenchSettings settings, Consumer<String> progress)
            throws InterruptedException {
        Lane lane = stack.lane("json");
        InputTopic input = InputTopic.fill(lane, workload(settings, lane).with(Mix.USUAL.json()), progress);
        return duel(
                        progress,
                        List.of(
                                new DrainTrial(input, new EbbContender(lane, Policies.MONTH_FROM_OCCURRED)),
                                new DrainTrial(input, new KeepEverythingContender(lane))))
                .run(settings, settings.reportedPairs());
    }

    private static Duel<Rate> duel(Consumer<String> progress, List<Trial<Rate>> trials) {
        return new Duel<>(trials, Rate::perSecond, "events/s", progress);
    }

    /** The events, which are those of B-2 as well. */
    static Workload workload(BenchSettings settings, Lane lane) {
        return settings.workload(settings.events(SHORT_EVENTS, LONG_EVENTS), STREAMS, lane.partitions());
    }

    /** CPU time has the target: on a machine that others share, time on the clock is theirs as well. */
    private static List<Figure> figures(
            List<Duel.Round<Rate>> rounds, List<Duel.Round<Rate>> others, List<Duel.Round<Rate>> json) {
        return Stream.of(
                        figures("B-1", "ingest", KEEP, TARGET, rounds, 1),
                        figures("B-1-index", "ingest", INDEX, Target.REPORTED, others, 1),
                        figures("B-1-copy", "ingest", COPY, Target.REPORTED, others, 2),
                        figures("B-1-json", "ingest, payloads of JSON", KEEP, Target.REPORTED, json, 1))
                .flatMap(List::stream)
                .toList();
    }

    private static List<Figure> figures(
            String id, String name, String against, Target ofCpu, List<Duel.Round<Rate>> rounds, int opponent) {
        if (rounds.isEmpty()) {
            return List.of();
        }
        return List.of(
                Figure.of(id, name, "events/s", against, Target.REPORTED, rounds, opponent, Rate::perSecond),
                Figure.of(
                        id + "-cpu",
                        name + ", CPU of all processes",
                        "events/CPU-s",
                        against,
                        ofCpu,
                        rounds,
                        opponent,
                        Rate::perCpuSecond));
    }
}
