package dev.ebb.runtime.kafka;

import dev.ebb.config.EbbConfig;
import dev.ebb.config.Settings;
import dev.ebb.domain.policy.BuiltInPolicies;
import dev.ebb.domain.policy.RetentionSettings;
import dev.ebb.domain.policy.change.BrakeLimits;
import dev.ebb.domain.receipt.NoteSigner;
import dev.ebb.serde.mirror.MirrorRows;
import dev.ebb.serde.records.AvroRecords;
import dev.ebb.serde.records.RecordReader;
import dev.ebb.serde.schemas.AvroSettings;
import dev.ebb.store.layout.StoreNames;
import dev.ebb.store.parking.ParkingLimits;
import dev.ebb.topology.RetentionTopology;
import dev.ebb.topology.crowd.CrowdLimits;
import dev.ebb.topology.fault.FailedRecords;
import dev.ebb.topology.observe.CatchUp;
import dev.ebb.topology.observe.ClockWatch;
import dev.ebb.topology.observe.Copies;
import dev.ebb.topology.observe.RetentionObserver;
import dev.ebb.topology.parts.TopologyParts;
import dev.ebb.topology.parts.TopologySettings;
import dev.ebb.topology.policy.PolicyViews;
import dev.ebb.topology.source.AcceptedSources;
import dev.ebb.topology.trash.TrashSource;
import dev.ebb.topology.wire.Topics;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyDescription;

/** The topology that the settings describe, for an instance and for measurements of one. */
public final class ConfiguredTopology {

    private final EbbConfig config;
    private final Duration idlePeriod;
    private final FailedRecords failed = new FailedRecords();

    public ConfiguredTopology(EbbConfig config) {
        this(config, TopologySettings.IDLE_PERIOD);
    }

    /** Creates a topology for measurements, with more frequent looks at events that may have fallen due. */
    public ConfiguredTopology(EbbConfig config, Duration idlePeriod) {
        this.config = config;
        this.idlePeriod = idlePeriod;
    }

    public Topics topics() {
        return TopicPlan.topics(config);
    }

    /** Returns a view of the policies in force, for one instance; until it is fed, it shows the built-in policies. */
    public PolicyViews policyViews(RecordReader reader) {
        return new PolicyViews(new BuiltInPolicies(retentionSettings(config)), reader);
    }

    /** Returns the settings with which Kafka Streams makes changelogs. */
    public Map<String, String> changelogSettings() {
        return new TopicPlan(config).changelogSettings();
    }

    /** Returns the name of the log of the events: the changelog of their store. */
    public static String eventLog(EbbConfig config) {
        return config.get(Settings.APPLICATION_ID) + "-" + StoreNames.EVENTS + "-changelog";
    }

    /** Returns the names of the changelogs that Kafka Streams makes, sorted. Connects to nothing. */
    public List<String> changelogs() {
        try (AvroRecords records = AvroRecords.of(AvroSettings.of(config.schemaRegistryProperties()))) {
            RetentionObserver none = new RetentionObserver() {};
            return build(records, policyViews(records), new DescribedTopology(), ClockWatch.SANE, NoteSigner.NONE, none)
                    .describe()
                    .subtopologies()
                    .stream()
                    .flatMap(part -> part.nodes().stream())
                    .filter(TopologyDescription.Processor.class::isInstance)
                    .flatMap(node -> ((TopologyDescription.Processor) node).stores().stream())
                    .filter(RetentionTopology::hasChangelog)
                    .map(store -> config.get(Settings.APPLICATION_ID) + "-" + store + "-changelog")
                    .distinct()
                    .sorted()
                    .toList();
        }
    }

    /** Returns the records at which transactions of the topologies built here have failed. */
    public FailedRecords failedRecords() {
        return failed;
    }

    /** Builds a topology that finds neither copies nor trash of deleted events, for measurements and descriptions. */
    public Topology build(
            AvroRecords records,
            PolicyViews policies,
            CatchUp catchUp,
            ClockWatch clock,
            NoteSigner signer,
            RetentionObserver observer) {
        return build(
                records,
                policies,
                catchUp,
                clock,
                Copies.NONE,
                TrashSource.NONE,
                signer,
                new AcceptedSources(),
                observer);
    }

    /**
     * Builds the topology of an instance.
     *
     * @param signer signs the checkpoints of the audit
     * @param sources is told of the sources in force
     */
    public Topology build(
            AvroRecords records,
            PolicyViews policies,
            CatchUp catchUp,
            ClockWatch clock,
            Copies copies,
            TrashSource trash,
            NoteSigner signer,
            AcceptedSources sources,
            RetentionObserver observer) {
        failed.observer(observer);
        var rows = new MirrorRows(config.get(Settings.MIRROR_JSON).equals("on"));
        var parts = new TopologyParts(
                records, records, rows, policies, catchUp, clock, copies, trash, signer, sources, observer);
        return new RetentionTopology(topics(), settings(), parts, failed).build();
    }

    private TopologySettings settings() {
        return new TopologySettings(
                retentionSettings(config).statuses(),
                new BuiltInPolicies(retentionSettings(config)),
                config.get(Settings.SWEEP_ENABLED),
                config.get(Settings.SWEEP_INTERVAL).stream()
                        .mapToLong(Duration::toMillis)
                        .findFirst(),
                config.get(Settings.SWEEP_BATCH_DELETES),
                config.get(Settings.SWEEP_SLICE),
                config.get(Settings.RECORD_MAX_BYTES),
                brakeLimits(config),
                changelogSettings(),
                config.get(Settings.STALE_THRESHOLD),
                idlePeriod,
                new ParkingLimits(config.get(Settings.PARKED_MAX_RECORDS), config.get(Settings.PARKED_MAX_BYTES)),
                config.get(Settings.UNDO_MAX),
                config.get(Settings.UNDO_NOTICE),
                config.get(Settings.GRAVE_RETENTION),
                crowdLimits(config),
                config.get(Settings.CLOCK_MAX_GAP),
                config.get(Settings.STATE_STREAMS_BYTES));
    }

    /** Returns the limits on deletes without a confirmation. */
    private static BrakeLimits brakeLimits(EbbConfig config) {
        return new BrakeLimits(
                config.get(Settings.BRAKE_MAX_SHARE),
                config.get(Settings.BRAKE_MIN_EVENTS),
                config.get(Settings.BRAKE_HORIZON).toMillis());
    }

    /** Returns the limits on unfinished commands, for each partition and for each instance. */
    public static CrowdLimits crowdLimits(EbbConfig config) {
        return new CrowdLimits(config.get(Settings.COMMANDS_MAX_BULK), config.get(Settings.COMMANDS_MAX_SINGLE));
    }

    /** Returns the configured settings that decide deletes; those in force are in the view of the policies (T-13). */
    public static RetentionSettings retentionSettings(EbbConfig config) {
        return new RetentionSettings(
                config.get(Settings.RETENTION_DEFAULT_MAX_AGE),
                config.get(Settings.RETENTION_DEFAULT_MODE),
                config.get(Settings.TERMINAL_STATUSES));
    }

    /** Catch-up of a topology that is only described. */
    private static final class DescribedTopology implements CatchUp {

        @Override
        public void taskStarted(int partition) {}

        @Override
        public void processed(String topic, int partition, long offset) {}

        @Override
        public boolean isCaughtUp(int partition) {
            return false;
        }

        @Override
        public long policiesTarget() {
            return UNKNOWN;
        }
    }
}
