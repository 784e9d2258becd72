package dev.ebb.bench.runs.ingest;

import dev.ebb.bench.harness.BenchSettings;
import dev.ebb.bench.harness.Benchmark;
import dev.ebb.bench.harness.Duel;
import dev.ebb.bench.harness.Figure;
import dev.ebb.bench.harness.Rate;
import dev.ebb.bench.harness.Target;
import dev.ebb.bench.harness.Trial;
import dev.ebb.bench.load.Workload;
import dev.ebb.bench.opponents.BarePutContender;
import dev.ebb.bench.opponents.EbbContender;
import dev.ebb.bench.opponents.TutorialContender;
import dev.ebb.bench.stack.BenchStack;
import dev.ebb.bench.stack.EventSender;
import dev.ebb.bench.stack.InputTopic;
import dev.ebb.bench.stack.Lane;
import dev.ebb.bench.stack.Policies;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * B-2: the ingest of B-1 against a table with the tutorial's expiry, with rows for SQL on both sides and on neither;
 * and, without rows, against a put of undecoded bytes.
 */
public final class TableBenchmark implements Benchmark {

    private static final String TUTORIAL = "builder.table() + tutorial";
    private static final String BARE_PUT = "bare put";

    @Override
    public String id() {
        return "B-2";
    }

    @Override
    public String title() {
        return "ingest, exactly once, against a table with the tutorial's expiry and against a bare put";
    }

    @Override
    public List<Figure> run(BenchSettings settings, Consumer<String> progress) throws InterruptedException {
        try (BenchStack stack = BenchStack.start(settings.folder(), progress)) {
            Lane ebb = stack.lane("ingest");
            Lane table = stack.lane("table");
            Workload workload = IngestBenchmark.workload(settings, ebb);
            InputTopic byStream = InputTopic.fill(ebb, workload, progress);
            InputTopic byEvent = InputTopic.fill(table, workload, EventSender.BY_IDENTITY, progress);
            Duel<Rate> withRows = duel(
                    progress,
                    List.of(
                            new DrainTrial(byStream, new EbbContender(ebb, Policies.MONTH_FROM_OCCURRED)),
                            new DrainTrial(byEvent, TutorialContender.withRows(table))));
            Duel<Rate> withoutRows = duel(
                    progress,
                    List.of(
                            new DrainTrial(byStream, EbbContender.withoutRows(ebb, Policies.MONTH_FROM_OCCURRED)),
                            new DrainTrial(byEvent, new TutorialContender(table)),
                            new DrainTrial(byEvent, new BarePutContender(table))));
            withRows.warmUpEach(settings);
            List<Duel.Round<Rate>> rowsOnBoth = withRows.run(settings, settings.pairs());
            if (settings.isLong()) {
                withoutRows.warmUpEach(settings);
            } else {
                withoutRows.warmUpOpponents(settings);
            }
            return figures(rowsOnBoth, withoutRows.run(settings, settings.reportedPairs()));
        }
    }

    private static Duel<Rate> duel(Consumer<String> progress, List<Trial<Rate>> trials) {
        return new Duel<>(trials, Rate::perSecond, "events/s", progress);
    }

    private static List<Figure> figures(List<Duel.Round<Rate>> withRows, List<Duel.Round<Rate>> withoutRows) {
        Target target = Target.ratioAtLeast(2.2, 3);
        return Stream.of(
                        figures("B-2", "ingest with rows for SQL", TUTORIAL, target, withRows, 1),
                        figures("B-2-no-rows", "ingest without rows", TUTORIAL, Target.REPORTED, withoutRows, 1),
                        figures("B-2-put", "ingest without rows", BARE_PUT, Target.REPORTED, withoutRows, 2))
                .flatMap(List::stream)
                .toList();
    }

    private static List<Figure> figures(
            String id, String name, String against, Target target, List<Duel.Round<Rate>> rounds, int opponent) {
        if (rounds.isEmpty()) {
            return List.of();
        }
        return List.of(
                Figure.of(id, name, "events/s", against, target, rounds, opponent, Rate::perSecond),
                Figure.of(
                        id + "-cpu",
                        name + ", CPU of all processes",
                        "events/CPU-s",
                        against,
                        target,
                        rounds,
                        opponent,
                        Rate::perCpuSecond));
    }
}
