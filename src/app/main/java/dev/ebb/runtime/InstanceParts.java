package dev.ebb.runtime;

import dev.ebb.api.ApiServer;
import dev.ebb.config.EbbConfig;
import dev.ebb.config.Settings;
import dev.ebb.domain.retention.DueSums;
import dev.ebb.metrics.InstanceMetrics;
import dev.ebb.metrics.KafkaMetricsBridge;
import dev.ebb.metrics.OtlpExport;
import dev.ebb.port.NotReadyException;
import dev.ebb.runtime.kafka.ConfiguredTopology;
import dev.ebb.runtime.life.FreezeWatch;
import dev.ebb.runtime.life.Housekeeping;
import dev.ebb.runtime.life.LifecycleObserver;
import dev.ebb.runtime.life.RefusedException;
import dev.ebb.runtime.life.StartSequence;
import dev.ebb.runtime.life.StartStep;
import dev.ebb.runtime.streams.FormatFile;
import dev.ebb.runtime.streams.GroupExit;
import dev.ebb.runtime.streams.LogTruncation;
import dev.ebb.runtime.streams.StateFolders;
import dev.ebb.runtime.streams.StreamsInstance;
import dev.ebb.runtime.watch.ClockGuard;
import dev.ebb.runtime.watch.CollectorWatch;
import dev.ebb.runtime.watch.InstanceWatch;
import dev.ebb.serde.schemas.RegistryUnavailableException;
import dev.ebb.topology.policy.PolicyView;
import dev.ebb.topology.wire.Nodes;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.streams.KafkaStreams;

/**
 * Parts of an instance, put together in one place. The API starts first and shows what the rest waits for; then the
 * topics are checked, the schemas are registered, and processing begins. Everything ends in the opposite order.
 */
final class InstanceParts {

    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final Duration TOUCH_FOLDERS_EVERY = Duration.ofMinutes(1);

    private static final Duration WRITE_FILES_EVERY = Duration.ofSeconds(1);

    /** Much less than the time for which changelogs keep tombstones; busy stores write files more often. */
    private static final Duration ASK_FOR_FILES_EVERY = Duration.ofMinutes(10);

    private static final Duration CUT_LOG_EVERY = Duration.ofSeconds(30);

    private static final Duration LOOK_AT_HEAP_EVERY = Duration.ofSeconds(5);

    private static final Duration MEASURE_LAG_EVERY = Duration.ofSeconds(1);

    private static final Duration SAY_SWEEPS_EVERY = Duration.ofSeconds(10);

    private static final Duration READ_AUDIT_EVERY = Duration.ofSeconds(10);

    private final Connections to;
    private final EbbConfig config;
    private final PrometheusRegistry registry = new PrometheusRegistry();
    private final Processing processing;
    private final StreamsInstance streams;
    private final Housekeeping housekeeping;
    private final Housekeeping clockKeeping;
    private final Housekeeping pulse;
    private final StartChecks checks;
    private final StartSequence sequence;
    private final PortAdapters adapters;
    private final ApiServer api;
    private final CollectorWatch collector = CollectorWatch.ofProcess();

    /** Creates the parts; connects to nothing yet. */
    InstanceParts(EbbConfig config, Clock clock, LifecycleObserver observer) {
        this.config = config;
        this.to = Connections.of(config, clock, observer);
        this.processing = Processing.of(to, InstanceWatch.of(registry));
        this.streams = processing.streams();
        to.add(processing.watch().log());
        this.housekeeping = to.add(new Housekeeping("ebb-housekeeping"));
        // A thread of its own: a task that waits for a broker must not make the clock late.
        this.clockKeeping = to.add(new Housekeeping("ebb-clock"));
        // Nor must anything that waits for a broker look like a process that stands still.
        this.pulse = to.add(new Housekeeping("ebb-pulse"));
        this.checks = new StartChecks(config, to.admin(), to.clients(), processing.catchUp(), observer);
        this.sequence = sequence();
        this.adapters = new PortAdapters(to, processing, sequence::waitingFor);
        this.api = ApiDoor.server(config, adapters.ports(registry), adapters.peers());
        registerMetrics();
    }

    /**
     * Starts the parts; returns when processing has begun.
     *
     * @param listener receives the states of Kafka Streams
     * @param exhausted receives the reason why the process must end; again and again until it does
     * @throws RefusedException if a topic is wrong, or the state is not for this version
     * @throws InterruptedException if the start was abandoned
     */
    void start(KafkaStreams.StateListener listener, Consumer<String> exhausted) throws InterruptedException {
        checks.warnOfSettings();
        // First of all: policies and states may fill the heap during the start.
        clockKeeping.repeat(LOOK_AT_HEAP_EVERY, () -> lookAtCollector(exhausted));
        new FormatFile(config.stateFolder()).claim();
        streams.listen(listener);
        pulse.repeat(FreezeWatch.PULSE, streams.freeze());
        api.start();
        export();
        sequence.run();
        processing.mirror().start();
        housekeeping.repeat(TOUCH_FOLDERS_EVERY, new StateFolders(streams::taskFolders, to.clock()));
        // A heap is full if it has been for a while, so it must be looked at although no probe comes.
        clockKeeping.repeat(LOOK_AT_HEAP_EVERY, adapters.heap()::problem);
        housekeeping.repeat(WRITE_FILES_EVERY, streams.offsets()::writeFiles);
        housekeeping.repeat(ASK_FOR_FILES_EVERY, streams.offsets()::askForFiles);
        housekeeping.repeat(CUT_LOG_EVERY, logTruncation());
        processing.inputLag().whenAsked(() -> housekeeping.soon(processing.inputLag()));
        housekeeping.repeat(MEASURE_LAG_EVERY, processing.inputLag());
        housekeeping.repeat(SAY_SWEEPS_EVERY, processing.watch().log()::sayDue);
        housekeeping.repeat(READ_AUDIT_EVERY, adapters.deletions()::keepUp);
    }

