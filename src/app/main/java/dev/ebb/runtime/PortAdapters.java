package dev.ebb.runtime;

import dev.ebb.api.peers.PeerPorts;
import dev.ebb.archive.KafkaArchive;
import dev.ebb.config.EbbConfig;
import dev.ebb.config.Settings;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.instance.KafkaMembership;
import dev.ebb.parking.LocalParkedQueries;
import dev.ebb.port.ApiPorts;
import dev.ebb.port.EventQueries;
import dev.ebb.port.InsightPorts;
import dev.ebb.port.PolicyAdmin;
import dev.ebb.port.RunningCommand;
import dev.ebb.port.StatusView;
import dev.ebb.receipt.KafkaReceipts;
import dev.ebb.runtime.forecast.AuditedDeletions;
import dev.ebb.runtime.forecast.KafkaNews;
import dev.ebb.runtime.forecast.LocalForecast;
import dev.ebb.runtime.history.AuditedExpiry;
import dev.ebb.runtime.history.KafkaAuditQueries;
import dev.ebb.runtime.history.KafkaRecordLog;
import dev.ebb.runtime.history.KafkaRejectedQueries;
import dev.ebb.runtime.history.KafkaReportQueries;
import dev.ebb.runtime.history.RecordLog;
import dev.ebb.runtime.history.TopicReader;
import dev.ebb.runtime.history.WarmReaders;
import dev.ebb.runtime.kafka.ConfiguredTopology;
import dev.ebb.runtime.kafka.KeptTime;
import dev.ebb.runtime.reads.LocalDueForecast;
import dev.ebb.runtime.reads.LocalEventQueries;
import dev.ebb.runtime.reads.LocalExplainQueries;
import dev.ebb.runtime.reads.LocalReplicas;
import dev.ebb.runtime.reads.LocalStreamFigures;
import dev.ebb.runtime.reads.StandingCount;
import dev.ebb.runtime.streams.GroupDeparture;
import dev.ebb.runtime.streams.PartitionStores;
import dev.ebb.runtime.streams.StreamsInstance;
import dev.ebb.runtime.verify.LocalMirrorCheck;
import dev.ebb.runtime.verify.Mirror;
import dev.ebb.runtime.watch.ApplicationHealth;
import dev.ebb.runtime.watch.ApplicationStatus;
import dev.ebb.runtime.watch.ClockGuard;
import dev.ebb.runtime.watch.DiskWatch;
import dev.ebb.runtime.watch.GuardedClock;
import dev.ebb.runtime.watch.HeapWatch;
import dev.ebb.runtime.watch.MeteredRequests;
import dev.ebb.runtime.watch.PrometheusPage;
import dev.ebb.runtime.watch.RequestWatch;
import dev.ebb.runtime.writes.KafkaCommandDesk;
import dev.ebb.runtime.writes.KafkaCommandPublisher;
import dev.ebb.runtime.writes.KafkaEventProducer;
import dev.ebb.runtime.writes.KafkaPolicyAdmin;
import dev.ebb.runtime.writes.KafkaPolicyPublisher;
import dev.ebb.runtime.writes.SentCommands;
import dev.ebb.topology.observe.KnownCommands;
import dev.ebb.topology.observe.TaskStatus;
import dev.ebb.topology.wire.HoldConfirmations;
import dev.ebb.topology.wire.Topics;
import dev.ebb.undo.KafkaTrashCounts;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Adapters of the ports that the API uses, over the parts of one instance. */
final class PortAdapters {

    /** Longest wait for a search; two may follow each other, and the command line waits for a minute. */
    private static final Duration SEARCH_PATIENCE = Duration.ofSeconds(15);

    /** Maximum number of queries about audit, sweeps and rejected records that are answered at once; others wait. */
    private static final int READERS_AT_ONCE = 8;

    /** Difference of clocks that is allowed for, even where the clock guard allows for less or is off. */
    /** Time for which an answer that something is not there waits for the lag of the input. */
    private static final Duration MEASURING_OF_LAG = Duration.ofSeconds(1);

    private static final Duration MIN_CLOCK_DIFFERENCE = Duration.ofMinutes(10);

    private final Connections to;
    private final Processing parts;
    private final Supplier<@Nullable String> waitingFor;
    private final EbbConfig config;
    private final Topics topics;
    private final WarmReaders readers;
    private final LocalDueForecast forecast;
    private final AuditedDeletions deletions;
    private final PolicyAdmin policies;
    private final HeapWatch heap = HeapWatch.ofProcess();
    private final DiskWatch disk;
    private final RequestWatch requests;
    private final Clock clock;

