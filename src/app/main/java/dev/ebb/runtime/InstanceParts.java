package dev.ebb.runtime;

import dev.ebb.api.ApiServer;
import dev.ebb.api.peers.PeerPorts;
import dev.ebb.config.EbbConfig;
import dev.ebb.config.Settings;
import dev.ebb.domain.policy.Limit;
import dev.ebb.metrics.InstanceMetrics;
import dev.ebb.metrics.KafkaMetricsBridge;
import dev.ebb.port.ApiPorts;
import dev.ebb.port.EventQueries;
import dev.ebb.port.InsightPorts;
import dev.ebb.port.PolicyAdmin;
import dev.ebb.port.StatusView;
import dev.ebb.runtime.history.AuditedExpiry;
import dev.ebb.runtime.history.KafkaArchive;
import dev.ebb.runtime.history.KafkaAuditQueries;
import dev.ebb.runtime.history.KafkaRecordLog;
import dev.ebb.runtime.history.KafkaRejectedQueries;
import dev.ebb.runtime.history.KafkaReportQueries;
import dev.ebb.runtime.history.TopicReader;
import dev.ebb.runtime.history.WarmReaders;
import dev.ebb.runtime.kafka.ConfiguredTopology;
import dev.ebb.runtime.kafka.KafkaClients;
import dev.ebb.runtime.kafka.TopicPlan;
import dev.ebb.runtime.life.Housekeeping;
import dev.ebb.runtime.life.LifecycleObserver;
import dev.ebb.runtime.life.RefusedException;
import dev.ebb.runtime.life.Resources;
import dev.ebb.runtime.life.StartSequence;
import dev.ebb.runtime.life.StartStep;
import dev.ebb.runtime.reads.LocalCopies;
import dev.ebb.runtime.reads.LocalDueForecast;
import dev.ebb.runtime.reads.LocalEventQueries;
import dev.ebb.runtime.reads.LocalExplainQueries;
import dev.ebb.runtime.reads.LocalParkedQueries;
import dev.ebb.runtime.reads.StandingCount;
import dev.ebb.runtime.streams.FormatFile;
import dev.ebb.runtime.streams.GroupDeparture;
import dev.ebb.runtime.streams.GroupExit;
import dev.ebb.runtime.streams.KafkaCatchUp;
import dev.ebb.runtime.streams.KafkaInputTargets;
import dev.ebb.runtime.streams.PartitionStores;
import dev.ebb.runtime.streams.StateFolders;
import dev.ebb.runtime.streams.StreamsInstance;
import dev.ebb.runtime.verify.LocalMirrorCheck;
import dev.ebb.runtime.verify.Mirror;
import dev.ebb.runtime.watch.ApplicationHealth;
import dev.ebb.runtime.watch.ApplicationStatus;
import dev.ebb.runtime.watch.ClockGuard;
import dev.ebb.runtime.watch.ClockHeartbeat;
import dev.ebb.runtime.watch.GroupLag;
import dev.ebb.runtime.watch.InstanceWatch;
import dev.ebb.runtime.watch.LagWatch;
import dev.ebb.runtime.watch.PrometheusPage;
import dev.ebb.runtime.writes.KafkaCommandDesk;
import dev.ebb.runtime.writes.KafkaCommandPublisher;
import dev.ebb.runtime.writes.KafkaEventProducer;
import dev.ebb.runtime.writes.KafkaPolicyAdmin;
import dev.ebb.runtime.writes.KafkaPolicyPublisher;
import dev.ebb.runtime.writes.LatestResults;
import dev.ebb.runtime.writes.ResultsFollower;
import dev.ebb.serde.records.AvroRecords;
import dev.ebb.serde.schemas.AvroSettings;
import dev.ebb.serde.schemas.RegistryUnavailableException;
import dev.ebb.store.rocks.SharedMemory;
import dev.ebb.topology.observe.TaskStatus;
import dev.ebb.topology.policy.PolicyViews;
import dev.ebb.topology.wire.HoldConfirmations;
import dev.ebb.topology.wire.Nodes;
import dev.ebb.topology.wire.Topics;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.Topology;

