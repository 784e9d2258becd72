package dev.ebb.topology;

import dev.ebb.store.EventStore;
import dev.ebb.store.gather.GatheringStoreBuilder;
import dev.ebb.store.layout.StoreNames;
import dev.ebb.store.rocks.Derivation;
import dev.ebb.store.rocks.DerivingStoreSupplier;
import dev.ebb.topology.fault.FailedRecords;
import dev.ebb.topology.fault.Failures;
import dev.ebb.topology.gate.PolicyGateProcessor;
import dev.ebb.topology.parts.TopologyParts;
import dev.ebb.topology.parts.TopologySettings;
import dev.ebb.topology.policy.AcceptedPoliciesProcessor;
import dev.ebb.topology.wire.Addressed;
import dev.ebb.topology.wire.Nodes;
import dev.ebb.topology.wire.SafeTimestampExtractor;
import dev.ebb.topology.wire.Topics;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.TimestampExtractor;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/**
 * Builder of the topology; this page shows the system.
 *
 * <pre>
 *  events ────┐                     ┌─► log of the events, mirror.executions ─► SQL sink
 *  rekey ─────┼─► retention ────────┼─► audit, checkpoints, mirror.audit, archive, trash, reports
 *  commands ──┘   (events, usage)   └─► results, commands, assessments, rejected, rekey,
 *                                       tombstones on the topics of sources
 *
 *  policies ────┬─► policy-gate ──┬─► policies.accepted ─► view of every instance
 *  assessments ─┘   (policy-gate) └─► mirror.policies, audit, checkpoints, mirror.audit, rejected, commands
 * </pre>
 *
 * The upper part has a task for each partition of the events; the lower part has one task in all.
 */
public final class RetentionTopology {

    private static final String EVENTS_SOURCE = "events-source";
    private static final String REKEY_SOURCE = "rekey-source";
    private static final String COMMANDS_SOURCE = "commands-source";
    private static final String RETENTION = "retention";
    private static final String POLICIES_SOURCE = "policies-source";
    private static final String ASSESSMENTS_SOURCE = "assessments-source";
    private static final String GATE = "policy-gate";
    private static final String ACCEPTED_SOURCE = "policies-accepted-source";
    private static final String ACCEPTED_VIEW = "policies-accepted-view";

    private final Topics topics;
    private final TopologySettings settings;
    private final TopologyParts parts;
    private final Function<String, KeyValueBytesStoreSupplier> stores;
    private final TimestampExtractor timestamps = new SafeTimestampExtractor();
    private final Deserializer<byte[]> bytes = new ByteArrayDeserializer();
    private final Serializer<Addressed> address = new Addressed.KeySerializer();
    private final Serializer<byte[]> value = new ByteArraySerializer();
    private final Addressed.Partitioner partitioner = new Addressed.Partitioner();
    private final FailedRecords failed;
    final CommitSignal signal = new CommitSignal();

    /** @param failed the records that have made transactions of this instance fail */
    public RetentionTopology(Topics topics, TopologySettings settings, TopologyParts parts, FailedRecords failed) {
        this(topics, settings, parts, failed, RetentionTopology::onDisk);
    }

    /** Also takes the supplier of the stores, so that a test can keep them in memory. */
    RetentionTopology(
            Topics topics,
            TopologySettings settings,
            TopologyParts parts,
            FailedRecords failed,
            Function<String, KeyValueBytesStoreSupplier> stores) {
        this.failed = failed;
        failed.watchTrash(topics.trash());
        this.stores = stores;
        this.topics = topics;
        this.settings = settings;
        this.parts = parts;
    }

    /**
     * Returns the supplier of a store on disk. All stores are of one kind, which restores itself where its files are
     * damaged and writes in batches, since a commit may write the usage of many streams at once. Only the events have
     * an index.
     */
    static KeyValueBytesStoreSupplier onDisk(String name) {
        return new DerivingStoreSupplier(name, name.equals(StoreNames.EVENTS) ? EventStore.indexes() : Derivation.NONE);
    }

    /** Returns true if the store of that name has a changelog: all stores but one hold something. */
    public static boolean hasChangelog(String store) {
        return !store.equals(CommitSignal.STORE);
    }

    /** Builds the whole topology, from sources to sinks. */
    public Topology build() {
        Topology topology = new Topology();
        addRetention(topology);
        addPolicyGate(topology);
        addPolicyView(topology);
        return topology;
    }

    private void addRetention(Topology topology) {
        ThreadSlices slices = new ThreadSlices(settings.sweepBatchDeletes(), settings.sweepSlice());
        SharedParts shared = new SharedParts(
                topics, settings, parts, signal, new Failures(), failed, new StreamRoom(settings.streamCacheBytes()));
        addSource(topology, EVENTS_SOURCE, topics.events());
        addSource(topology, REKEY_SOURCE, topics.rekey());
        addPromptSource(topology, COMMANDS_SOURCE, topics.commands());
        topology.addProcessor(
                RETENTION, () -> new RetentionProcessor(shared, slices), EVENTS_SOURCE, REKEY_SOURCE, COMMANDS_SOURCE);
        // The signal comes first: what its listener writes belongs to the log of this transaction.
        topology.addStateStore(signal.store(), RETENTION);
        topology.addStateStore(eventsStore(), RETENTION);
        addOutputs(topology);
    }