    /** @param waitingFor returns the reason why the start is not over yet; null once the instance is ready */
    PortAdapters(Connections to, Processing parts, Supplier<@Nullable String> waitingFor) {
        this.to = to;
        this.parts = parts;
        this.waitingFor = waitingFor;
        this.config = to.config();
        this.topics = to.topics();
        this.clock = new GuardedClock(parts.clockGuard(), to.clock());
        this.readers = to.add(new WarmReaders(to.clients()::reader, READERS_AT_ONCE, SEARCH_PATIENCE));
        this.forecast = to.add(makeForecast());
        this.deletions = to.add(makeDeletions());
        this.policies = policyAdmin();
        this.disk = DiskWatch.of(config.get(Settings.STATE_DIR));
        this.requests = new RequestWatch(config.get(Settings.API_MAX_REQUESTS), System::nanoTime);
    }

    /** @param registry the meters that the page of metrics shows */
    ApiPorts ports(PrometheusRegistry registry) {
        var writer = to.add(new KafkaEventProducer(to.clients(), config, to.records(), clock::millis));
        return new ApiPorts(
                events(parts.streams()),
                writer,
                policies,
                commands(),
                parts.sourceDesk(to),
                this::running,
                status(),
                health(),
                new PrometheusPage(registry),
                new MeteredRequests(registry, requests),
                insight(),
                clock);
    }

    PeerPorts peers() {
        StreamsInstance streams = parts.streams();
        return new PeerPorts(
                streams.placement(),
                new LocalReplicas(events(streams.copies()), streams::lags),
                new GroupDeparture(streams, to.observer()),
                membership(),
                () -> parts.inputLag().measureWithin(MEASURING_OF_LAG),
                ApiDoor.peers(config));
    }

    private KafkaMembership membership() {
        var group = new KafkaMembership.Group(
                config.get(Settings.APPLICATION_ID),
                config.get(Settings.GROUP_INSTANCE_ID).orElse(null),
                topics.events(),
                topics.clock(),
                config.get(Settings.CLOCK_GUARD_INTERVAL));
        return new KafkaMembership(to.admin(), to.clients()::reader, group, to.clock());
    }

    ApplicationHealth health() {
        StreamsInstance streams = parts.streams();
        return new ApplicationHealth(
                waitingFor, streams::state, streams::isServing, parts.clockGuard(), this::survived, this::exhaustion);
    }

    /** Returns the reason why the instance cannot do its work although it runs; null if there is none. */
    @Nullable
    String exhaustion() {
        String full = heap.problem();
        return full == null ? requests.problem() : full;
    }

    /** Returns what the instance has survived or is about to suffer: failed threads, a full disk; null if nothing. */
    private @Nullable String survived() {
        String all = Stream.of(parts.streams().recentFailures(), disk.problem())
                .filter(Objects::nonNull)
                .collect(Collectors.joining("; "));
        return all.isEmpty() ? null : all;
    }

    /** Returns what is wrong with the process and its machine, each as a sentence without its full stop. */
    private List<String> problems() {
        return Stream.of(
                        parts.inputLag().problem(),
                        exhaustion(),
                        parts.streams().recentFailures(),
                        disk.problem())
                .filter(Objects::nonNull)
                .toList();
    }

    DiskWatch disk() {
        return disk;
    }

    HeapWatch heap() {
        return heap;
    }

    LocalDueForecast forecast() {
        return forecast;
    }

    AuditedDeletions deletions() {
        return deletions;
    }

    private KafkaPolicyAdmin policyAdmin() {
        return new KafkaPolicyAdmin(
                parts.policies(),
                () -> waitingFor.get() == null ? parts.streams().absence() : "the policies in force are not known yet",
                to.add(new KafkaPolicyPublisher(to.clients(), config, to.records())),
                (offset, wait) -> parts.results()
                        .latest()
                        .awaitUntil(
                                () -> HoldConfirmations.areAll(
                                        offset,
                                        topics.partitions(),
                                        parts.results().latest()::find),
                                wait),
                config.get(Settings.UNDO_MAX));
    }

    private EventQueries events(PartitionStores stores) {
        return new LocalEventQueries(stores, topics.partitions(), policies::current, clock);
    }

    private KafkaCommandDesk commands() {
        var publisher = to.add(new KafkaCommandPublisher(to.clients(), config, to.records(), () -> parts.policies()
                .current()
                .reflected()));
        SentCommands sent = new SentCommands(
                ConfiguredTopology.crowdLimits(config),
                publisher::partitionOf,
                to.clock(),
                parts.watch().metrics()::commandTurnedAway);
        return new KafkaCommandDesk(
                publisher,
                parts.results().latest(),
                this::known,
                sent,
                parts.results().follower()::isCaughtUp,
                to.clock());
    }

