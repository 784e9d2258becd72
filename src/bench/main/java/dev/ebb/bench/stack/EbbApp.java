package dev.ebb.bench.stack;

import dev.ebb.bench.harness.Contents;
import dev.ebb.bench.harness.VoidRunException;
import dev.ebb.config.EbbConfig;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.receipt.NoteSigner;
import dev.ebb.runtime.kafka.ConfiguredTopology;
import dev.ebb.runtime.trash.KafkaTrash;
import dev.ebb.topology.observe.Copies;
import dev.ebb.topology.parts.TopologySettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.KafkaStreams;

/** Ebb, alone on a lane, with a policy that is in force from the first moment. */
public final class EbbApp implements Expiring {

    private static final Duration START_LIMIT = Duration.ofMinutes(2);
    private static final Duration TAKE_LIMIT = Duration.ofMinutes(30);
    private static final Duration POLICY_LIMIT = Duration.ofMinutes(5);
    private static final long POLL_MS = 20;

    private final Lane lane;
    private final Deletions deletions;
    private final Intake intake;
    private final Application application;

    private EbbApp(Lane lane, ConfiguredTopology configured, EbbConfig config, Deletions deletions, Runnable asked) {
        this.lane = lane;
        this.deletions = deletions;
        this.intake = new Intake(lane.partitions());
        var topology = configured.build(
                lane.records(),
                configured.policyViews(lane.records()),
                new AlwaysCaughtUp(lane.topics().events(), intake::taken),
                () -> {
                    asked.run();
                    return null;
                },
                Copies.NONE,
                new KafkaTrash(lane.topics().trash(), lane.clients()::reader),
                NoteSigner.NONE,
                deletions);
        this.application = new Application(config, topology, this::failed);
    }

    /** Starts Ebb on the existing topics of the lane. */
    public static EbbApp start(Lane lane, RetentionPolicy policy) throws InterruptedException {
        return start(lane, policy, new Deletions(), () -> {}, Map.of());
    }

    public static EbbApp start(
            Lane lane, RetentionPolicy policy, Deletions deletions, Runnable asked, Map<String, String> settings)
            throws InterruptedException {
        return start(lane, policy, deletions, asked, TopologySettings.IDLE_PERIOD, settings);
    }

    /**
     * Starts Ebb on the existing topics of the lane.
     *
     * @param asked called on stream threads when a slice begins
     * @param idlePeriod time between two looks for due events
     */
    public static EbbApp start(
            Lane lane,
            RetentionPolicy policy,
            Deletions deletions,
            Runnable asked,
            Duration idlePeriod,
            Map<String, String> settings)
            throws InterruptedException {
        EbbConfig config = lane.newConfig("ebb", settings);
        var configured = new ConfiguredTopology(config, idlePeriod);
        return start(new EbbApp(lane, configured, config, deletions, asked), policy);
    }

    private static EbbApp start(EbbApp app, RetentionPolicy policy) throws InterruptedException {
        new Policies(app.lane).putInForce(policy);
        app.application.start();
        return app;
    }

    /** Returns one of several instances, not started. */
    public static EbbApp of(Lane lane, EbbConfig config) {
        return new EbbApp(lane, new ConfiguredTopology(config), config, new Deletions(), () -> {});
    }

    /** @throws VoidRunException if the application cannot go on */
    public void check() {
        intake.check();
    }

    /** Returns the partitions of the events topic that this instance keeps. */
    List<Integer> partitions() {
        return application.streams().metadataForLocalThreads().stream()
                .flatMap(thread -> thread.activeTasks().stream())
                .flatMap(task -> task.topicPartitions().stream())
                .filter(input -> input.topic().equals(lane.topics().events()))
                .map(TopicPartition::partition)
                .toList();
    }

    private void failed(Throwable reason) {
        intake.failed(reason);
        deletions.expirations().failed(reason);
    }

    public Deletions deletions() {
        return deletions;
    }

    @Override
    public Expirations expirations() {
        return deletions.expirations();
    }

    public Intake intake() {
        return intake;
    }

    @Override
    public Application application() {
        return application;
    }

    public KafkaStreams streams() {
        return application.streams();
    }

    /** Waits until the first event is taken in. */
    public void awaitFirst() throws InterruptedException {
        intake.awaitFirst(START_LIMIT);
    }

    @Override
    public void take(long[] lastOffsets) throws InterruptedException {
        intake.await(lastOffsets, TAKE_LIMIT);
        awaitCommitted();
    }

    /** Waits until rows and tombstones are committed, and with them the deletes of the same transactions. */
    @Override
    public void awaitCommitted() throws InterruptedException {
        lane.awaitCommitted(lane.topics().mirrorEvents());
    }

    /** Waits until every task uses the policies after the change. */
    public void awaitNewPolicies(Change change) throws InterruptedException {
        awaitPolicies(-1);
        long before = deletions.policyVersions().values().stream()
                .mapToLong(Long::longValue)
                .max()
                .orElseThrow();
        change.make();
        awaitPolicies(before);
    }

    private void awaitPolicies(long before) throws InterruptedException {
        long end = System.nanoTime() + POLICY_LIMIT.toNanos();
        while (!areBehind(before)) {
            if (System.nanoTime() > end) {
                throw new VoidRunException("the policies were not taken in within " + POLICY_LIMIT.toSeconds() + " s");
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
        }
    }

    private boolean areBehind(long version) {
        Map<Integer, Long> now = deletions.policyVersions();
        return now.size() == lane.partitions() && now.values().stream().allMatch(each -> each > version);
    }

    /** A change of the policies. */
    @FunctionalInterface
    public interface Change {

        void make() throws InterruptedException;
    }

    @Override
    public void requireContents(Contents expected) {
        VoidRunException.requireSame("ebb", EbbStores.contents(streams(), lane.partitions()), expected);
    }

    /** Stops Ebb and deletes its state. */
    @Override
    public void close() {
        application.close();
    }
}
