package dev.ebb.bench.stack;

import dev.ebb.bench.harness.Awaiting;
import dev.ebb.bench.harness.Contents;
import dev.ebb.config.EbbConfig;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.receipt.NoteSigner;
import dev.ebb.runtime.kafka.ConfiguredTopology;
import dev.ebb.topology.observe.Copies;
import dev.ebb.topology.parts.TopologySettings;
import dev.ebb.topology.source.AcceptedSources;
import dev.ebb.undo.KafkaTrash;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/** Ebb, alone on a lane, with a policy that is in force from the first moment. */
public final class EbbApp extends App {

    public static final String NAME = "ebb";

    private static final Duration POLICY_LIMIT = Duration.ofMinutes(5);

    private final Deletions deletions;
    private final String log;

    private EbbApp(
            Lane lane,
            EbbConfig config,
            Duration idlePeriod,
            Deletions deletions,
            Runnable asked,
            AcceptedSources sources) {
        super(NAME, lane, deletions.expirations());
        this.deletions = deletions;
        var configured = new ConfiguredTopology(config, idlePeriod);
        var topology = configured.build(
                lane.records(),
                configured.policyViews(lane.records()),
                new AlwaysCaughtUp(lane.topics().events(), intake()::taken),
                () -> {
                    asked.run();
                    return null;
                },
                Copies.NONE,
                new KafkaTrash(lane.topics().trash(), lane.clients()::reader),
                NoteSigner.NONE,
                sources,
                deletions);
        runs(config, topology);
        this.log = ConfiguredTopology.eventLog(config);
    }

    @Override
    protected String output() {
        return log;
    }

    /** Starts Ebb on the existing topics of the lane. */
    public static EbbApp start(Lane lane, RetentionPolicy policy) throws InterruptedException {
        return start(lane, policy, new Deletions(), Map.of());
    }

    public static EbbApp start(Lane lane, RetentionPolicy policy, Deletions deletions, Map<String, String> settings)
            throws InterruptedException {
        return start(lane, policy, deletions, () -> {}, TopologySettings.IDLE_PERIOD, settings);
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
        EbbConfig config = lane.config(lane.idWithLog(NAME), settings);
        return started(new EbbApp(lane, config, idlePeriod, deletions, asked, new AcceptedSources()), policy);
    }

    /** Starts Ebb on the existing topics of the lane, with sources in force whose targets are known. */
    public static EbbApp start(Lane lane, RetentionPolicy policy, AcceptedSources sources) throws InterruptedException {
        EbbConfig config = lane.config(lane.idWithLog(NAME), Map.of());
        return started(
                new EbbApp(lane, config, TopologySettings.IDLE_PERIOD, new Deletions(), () -> {}, sources), policy);
    }

    private static EbbApp started(EbbApp app, RetentionPolicy policy) throws InterruptedException {
        new Policies(app.lane()).putInForce(policy);
        app.start();
        return app;
    }

    /** Returns one of several instances, not started. */
    static EbbApp of(Lane lane, EbbConfig config) {
        return new EbbApp(lane, config, TopologySettings.IDLE_PERIOD, new Deletions(), () -> {}, new AcceptedSources());
    }

    /** Makes Ebb under a policy by which nothing is due; sweeps run from the first second on all the same. */
    public static EbbApp keeping(Lane lane, String applicationId) throws InterruptedException {
        new Policies(lane).putInForce(Policies.MONTH_FROM_OCCURRED);
        return of(lane, lane.config(applicationId, Map.of()));
    }

    /** Returns the partitions of the events topic that this instance keeps. */
    List<Integer> partitions() {
        return streams().metadataForLocalThreads().stream()
                .flatMap(thread -> thread.activeTasks().stream())
                .flatMap(task -> task.topicPartitions().stream())
                .filter(input -> input.topic().equals(lane().topics().events()))
                .map(TopicPartition::partition)
                .toList();
    }

    public Deletions deletions() {
        return deletions;
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
        Awaiting.until(() -> areBehind(before), POLICY_LIMIT, "the policies were not taken in");
    }

    private boolean areBehind(long version) {
        Map<Integer, Long> now = deletions.policyVersions();
        return now.size() == lane().partitions() && now.values().stream().allMatch(each -> each > version);
    }

    /** A change of the policies. */
    @FunctionalInterface
    public interface Change {

        void make() throws InterruptedException;
    }

    @Override
    protected Contents contents() {
        return EbbStores.contents(streams(), lane().partitions());
    }
}