/**
 * Parts of an instance, put together in one place. The API starts first, so that it can be seen what the rest
 * waits for; then the topics are checked, the schemas registered, and processing begins. All ends in the opposite order.
 */
final class InstanceParts {

    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final Duration TOUCH_FOLDERS_EVERY = Duration.ofMinutes(1);
    private static final Duration MEASURE_LAG_EVERY = Duration.ofSeconds(1);

    /** Longest wait for a search; two may follow each other, and the command line waits for a minute. */
    private static final Duration SEARCH_PATIENCE = Duration.ofSeconds(15);

    /** Most questions about audit, sweeps and rejected records that are answered at once; others wait. */
    private static final int READERS_AT_ONCE = 8;

    /** Difference of clocks that is allowed for, also where the clock guard allows for less or looks at none. */
    private static final Duration MIN_CLOCK_DIFFERENCE = Duration.ofMinutes(10);

    private static final long REMEMBERED_RESULTS = 50_000;

    private final EbbConfig config;
    private final Clock clock;
    private final LifecycleObserver observer;
    private final Topics topics;
    private final KafkaClients clients;
    private final Resources resources = new Resources();
    private final PrometheusRegistry registry = new PrometheusRegistry();
    private final InstanceWatch watch = InstanceWatch.of(registry);

    private final Admin admin;
    private final AvroRecords records;
    private final PolicyViews policies;
    private final KafkaCatchUp catchUp;
    private final WarmReaders readers;
    private final SharedMemory memory;
    private final StreamsInstance streams;
    private final LatestResults results = new LatestResults(REMEMBERED_RESULTS);
    private final ResultsFollower follower;
    private final LagWatch inputLag;
    private final Mirror mirror;
    private final ClockGuard clockGuard;
    private final ClockHeartbeat heartbeat;
    private final Housekeeping housekeeping;
    private final Housekeeping clockKeeping;
    private final StartChecks checks;
    private final StartSequence sequence;
    private final LocalDueForecast forecast;
    private final ApiServer api;

    /** Connects to nothing yet. */
    InstanceParts(EbbConfig config, Clock clock, LifecycleObserver observer) {
        this.config = config;
        this.clock = clock;
        this.observer = observer;
        this.topics = TopicPlan.topics(config);
        this.clients = new KafkaClients(config);
        this.admin = resources.add(clients.admin());
        this.records = resources.add(AvroRecords.of(AvroSettings.of(config.avroProperties())));
        this.policies = new ConfiguredTopology(config).policyViews(records);
        this.catchUp = resources.add(new KafkaCatchUp(
                topics, new KafkaInputTargets(clients::reader, admin, config.get(Settings.APPLICATION_ID))));
        this.clockGuard = new ClockGuard(
                config.get(Settings.CLOCK_GUARD_MAX_DIFFERENCE),
                config.get(Settings.CLOCK_GUARD_INTERVAL),
                clock,
                System::nanoTime);
        this.heartbeat = resources.add(heartbeat());
        this.readers = resources.add(new WarmReaders(clients::reader, READERS_AT_ONCE, SEARCH_PATIENCE));
        this.memory = resources.add(new SharedMemory(
                config.get(Settings.ROCKSDB_BLOCK_CACHE_BYTES),
                config.get(Settings.ROCKSDB_WRITE_BUFFER_BYTES),
                config.get(Settings.STATE_LOOKUP_BYTES)));
        this.streams = streams();
        this.follower = resources.add(new ResultsFollower(clients::follower, records, results, topics, clock));
        this.inputLag = resources.add(inputLag());
        this.mirror = resources.add(new Mirror(config, clients));
        this.housekeeping = resources.add(new Housekeeping("ebb-housekeeping"));
        // Of its own: a thread that waits for a broker must not make the clock late.
        this.clockKeeping = resources.add(new Housekeeping("ebb-clock"));
        this.checks = new StartChecks(config, admin, clients, catchUp, observer);
        this.sequence = sequence();
        this.forecast = forecast();
        this.api = api();
        registerMetrics();
    }