    /** Returns what a partition of this instance knows of a command: from its state, or refused and not saved. */
    private Optional<CommandResult> known(int partition, String commandId) {
        return parts.streams()
                .read(partition, store -> KnownCommands.find(store, commandId))
                .or(() -> parts.watch().refused().find(partition, commandId));
    }

    private List<RunningCommand> running(int partition, int limit) {
        return parts.streams().read(partition, store -> KnownCommands.running(store, limit)).stream()
                .map(command -> new RunningCommand(
                        partition,
                        command.commandId(),
                        command.verb(),
                        Objects.requireNonNullElse(command.actor(), ""),
                        command.isDryRun(),
                        Instant.ofEpochMilli(command.startedMs())))
                .toList();
    }

    private InsightPorts insight() {
        var producer = to.clients().impatientProducer("requeue");
        var audit = new KafkaAuditQueries(history(topics.audit()), to.records(), topics.partitions());
        return new InsightPorts(
                audit,
                new KafkaReportQueries(history(topics.reports()), to.records()),
                to.add(new KafkaRejectedQueries(history(topics.rejected()), producer, topics)),
                archive(),
                forecast,
                to.add(expired(audit)),
                new LocalExplainQueries(parts.streams(), topics.partitions(), () -> parts.watch()
                        .tasks()
                        .all()),
                new LocalParkedQueries(parts.streams(), to.records()),
                receipts(),
                trash(),
                mirrorCheck(),
                new LocalStreamFigures(parts.streams(), this::policiesInForce, clock),
                to.add(forecasts()),
                deletions,
                new KafkaNews(this::log, topics));
    }

    private LocalForecast forecasts() {
        return new LocalForecast(
                parts.streams(),
                this::localPartitions,
                this::policiesInForce,
                clock,
                StandingCount.thread("ebb-outlines"));
    }

    private PolicySet policiesInForce() {
        return parts.policies().current().policies();
    }

    private AuditedDeletions makeDeletions() {
        return new AuditedDeletions(
                () -> log(topics.audit()),
                to.records(),
                AuditedDeletions.TAIL,
                System::nanoTime,
                StandingCount.thread("ebb-deletions"));
    }

    private RecordLog log(String topic) {
        return KafkaRecordLog.open(readers.take(), topic);
    }

    private List<Integer> localPartitions() {
        return parts.watch().tasks().all().stream().map(TaskStatus::partition).toList();
    }

    private KafkaReceipts receipts() {
        KeptTime records = new KeptTime(to.admin(), topics.audit());
        KeptTime checkpoints = new KeptTime(to.admin(), topics.checkpoints());
        var trees = new KafkaReceipts.Trees(
                config.get(Settings.APPLICATION_ID),
                topics.partitions(),
                clock,
                () -> Math.min(records.getAsLong(), checkpoints.getAsLong()),
                parts.watch().tasks()::auditRecords);
        return new KafkaReceipts(history(topics.audit()), history(topics.checkpoints()), to.records(), trees);
    }

    private KafkaTrashCounts trash() {
        StreamsInstance streams = parts.streams();
        return new KafkaTrashCounts(
                partition -> parts.watch().tasks().of(partition).orElseThrow(() -> streams.missing(partition)),
                history(topics.trash()),
                topics.partitions(),
                parts.trash()::seals,
                config.get(Settings.UNDO_MAX),
                clock);
    }

    private KafkaArchive archive() {
        return new KafkaArchive(history(topics.archive()), to.records());
    }

    private LocalMirrorCheck mirrorCheck() {
        Mirror mirror = parts.mirror();
        return new LocalMirrorCheck(
                parts.streams(),
                topics.partitions(),
                () -> mirror.require().tables(),
                () -> mirror.require().position(),
                () -> mirror.require().refused());
    }

    private TopicReader history(String topic) {
        return new TopicReader(() -> log(topic), SEARCH_PATIENCE);
    }

    private LocalDueForecast makeForecast() {
        var sources = new LocalDueForecast.Sources(parts.streams(), this::localPartitions, this::policiesInForce);
        return new LocalDueForecast(sources, clock, StandingCount.thread("ebb-forecast"));
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
        StreamsInstance streams = parts.streams();
        ClockGuard clock = parts.clockGuard();
        var sources = new ApplicationStatus.Sources(
                streams,
                () -> streams.hasLeft() ? "DRAINED" : streams.state().name(),
                parts.watch().tasks(),
                parts.watch().totals(),
                streams.restores(),
                parts.policies()::current,
                parts.inputLag()::measureNow,
                () -> new StatusView.ClockView(ApplicationStatus.boxed(clock.differenceMs()), clock.problem()),
                parts.mirror()::view,
                this::problems);
        return new ApplicationStatus(config, to.clock().instant(), sources);
    }
}