    private void addOutputs(Topology topology) {
        addSink(topology, Nodes.MIRROR_SINK, topics.mirrorEvents(), RETENTION);
        addSink(topology, Nodes.AUDIT_SINK, topics.audit(), RETENTION);
        addSink(topology, Nodes.AUDIT_MIRROR_SINK, topics.mirrorAudit(), RETENTION);
        addSink(topology, Nodes.CHECKPOINTS_SINK, topics.checkpoints(), RETENTION);
        addSink(topology, Nodes.REPORTS_SINK, topics.reports(), RETENTION);
        addSink(topology, Nodes.REJECTED_SINK, topics.rejected(), RETENTION);
        addSink(topology, Nodes.REKEY_SINK, topics.rekey(), RETENTION);
        addSink(topology, Nodes.ARCHIVE_SINK, topics.archive(), RETENTION);
        addSink(topology, Nodes.TRASH_SINK, topics.trash(), RETENTION);
        addSink(topology, Nodes.EXECUTION_MIRROR_SINK, topics.mirrorExecutions(), RETENTION);
        addSink(topology, Nodes.RESULTS_SINK, topics.results(), RETENTION);
        addSink(topology, Nodes.COMMANDS_SINK, topics.commands(), RETENTION);
        addSink(topology, Nodes.ASSESSMENTS_SINK, topics.assessments(), RETENTION);
        topology.addSink(
                Nodes.TOMBSTONES_SINK, (key, value, from) -> key.topic(), address, value, partitioner, RETENTION);
    }

    private void addPolicyGate(Topology topology) {
        addSource(topology, POLICIES_SOURCE, topics.policies());
        addPromptSource(topology, ASSESSMENTS_SOURCE, topics.assessments());
        topology.addProcessor(
                GATE,
                () -> new PolicyGateProcessor(topics, settings, parts, failed),
                POLICIES_SOURCE,
                ASSESSMENTS_SOURCE);
        topology.addStateStore(gateStore(), GATE);
        addSink(topology, Nodes.ACCEPTED_SINK, topics.policiesAccepted(), GATE);
        addSink(topology, Nodes.POLICY_MIRROR_SINK, topics.mirrorPolicies(), GATE);
        addSink(topology, Nodes.POLICY_AUDIT_SINK, topics.audit(), GATE);
        addSink(topology, Nodes.POLICY_AUDIT_MIRROR_SINK, topics.mirrorAudit(), GATE);
        addSink(topology, Nodes.POLICY_CHECKPOINTS_SINK, topics.checkpoints(), GATE);
        addSink(topology, Nodes.QUESTIONS_SINK, topics.commands(), GATE);
        addSink(topology, Nodes.SETTINGS_SINK, topics.policies(), GATE);
        addSink(topology, Nodes.POLICY_REJECTED_SINK, topics.rejected(), GATE);
    }

    /** Adds the view, in memory: a persistent store would start at its checkpoint and leave the view empty. */
    private void addPolicyView(Topology topology) {
        StoreBuilder<KeyValueStore<byte[], byte[]>> store = Stores.keyValueStoreBuilder(
                        Stores.inMemoryKeyValueStore(Nodes.ACCEPTED_STORE), Serdes.ByteArray(), Serdes.ByteArray())
                .withLoggingDisabled();
        topology.addGlobalStore(
                store,
                ACCEPTED_SOURCE,
                timestamps,
                bytes,
                bytes,
                topics.policiesAccepted(),
                ACCEPTED_VIEW,
                () -> new AcceptedPoliciesProcessor(parts.policies(), parts.sources()));
    }

    private void addSource(Topology topology, String name, String topic) {
        topology.addSource(AutoOffsetReset.earliest(), name, timestamps, bytes, bytes, topic);
    }

    /** Adds a source of commands or answers, which must not wait behind a backfill of old events. */
    private void addPromptSource(Topology topology, String name, String topic) {
        TimestampExtractor always = (record, partitionTime) -> 0;
        topology.addSource(AutoOffsetReset.earliest(), name, always, bytes, bytes, topic);
    }

    private void addSink(Topology topology, String name, String topic, String parent) {
        topology.addSink(name, topic, address, value, partitioner, parent);
    }

    /**
     * Returns the builder of the store of events, uncached: an event is written once and read rarely, so a cache would
     * only copy it. Only its changelog waits for the commit.
     */
    private StoreBuilder<KeyValueStore<Bytes, byte[]>> eventsStore() {
        return new GatheringStoreBuilder(stores.apply(StoreNames.EVENTS), logConfig(settings.changelogConfig()));
    }

    /**
     * Returns the settings of the log of the events: it is cut behind snapshots, and nothing else may remove a record
     * from it. A compaction would keep puts whose removal is in a run; a retention would lose events.
     *
     * @param changelogConfig the settings of changelogs
     */
    private static Map<String, String> logConfig(Map<String, String> changelogConfig) {
        Map<String, String> config = new HashMap<>(changelogConfig);
        config.keySet()
                .removeAll(List.of(TopicConfig.DELETE_RETENTION_MS_CONFIG, TopicConfig.MAX_COMPACTION_LAG_MS_CONFIG));
        config.put(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_DELETE);
        config.put(TopicConfig.RETENTION_MS_CONFIG, "-1");
        config.put(TopicConfig.RETENTION_BYTES_CONFIG, "-1");
        return config;
    }

    private StoreBuilder<KeyValueStore<Bytes, byte[]>> gateStore() {
        return Stores.keyValueStoreBuilder(stores.apply(Nodes.GATE_STORE), Serdes.Bytes(), Serdes.ByteArray())
                .withCachingDisabled()
                .withLoggingEnabled(settings.changelogConfig());
    }
}
