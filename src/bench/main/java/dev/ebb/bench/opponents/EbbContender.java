package dev.ebb.bench.opponents;

import dev.ebb.bench.harness.Contents;
import dev.ebb.bench.stack.AlwaysCaughtUp;
import dev.ebb.bench.stack.Application;
import dev.ebb.bench.stack.DrainWatch;
import dev.ebb.bench.stack.EbbStores;
import dev.ebb.bench.stack.Lane;
import dev.ebb.bench.stack.Policies;
import dev.ebb.config.EbbConfig;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.receipt.NoteSigner;
import dev.ebb.runtime.kafka.ConfiguredTopology;
import dev.ebb.runtime.watch.InstanceWatch;
import dev.ebb.topology.observe.CatchUp;
import dev.ebb.topology.observe.ClockWatch;
import dev.ebb.topology.observe.RetentionObserver;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.Set;
import org.apache.kafka.streams.Topology;

/** Ebb under one policy, by which no event of the input is due; sweeps run from the first second on all the same. */
public final class EbbContender implements Contender {

    private final Lane lane;
    private final RetentionPolicy policy;
    private final boolean hasRows;

    private EbbContender(Lane lane, RetentionPolicy policy, boolean hasRows) {
        this.lane = lane;
        this.policy = policy;
        this.hasRows = hasRows;
    }

    public EbbContender(Lane lane, RetentionPolicy policy) {
        this(lane, policy, true);
    }

    /**
     * Returns a contender that makes the rows for SQL as always, since no setting omits them, but does not send them.
     */
    public static EbbContender withoutRows(Lane lane, RetentionPolicy policy) {
        return new EbbContender(lane, policy, false);
    }

    @Override
    public String name() {
        return hasRows ? "ebb" : "ebb-without-rows";
    }

    @Override
    public Set<String> withheld() {
        return hasRows ? Set.of() : Set.of(lane.topics().mirrorEvents());
    }

    @Override
    public Topology topology(EbbConfig config, DrainWatch watch) throws InterruptedException {
        new Policies(lane).putInForce(policy);
        var configured = new ConfiguredTopology(config);
        var policies = configured.policyViews(lane.records());
        RetentionObserver observer = InstanceWatch.of(new PrometheusRegistry()).observer();
        CatchUp catchUp = new AlwaysCaughtUp(lane.topics().events(), watch::taken);
        return configured.build(lane.records(), policies, catchUp, ClockWatch.SANE, NoteSigner.NONE, observer);
    }

    @Override
    public Contents contents(Application application) {
        return EbbStores.contents(application.streams(), lane.partitions());
    }
}
