package dev.ebb.bench.runs.ingest;

import dev.ebb.bench.harness.Contents;
import dev.ebb.bench.harness.CpuMeter;
import dev.ebb.bench.harness.Rate;
import dev.ebb.bench.harness.Trial;
import dev.ebb.bench.harness.VoidRunException;
import dev.ebb.bench.opponents.Contender;
import dev.ebb.bench.stack.Application;
import dev.ebb.bench.stack.Committed;
import dev.ebb.bench.stack.DrainWatch;
import dev.ebb.bench.stack.InputTopic;
import dev.ebb.config.EbbConfig;
import dev.ebb.config.Settings;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Lets a new application drain an input, and checks its contents against the model. Each run has a name, state and
 * output topics of its own.
 */
final class DrainTrial implements Trial<Rate> {

    private static final Duration START_LIMIT = Duration.ofMinutes(2);
    private static final Duration DRAIN_LIMIT = Duration.ofMinutes(30);
    private static final Duration COMMIT_LIMIT = Duration.ofMinutes(1);

    private final InputTopic input;
    private final Contender contender;
    private final Contents expected;
    private final Map<String, String> settings;

    DrainTrial(InputTopic input, Contender contender) {
        this(input, contender, input.expected(), Map.of());
    }

    /**
     * @param expected the contents of the stores in the end
     * @param settings settings of the application that differ from the defaults
     */
    DrainTrial(InputTopic input, Contender contender, Contents expected, Map<String, String> settings) {
        this.input = input;
        this.contender = contender;
        this.expected = expected;
        this.settings = Map.copyOf(settings);
    }

    @Override
    public String name() {
        return contender.name();
    }

    /** Returns enough runs for 20 s of draining, since a trial drains for only half of a run. */
    @Override
    public int warmUps() {
        return 3;
    }

    @Override
    public Rate run() throws InterruptedException {
        input.lane().renewTopics();
        EbbConfig config = input.lane().newConfig(contender.name(), allSettings());
        DrainWatch watch = new DrainWatch(input.lastOffsets());
        var topology = contender.topology(config, watch);
        try (var application = new Application(config, topology, contender.withheld(), watch::failed)) {
            Rate rate = measure(application, watch);
            VoidRunException.requireSame(contender.name(), contender.contents(application), expected);
            return rate;
        }
    }

    private Map<String, String> allSettings() {
        Map<String, String> all = new HashMap<>(contender.settings());
        all.putAll(settings);
        return all;
    }

    private Rate measure(Application application, DrainWatch watch) throws InterruptedException {
        CpuMeter cpu = input.lane().stack().cpu();
        application.start();
        watch.awaitFirst(START_LIMIT);
        Duration cpuBefore = cpu.used();
        watch.awaitLast(DRAIN_LIMIT);
        new Committed(input.lane(), application.config().get(Settings.APPLICATION_ID))
                .await(input.lastOffsets(), COMMIT_LIMIT);
        return new Rate(input.records(), watch.took(), cpu.used().minus(cpuBefore));
    }
}
