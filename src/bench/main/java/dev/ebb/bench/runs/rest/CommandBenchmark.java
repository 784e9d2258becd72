package dev.ebb.bench.runs.rest;

import dev.ebb.bench.harness.BenchSettings;
import dev.ebb.bench.harness.Benchmark;
import dev.ebb.bench.harness.Figure;
import dev.ebb.bench.stack.BenchStack;
import dev.ebb.bench.stack.EbbProcess;
import dev.ebb.bench.stack.InputTopic;
import dev.ebb.bench.stack.Lane;
import dev.ebb.bench.stack.Policies;
import dev.ebb.devstack.process.Distribution;
import java.util.List;
import java.util.function.Consumer;

/** B-22: commands that ask an application with a thousand streams. */
public final class CommandBenchmark implements Benchmark {

    private static final int EVENTS = 20_000;
    private static final int STREAMS = 1000;
    private static final int PARTITIONS = 4;
    private static final int SHORT_ROUNDS = 10;
    private static final int LONG_ROUNDS = 30;

    @Override
    public String id() {
        return "B-22-command";
    }

    @Override
    public String title() {
        return "commands from the shell to their answer";
    }

    @Override
    public List<Figure> run(BenchSettings settings, Consumer<String> progress) throws InterruptedException {
        try (BenchStack stack = BenchStack.start(settings.folder(), progress)) {
            Lane lane = stack.lane("commands", PARTITIONS);
            InputTopic input = InputTopic.fill(
                    lane, settings.workload(settings.events(EVENTS, EVENTS), STREAMS, PARTITIONS), progress);
            new Policies(lane).putInForce(Policies.MONTH_FROM_OCCURRED);
            try (EbbProcess app = EbbProcess.start(lane)) {
                app.take(input.lastOffsets());
                CommandTimes times =
                        new CommandTimes(Distribution.locate().home().resolve("ebb"), app.url());
                return times.measure(settings.byLength(1, SHORT_ROUNDS, LONG_ROUNDS), progress);
            }
        }
    }
}
