package dev.ebb.bench.stack;

import dev.ebb.bench.harness.Awaiting;
import dev.ebb.bench.harness.Contents;
import dev.ebb.config.EbbConfig;
import dev.ebb.config.Settings;
import dev.ebb.domain.policy.RetentionPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;

/**
 * Instances of one application that share the partitions of a lane; each has its own clients, threads and state, and
 * all are in this process.
 */
public final class EbbFleet implements AutoCloseable {

    private static final Duration LIMIT = Duration.ofMinutes(30);

    private final List<EbbApp> apps;

    private EbbFleet(List<EbbApp> apps) {
        this.apps = List.copyOf(apps);
    }

    /** Starts all instances at once, so that the partitions are spread before the first event is taken in. */
    public static EbbFleet start(Lane lane, RetentionPolicy policy, int instances, Map<String, String> settings)
            throws InterruptedException {
        new Policies(lane).putInForce(policy);
        EbbConfig first = lane.config(lane.newId(EbbApp.NAME), settings);
        List<EbbApp> apps = new ArrayList<>();
        for (int i = 0; i < instances; i++) {
            Map<String, String> own = new HashMap<>(settings);
            own.put(
                    Settings.STATE_DIR.key(),
                    first.get(Settings.STATE_DIR).resolveSibling("state-" + i).toString());
            apps.add(EbbApp.of(lane, lane.config(first.get(Settings.APPLICATION_ID), own)));
        }
        apps.parallelStream().forEach(app -> app.start());
        return new EbbFleet(apps);
    }

    public List<EbbApp> apps() {
        return apps;
    }

    /** Returns the number of records that the instances have taken in. */
    public long taken() {
        long[] last = apps.stream()
                .map(app -> app.intake().offsets())
                .reduce(EbbFleet::greater)
                .orElseThrow();
        return LongStream.of(last).map(offset -> offset + 1).sum();
    }

    private static long[] greater(long[] one, long[] other) {
        long[] greater = new long[one.length];
        for (int i = 0; i < one.length; i++) {
            greater[i] = Math.max(one[i], other[i]);
        }
        return greater;
    }

    public long firstTakenNanos() {
        return apps.stream().mapToLong(app -> app.intake().firstNanos()).min().orElseThrow();
    }

    public long lastTakenNanos() {
        return apps.stream()
                .filter(app -> app.intake().count() > 0)
                .mapToLong(app -> app.intake().lastNanos())
                .max()
                .orElseThrow();
    }

    /** Waits until a count has reached its goal. */
    public void await(LongSupplier count, long goal, String otherwise) throws InterruptedException {
        Awaiting.until(
                () -> {
                    apps.forEach(EbbApp::check);
                    return count.getAsLong() >= goal;
                },
                LIMIT,
                otherwise);
    }

    /** Returns the contents of all instances together. */
    public Contents contents() {
        return apps.stream()
                .flatMap(app ->
                        app.partitions().stream().map(partition -> EbbStores.contentsOf(app.streams(), partition)))
                .reduce(Contents.NONE, Contents::plus);
    }

    @Override
    public void close() {
        apps.forEach(EbbApp::close);
    }
}
