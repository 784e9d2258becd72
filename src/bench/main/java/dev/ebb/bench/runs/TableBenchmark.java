package dev.ebb.bench.runs;

import dev.ebb.bench.harness.BenchSettings;
import dev.ebb.bench.harness.Benchmark;
import dev.ebb.bench.harness.Duel;
import dev.ebb.bench.harness.Figure;
import dev.ebb.bench.harness.Rate;
import dev.ebb.bench.harness.Target;
import dev.ebb.bench.load.Workload;
import dev.ebb.bench.opponents.BarePutContender;
import dev.ebb.bench.opponents.EbbContender;
import dev.ebb.bench.opponents.TutorialContender;
import dev.ebb.bench.stack.BenchStack;
import dev.ebb.bench.stack.EventSender;
import dev.ebb.bench.stack.InputTopic;
import dev.ebb.bench.stack.Lane;
import java.util.List;
import java.util.function.Consumer;

/**
 * B-2: the ingest of B-1 against a table with the tutorial's expiry, and against a put of bytes that are not looked at.
 * Neither of them writes rows for SQL.
 */
final class TableBenchmark implements Benchmark {

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
            Duel<Rate> duel = new Duel<>(
                    List.of(
                            new DrainTrial(byStream, new EbbContender(ebb, IngestBenchmark.MONTH_FROM_OCCURRED)),
                            new DrainTrial(byEvent, new TutorialContender(table)),
                            new DrainTrial(byEvent, new BarePutContender(table))),
                    Rate::perSecond,
                    "events/s",
                    progress);
            duel.warmUpEach();
            return figures(duel.run(settings.pairs()));
        }
    }

    private static List<Figure> figures(List<Duel.Round<Rate>> rounds) {
        Target table = Target.ratioAtLeast(2, 3);
        String cpu = "ingest, CPU of all processes";
        return List.of(
                Figure.of("B-2", "ingest", "events/s", TUTORIAL, table, rounds, 1, Rate::perSecond),
                Figure.of("B-2-cpu", cpu, "events/CPU-s", TUTORIAL, table, rounds, 1, Rate::perCpuSecond),
                Figure.of("B-2-bare", "ingest", "events/s", BARE_PUT, Target.REPORTED, rounds, 2, Rate::perSecond),
                Figure.of(
                        "B-2-bare-cpu", cpu, "events/CPU-s", BARE_PUT, Target.REPORTED, rounds, 2, Rate::perCpuSecond));
    }
}
