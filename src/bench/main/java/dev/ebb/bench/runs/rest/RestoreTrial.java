package dev.ebb.bench.runs.rest;

import dev.ebb.bench.harness.CpuMeter;
import dev.ebb.bench.harness.Rate;
import dev.ebb.bench.harness.Trial;
import dev.ebb.bench.harness.VoidRunException;
import dev.ebb.bench.opponents.Contender;
import dev.ebb.bench.stack.Application;
import dev.ebb.bench.stack.DrainWatch;
import dev.ebb.bench.stack.InputTopic;
import dev.ebb.bench.stack.MergeThreads;
import dev.ebb.bench.stack.Restored;
import dev.ebb.config.EbbConfig;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * An application drains its input once. Then, in each run, its local state is deleted and it starts again; the time is
 * measured from the first record of its changelogs to the last, and until the restored data is merged.
 */
final class RestoreTrial implements Trial<RestoreTrial.Restore> {

    private static final Duration LIMIT = Duration.ofMinutes(30);
    private static final long POLL_MS = 20;

    private final InputTopic input;
    private final Contender contender;
    private final EbbConfig config;

    private RestoreTrial(InputTopic input, Contender contender, EbbConfig config) {
        this.input = input;
        this.contender = contender;
        this.config = config;
    }

    /**
     * One restore.
     *
     * @param read until the last record was read
     * @param merged until RocksDB had also merged the files
     */
    record Restore(Rate read, Rate merged) {}

    /** Drains the input and returns the trial. */
    static RestoreTrial prepare(InputTopic input, Contender contender) throws InterruptedException {
        input.lane().renewTopics();
        EbbConfig config = input.lane().newConfig(contender.name(), contender.settings());
        DrainWatch watch = new DrainWatch(input.lastOffsets());
        var application = new Application(config, contender.topology(config, watch), watch::failed);
        application.start();
        watch.awaitLast(LIMIT);
        application.stop();
        return new RestoreTrial(input, contender, config);
    }

    @Override
    public String name() {
        return contender.name();
    }

    @Override
    public Restore run() throws InterruptedException {
        CpuMeter cpu = input.lane().stack().cpu();
        Restored restored = new Restored();
        DrainWatch watch = new DrainWatch(input.lastOffsets());
        try (var application = new Application(config, contender.topology(config, watch), restored::failed)) {
            application.streams().cleanUp();
            application.streams().setGlobalStateRestoreListener(restored);
            application.start();
            Duration cpuBefore = cpu.used();
            while (!restored.isDone() || !application.isRunning()) {
                restored.check(LIMIT);
                TimeUnit.MILLISECONDS.sleep(POLL_MS);
            }
            Rate read = rate(restored.took(), cpu.used().minus(cpuBefore));
            Rate merged = merged(restored, cpu, cpuBefore, read);
            VoidRunException.requireSame(name(), contender.contents(application), input.expected());
            return new Restore(read, merged);
        }
    }

    private Rate merged(Restored restored, CpuMeter cpu, Duration cpuBefore, Rate read) throws InterruptedException {
        AtomicReference<Rate> merged = new AtomicReference<>(read);
        if (MergeThreads.isKnown()) {
            new MergeThreads()
                    .awaitRest(() ->
                            merged.set(rate(restored.sinceBegin(), cpu.used().minus(cpuBefore))));
        }
        return Objects.requireNonNull(merged.get());
    }

    private Rate rate(Duration took, Duration used) {
        return new Rate(input.expected().events(), took, used);
    }
}