    /** Sends the figures of the start too, so that a collector sees why an instance is not ready. */
    private void export() {
        String collector = config.get(Settings.METRICS_OTLP_ENDPOINT);
        if (!collector.isEmpty()) {
            Duration interval = config.get(Settings.METRICS_OTLP_INTERVAL);
            String instance = config.apiAdvertised().toString();
            to.add(OtlpExport.start(registry, collector, interval, instance));
        }
    }

    private void lookAtCollector(Consumer<String> exhausted) {
        String problem = collector.problem();
        if (problem != null) {
            exhausted.accept(problem);
        }
    }

    /**
     * Returns true if the instance ended because the state is not for this version, or input came that was taken in
     * before.
     */
    boolean isRefused() {
        return streams.isRefused();
    }

    void abandonStart() {
        sequence.abandon();
    }

    /** Closes the parts; returns false if the streams did not stop in time. */
    boolean close(Duration timeout) {
        processing.results().latest().close();
        api.close();
        boolean isInTime = streams.close(timeout);
        if (streams.isRefused()) {
            // The instance does not come back by itself, so others need not wait for it.
            config.get(Settings.GROUP_INSTANCE_ID)
                    .ifPresent(name -> new GroupExit(to.admin(), config.get(Settings.APPLICATION_ID), name).leave());
        }
        to.resources().close();
        return isInTime;
    }

    private StartSequence sequence() {
        List<StartStep> steps = List.of(
                new StartStep("the topics of Kafka at " + config.get(Settings.BOOTSTRAP_SERVERS), checks::checkTopics),
                new StartStep("the offsets of the group", checks::checkOffsets),
                new StartStep("the schema registry", to.records()::prepare),
                // Until the broker's time is known, records would be stored with the time of an unchecked clock.
                new StartStep("the broker's time", processing.heartbeat()::awaitAnswer),
                new StartStep("the policies in force", this::startProcessing));
        return new StartSequence(
                steps,
                e -> e instanceof RetriableException || e instanceof RegistryUnavailableException,
                to.observer(),
                PAUSE);
    }

    private void startProcessing() {
        processing.catchUp().start();
        processing.results().follower().start();
        clockKeeping.repeat(config.get(Settings.CLOCK_GUARD_INTERVAL), processing.heartbeat());
        streams.start();
        // The rest of a file of policies never arrives if compaction has removed a part of it.
        processing.policies().restored(streams.restores().end(Nodes.ACCEPTED_STORE));
        processing.sources().start();
    }

    private LogTruncation logTruncation() {
        return new LogTruncation(
                to.admin(),
                streams.offsets(),
                ConfiguredTopology.eventLog(config),
                config.get(Settings.TOPICS_MAX_COMPACTION_LAG),
                to.clock(),
                processing.mirror()::readBefore);
    }

    private void registerMetrics() {
        InstanceWatch watch = processing.watch();
        InstanceMetrics.registerReady(registry, () -> adapters.health().ready().isUp());
        InstanceMetrics.registerHeap(registry, adapters.heap()::share);
        InstanceMetrics.registerProblems(registry, adapters.disk()::bytes, () -> streams.recentFailures() != null);
        InstanceMetrics.registerProcess(registry);
        registry.register(new KafkaMetricsBridge(streams::metrics));
        watch.metrics()
                .registerForecasts(
                        registry, this::due, () -> policies().policies().holds().size());
        InstanceMetrics.register(registry, sources());
    }

    private InstanceMetrics.Sources sources() {
        ClockGuard clock = processing.clockGuard();
        return new InstanceMetrics.Sources(
                () -> policies().policies().version(),
                () -> policies().waiting(),
                () -> ConfiguredTopology.retentionSettings(config)
                        .differencesFrom(policies().policies().settings())
                        .size(),
                processing.inputLag()::measured,
                clock::differenceMs,
                () -> clock.problem() != null,
                processing.mirror()::lags,
                processing.mirror()::refused,
                processing.mirror()::states,
                this::restores,
                processing.memory()::use,
                config.get(Settings.UNDO_MAX));
    }

    private PolicyView policies() {
        return processing.policies().current();
    }

    private List<InstanceMetrics.Restore> restores() {
        return streams.restores().running().stream()
                .map(restore -> new InstanceMetrics.Restore(restore.store(), restore.partition(), restore.remaining()))
                .toList();
    }

    /** Returns the events that come due, by namespace; does not wait for a first count, which may outlast a scrape. */
    private Map<String, DueSums> due() {
        try {
            return adapters.forecast().outlook().byNamespace();
        } catch (NotReadyException e) {
            return Map.of();
        }
    }
}
