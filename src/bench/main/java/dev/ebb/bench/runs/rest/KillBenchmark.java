package dev.ebb.bench.runs.rest;

import dev.ebb.bench.harness.BenchSettings;
import dev.ebb.bench.harness.Benchmark;
import dev.ebb.bench.harness.Figure;
import dev.ebb.bench.harness.Target;
import dev.ebb.bench.load.Workload;
import dev.ebb.bench.stack.BenchStack;
import dev.ebb.bench.stack.InputTopic;
import dev.ebb.bench.stack.Lane;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/** B-11-kill: the time from a kill -9 until the application is ready again, with all of its events. */
public final class KillBenchmark implements Benchmark {

    private static final String ID = "B-11-kill";
    private static final int SHORT_EVENTS = 400_000;
    private static final int LONG_EVENTS = 10_000_000;
    private static final int STREAMS = 1000;
    private static final int KILLS = 5;
    private static final int SHORT_KILLS = 2;

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "restart after a kill -9, until everything is there";
    }

    @Override
    public List<Figure> run(BenchSettings settings, Consumer<String> progress) throws InterruptedException {
        int events = settings.events(SHORT_EVENTS, LONG_EVENTS);
        try (BenchStack stack = BenchStack.start(settings.folder(), progress)) {
            Lane lane = stack.lane("killed");
            Workload workload = settings.workload(events, STREAMS, lane.partitions());
            InputTopic input = InputTopic.fill(lane, workload, progress);
            return List.of(Figure.alone(
                    ID,
                    String.format(Locale.ROOT, "restart after kill -9, %,d events", events),
                    "s",
                    Target.valueAtMost(15, 5),
                    KillTrial.run(input, settings.byLength(1, SHORT_KILLS, KILLS), progress)));
        }
    }
}