    /**
     * Returns when processing has begun.
     *
     * @param listener hears of the states of Kafka Streams
     * @throws RefusedException if a topic is wrong, or the state is not for this version
     * @throws InterruptedException if the start was abandoned
     */
    void start(KafkaStreams.StateListener listener) throws InterruptedException {
        checks.warnOfSettings();
        new FormatFile(config.stateFolder()).claim();
        streams.listen(listener);
        api.start();
        sequence.run();
        mirror.start();
        housekeeping.repeat(TOUCH_FOLDERS_EVERY, new StateFolders(streams::taskFolders, clock));
        housekeeping.repeat(MEASURE_LAG_EVERY, inputLag);
    }

    /** Returns true if it ended because the state is not for this version. */
    boolean isRefused() {
        return streams.isRefused();
    }

    void abandonStart() {
        sequence.abandon();
    }

    /** Returns false if the streams did not stop in time. */
    boolean close(Duration timeout) {
        results.close();
        api.close();
        boolean isInTime = streams.close(timeout);
        if (streams.isRefused()) {
            // It does not come back by itself, so others need not wait for it.
            config.get(Settings.GROUP_INSTANCE_ID)
                    .ifPresent(name -> new GroupExit(admin, config.get(Settings.APPLICATION_ID), name).leave());
        }
        resources.close();
        return isInTime;
    }

    private StartSequence sequence() {
        List<StartStep> steps = List.of(
                new StartStep("the topics", checks::checkTopics),
                new StartStep("the offsets of the group", checks::checkOffsets),
                new StartStep("the schema registry", records::prepare),
                // Until it is known, records would be stored with the time of a clock that has not been compared.
                new StartStep("the broker's time", heartbeat::awaitAnswer),
                new StartStep("the policies in force", this::startStreams));
        return new StartSequence(
                steps,
                e -> e instanceof RetriableException || e instanceof RegistryUnavailableException,
                observer,
                PAUSE);
    }

    private void startStreams() {
        catchUp.start();
        follower.start();
        clockKeeping.repeat(config.get(Settings.CLOCK_GUARD_INTERVAL), heartbeat);
        streams.start();
        // Of a file of policies that compaction has taken a part of, the rest will never come.
        policies.restored(streams.restores().end(Nodes.ACCEPTED_STORE));
    }

    private ClockHeartbeat heartbeat() {
        return new ClockHeartbeat(
                clients.asker(), topics.clock(), config.apiAdvertised().toString(), clockGuard);
    }

    private StreamsInstance streams() {
        ConfiguredTopology configured = new ConfiguredTopology(config);
        Topology topology = configured.build(records, policies, catchUp, clockGuard, watch.observer());
        return new StreamsInstance(config, topology, memory, configured.failedRecords(), clockGuard, observer);
    }

    private LagWatch inputLag() {
        Consumer<byte[], byte[]> reader = clients.reader();
        Admin ownAdmin = clients.admin();
        List<String> input = List.of(topics.events(), topics.rekey(), topics.policies());
        return new LagWatch(
                new GroupLag(reader, ownAdmin, config.get(Settings.APPLICATION_ID), input), reader, ownAdmin);
    }

    private ApiServer api() {
        var publisher = resources.add(new KafkaPolicyPublisher(clients, config, records));
        var policyAdmin = new KafkaPolicyAdmin(
                policies,
                () -> sequence.waitingFor() == null ? streams.absence() : "the policies in force are not known yet",
                publisher,
                (offset, wait) -> results.awaitUntil(
                        () -> HoldConfirmations.areAll(offset, topics.partitions(), results::find), wait));
        var writer = resources.add(
                new KafkaEventProducer(clients, config, records, () -> clockGuard.trusted(clock.millis())));
        var ports = new ApiPorts(
                events(streams, policyAdmin),
                writer,
                policyAdmin,
                commands(),
                status(),
                health(),
                new PrometheusPage(registry),
                insight());
        PeerPorts peers = new PeerPorts(
                streams.placement(),
                new LocalCopies(events(streams.copies(), policyAdmin), streams::lags),
                new GroupDeparture(streams, observer),
                ApiDoor.peers(config));
        return ApiDoor.server(config, ports, peers);
    }

    private EventQueries events(PartitionStores stores, PolicyAdmin inForce) {
        return new LocalEventQueries(
                stores, topics.partitions(), inForce::current, config.get(Settings.TERMINAL_STATUSES), clock);
    }

    private KafkaCommandDesk commands() {
        var publisher = resources.add(new KafkaCommandPublisher(clients, config, records));
        return new KafkaCommandDesk(publisher, results, follower::isCaughtUp, clock);
    }

    private InsightPorts insight() {
        var producer = clients.impatientProducer("requeue");
        var audit = new KafkaAuditQueries(history(topics.audit()), records);
        return new InsightPorts(
                audit,
                new KafkaReportQueries(history(topics.reports()), records),
                resources.add(new KafkaRejectedQueries(history(topics.rejected()), producer, topics)),
                new KafkaArchive(
                        history(topics.archive()),
                        () -> KafkaRecordLog.open(readers.take(), topics.archive()),
                        records,
                        config.get(Settings.TERMINAL_STATUSES),
                        SEARCH_PATIENCE),
                forecast,
                resources.add(expired(audit)),
                new LocalExplainQueries(
                        streams, topics.partitions(), () -> watch.tasks().all()),
                new LocalParkedQueries(streams, records),
                new LocalMirrorCheck(
                        streams, topics.partitions(), () -> mirror.require().tables(), () -> mirror.require()
                                .position()));
    }

    private TopicReader history(String topic) {
        return new TopicReader(() -> KafkaRecordLog.open(readers.take(), topic), SEARCH_PATIENCE);
    }

    private LocalDueForecast forecast() {
        var sources = new LocalDueForecast.Sources(
                streams,
                () -> watch.tasks().all().stream().map(TaskStatus::partition).toList(),
                topics.partitions(),
                () -> policies.current().policies());
        return resources.add(new LocalDueForecast(sources, clock, StandingCount.thread("ebb-forecast")));
    }

    private AuditedExpiry expired(KafkaAuditQueries audit) {
        Limit limit = config.get(Settings.CLOCK_GUARD_MAX_DIFFERENCE);
        long differenceMs = limit.isNone() ? 0 : limit.value();
        return new AuditedExpiry(
                audit,
                clock,
                Duration.ofMillis(Math.max(MIN_CLOCK_DIFFERENCE.toMillis(), differenceMs)),
                StandingCount.thread("ebb-expired"),
                StandingCount.PATIENCE);
    }

    private ApplicationStatus status() {
        var sources = new ApplicationStatus.Sources(
                streams,
                () -> streams.hasLeft() ? "DRAINED" : streams.state().name(),
                watch.tasks(),
                watch.totals(),
                streams.restores(),
                policies::current,
                inputLag::measured,
                () -> new StatusView.ClockView(
                        ApplicationStatus.boxed(clockGuard.differenceMs()), clockGuard.problem()),
                mirror::view);
        return new ApplicationStatus(config, clock.instant(), sources);
    }

    private ApplicationHealth health() {
        return new ApplicationHealth(sequence::waitingFor, streams::state, clockGuard, streams::recentFailures);
    }

    private void registerMetrics() {
        InstanceMetrics.registerReady(registry, () -> health().ready().isUp());
        InstanceMetrics.registerProcess(registry);
        registry.register(new KafkaMetricsBridge(streams::metrics));
        watch.metrics().registerForecasts(registry, () -> DueGauges.of(forecast), () -> policies.current()
                .policies()
                .holds()
                .size());
        InstanceMetrics.register(
                registry,
                new InstanceMetrics.Sources(
                        () -> policies.current().policies().version(),
                        () -> policies.current().waiting(),
                        inputLag::measured,
                        clockGuard::differenceMs,
                        () -> clockGuard.problem() != null,
                        mirror::lags,
                        mirror::states,
                        () -> streams.restores().running().stream()
                                .map(restore -> new InstanceMetrics.Restore(
                                        restore.store(), restore.partition(), restore.remaining()))
                                .toList(),
                        memory::use));
    }
}
