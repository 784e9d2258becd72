package dev.ebb.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.Errand;
import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.EventUpdate;
import dev.ebb.domain.event.ExecutionUpdate;
import dev.ebb.domain.event.RejectReason;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.event.StreamUsage;
import dev.ebb.domain.event.TerminalStatuses;
import dev.ebb.domain.policy.BuiltInPolicies;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.RetentionSettings;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.change.BrakeLimits;
import dev.ebb.domain.policy.change.FormerPolicy;
import dev.ebb.domain.receipt.NoteSigner;
import dev.ebb.domain.receipt.TreeName;
import dev.ebb.domain.retention.ArchivedEvent;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.retention.RemovalRule;
import dev.ebb.domain.retention.SweepReport;
import dev.ebb.model.EventBuilder;
import dev.ebb.model.LogRecords;
import dev.ebb.serde.mirror.MirrorRows;
import dev.ebb.serde.records.SettingsJson;
import dev.ebb.store.EventStore;
import dev.ebb.store.StoreCheck;
import dev.ebb.store.UsageView;
import dev.ebb.store.layout.StoreNames;
import dev.ebb.store.parking.ParkingLimits;
import dev.ebb.store.read.ReadOnlyEventStore;
import dev.ebb.store.rocks.InMemoryStores;
import dev.ebb.store.rocks.SharedMemory;
import dev.ebb.store.state.Graves;
import dev.ebb.topology.crowd.CrowdLimits;
import dev.ebb.topology.fault.FailedRecords;
import dev.ebb.topology.observe.CatchUp;
import dev.ebb.topology.observe.ClockWatch;
import dev.ebb.topology.observe.RetentionObserver;
import dev.ebb.topology.observe.TaskStatus;
import dev.ebb.topology.parts.TopologyParts;
import dev.ebb.topology.parts.TopologySettings;
import dev.ebb.topology.policy.Accepted;
import dev.ebb.topology.policy.PolicyView;
import dev.ebb.topology.policy.PolicyViews;
import dev.ebb.topology.source.AcceptedSources;
import dev.ebb.topology.wire.EbbHeaders;
import dev.ebb.topology.wire.Nodes;
import dev.ebb.topology.wire.Topics;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.apache.kafka.streams.state.internals.CachedStateStore;
import org.apache.kafka.streams.test.TestRecord;
import org.jspecify.annotations.Nullable;

/**
 * The whole topology in one thread, with the time in the hands of the test. Offers the verbs of the domain and hides
 * driver, serdes and topic names.
 */
public final class TopologyFixture implements AutoCloseable {

    public static final long T0 = Instant.parse("2026-03-01T00:00:00Z").toEpochMilli();
    public static final Topics TOPICS = new Topics("ebb.", 1);

    private static final String APPLICATION = "ebb-test";
    private static final SharedMemory MEMORY = new SharedMemory(16L << 20, 8L << 20, 1L << 20);

    public final TestRecords records;
    final MirrorRows rows;
    /** The rows that the sink makes of the log of the events. */
    public final Map<Bytes, byte[]> mirror = new LinkedHashMap<>();

    /** The rows as JSON, which must always be those of the log. */
    private final Map<Bytes, byte[]> jsonRows = new HashMap<>();

    private final Set<Bytes> changedRows = new HashSet<>();

    /** The changes of rows as JSON. */
    final List<TestRecord<byte[], byte[]>> mirrorLog = new ArrayList<>();

    final Map<Bytes, byte[]> executionRows = new LinkedHashMap<>();
    final List<CommandResult> results = new ArrayList<>();
    public final List<AuditRecord> audits = new ArrayList<>();
    public final AuditReplay deletes = new AuditReplay(TreeName.of(0));
    public final AuditReplay changes = new AuditReplay(TreeName.POLICIES);

    /** The sources in force. */
    public final AcceptedSources sources = new AcceptedSources();

    /** Signs the checkpoints. */
    public NoteSigner signer = NoteSigner.NONE;

    final List<AuditRecord> erasures = new ArrayList<>();
    final List<AuditRecord> repairs = new ArrayList<>();
    /** The answers to questions of the brake. */
    final List<Errand> assessed = new ArrayList<>();

    final List<AuditRecord> usageRepairs = new ArrayList<>();
    final List<AuditRecord> rowRemovals = new ArrayList<>();
    public final List<SweepReport> reports = new ArrayList<>();
    final List<ArchivedEvent> archived = new ArrayList<>();
    /** All records of the trash, tombstones included; the index is the offset. */
    final List<TestRecord<byte[], byte[]>> trash = new ArrayList<>();

    final TestCopies copies = new TestCopies();
    final TestTrash trashed = new TestTrash(partition -> {
        drainTrash();
        return trash;
    });

    final List<AuditRecord> restores = new ArrayList<>();

    /** The ends of commands. */
    final List<AuditRecord> ends = new ArrayList<>();

    final List<AuditRecord> policyChanges = new ArrayList<>();
    final Map<String, byte[]> policyRows = new TreeMap<>();
    public final List<TestRecord<byte[], byte[]>> rejected = new ArrayList<>();
    final List<TestRecord<byte[], byte[]>> rekeyed = new ArrayList<>();
    final TestCatchUp catchUp = new TestCatchUp();
    public final RecordingObserver observer = new RecordingObserver();
    final FailedRecords failed = new FailedRecords(() -> TimeUnit.MILLISECONDS.toNanos(nowMs()));

    private final Map<String, Map<Bytes, byte[]>> changelogs = new TreeMap<>();
    private final List<TestRecord<byte[], byte[]>> accepted = new ArrayList<>();
    private final Function<String, KeyValueBytesStoreSupplier> stores;
    private final @Nullable File folder;
    private TopologySettings settings;
    /** Settings of the first start; null if the test plays it. */
    private @Nullable RetentionSettings first;

    private Topics topics = TOPICS;
    private final Map<String, TestOutputTopic<byte[], byte[]>> outputs = new HashMap<>();
    private final Map<String, TestInputTopic<byte[], byte[]>> inputs = new HashMap<>();
    private PolicyViews views;
    private final Deque<Accepted> latePolicies = new ArrayDeque<>();
    private boolean arePoliciesLate;
    private TopologyTestDriver driver;
    private long nowMs = T0;
    private volatile @Nullable String clockProblem;
    private volatile long clockAheadMs;
    private final ClockWatch clock = new ClockWatch() {
        @Override
        public @Nullable String problem() {
            return clockProblem;
        }

        @Override
        public long trusted(long nowMs) {
            return nowMs - clockAheadMs;
        }
    };

    private TopologyFixture(
            TopologySettings settings, Function<String, KeyValueBytesStoreSupplier> stores, @Nullable File folder) {
        this(new TestRecords(), new MirrorRows(), settings, stores, folder);
    }

    private TopologyFixture(
            TestRecords records,
            MirrorRows rows,
            TopologySettings settings,
            Function<String, KeyValueBytesStoreSupplier> stores,
            @Nullable File folder) {
        this.records = records;
        this.rows = rows;
        this.settings = settings;
        this.stores = stores;
        this.folder = folder;
        this.views = newViews();
        this.driver = newDriver();
    }

    public static TopologyFixture inMemory() {
        return inMemory(settings(OptionalLong.of(1), 10_000));
    }

    static TopologyFixture inMemory(TopologySettings settings) {
        return firstStart(settings).begun();
    }

    /** An application that starts for the first time; all others have had their settings accepted before. */
    static TopologyFixture firstStart(TopologySettings settings) {
        return new TopologyFixture(settings, TopologyFixture::storeInMemory, null);
    }

    /** With records that are as big as they really are. */
    static TopologyFixture weighed(TopologySettings settings) {
        return new TopologyFixture(
                        TestRecords.weighed(), new MirrorRows(), settings, TopologyFixture::storeInMemory, null)
                .begun();
    }

    static KeyValueBytesStoreSupplier storeInMemory(String name) {
        return name.equals(StoreNames.EVENTS)
                ? InMemoryStores.supplier(name, EventStore.indexes())
                : Stores.inMemoryKeyValueStore(name);
    }

    /** The folder belongs to this fixture alone while it is open. */
    static TopologyFixture onDisk(TopologySettings settings, File folder) {
        return new TopologyFixture(settings, RetentionTopology::onDisk, folder).begun();
    }

    /** Puts the settings into force, as the first start has done some time ago. */
    private TopologyFixture begun() {
        first = settings.configured();
        accept(views, first);
        return this;
    }

    /** Puts settings into force before all that the topic of accepted policies brings. */
    static void accept(PolicyViews views, RetentionSettings settings) {
        Headers headers = new RecordHeaders();
        EbbHeaders.set(headers, EbbHeaders.POLICY_VERSION, -1);
        views.accept(new Accepted(PolicyKey.SETTINGS.toString(), SettingsJson.write(settings), null, -1, T0, headers));
    }

    /** The clock of the instance is so far from the broker's, and that is known. */
    void clockIsAhead(long ms) {
        clockProblem = "the clock of this instance is " + ms + "ms ahead of the broker's";
        clockAheadMs = ms;
    }

    /** Fault of the instance's clock; null if there is none. */
    void clockProblem(@Nullable String problem) {
        clockProblem = problem;
        clockAheadMs = 0;
    }

    /** So little memory that nearly every step evicts a stream. */
    public static final long THREE_STREAMS = 3300;

    public static TopologySettings settings(OptionalLong intervalMs, int batchDeletes) {
        return new TopologySettings(
                TerminalStatuses.DEFAULT,
                new BuiltInPolicies(BuiltInPolicies.DEFAULT_MAX_AGE),
                true,
                intervalMs,
                batchDeletes,
                Duration.ofSeconds(10),
                1024 * 1024,
                BrakeLimits.OFF,
                Map.of(),
                Duration.ofHours(24),
                TopologySettings.IDLE_PERIOD,
                ParkingLimits.DEFAULT,
                Duration.ofDays(7),
                TopologySettings.UNDO_NOTICE,
                Graves.DEFAULT_RETENTION,
                CrowdLimits.DEFAULT,
                TopologySettings.CLOCK_MAX_GAP,
                THREE_STREAMS);
    }

    public TopologySettings settings() {
        return settings;
    }

    public long nowMs() {
        return nowMs;
    }

    PolicySet policies() {
        return views.current().policies();
    }

    PolicyView view() {
        return views.current();
    }

    /** Status of the task at its last tick. */
    public TaskStatus status() {
        return Objects.requireNonNull(observer.status, "no tick yet");
    }

    public void event(EventBuilder event) {
        event(event.build(), nowMs);
    }

    public void status(String stream, String id, String status) {
        update(new EventUpdate(new StreamName(stream), new EventId(id), status, null, null, null), nowMs);
    }

    void event(Event event, long timestampMs) {
        send(event.stream().value().getBytes(StandardCharsets.UTF_8), records.event(event), timestampMs);
    }

    void update(EventUpdate update, long timestampMs) {
        send(update.stream().value().getBytes(StandardCharsets.UTF_8), records.update(update), timestampMs);
    }

    void execution(ExecutionUpdate update) {
        execution(update, nowMs);
    }

    void execution(ExecutionUpdate update, long timestampMs) {
        send(update.stream().value().getBytes(StandardCharsets.UTF_8), records.execution(update), timestampMs);
    }

    /** Sends a command as its sender does: under its stream, or under its id if it is about many. */
    void send(CommandRequest request) {
        String key =
                request.command() instanceof Command.OfStream one ? one.stream().value() : request.commandId();
        byte[] value = records.command(request);
        pipe(TOPICS.commands(), key.getBytes(StandardCharsets.UTF_8), value, new RecordHeaders(), nowMs);
    }

    /** Sends a command and lets it be carried out; what it deletes may still be emptied afterwards. */
    public CommandResult carryOut(CommandRequest request) {
        send(request);
        return finish(request.commandId());
    }

    /** Carries a command out with steps of no time, as far as it needs none. */
    CommandResult carryOutAtOnce(CommandRequest request) {
        send(request);
        for (int i = 0; i < 100 && result(request.commandId()) == null; i++) {
            advance(0);
        }
        return finish(request.commandId());
    }

    /** What a change of that policy or hold has replaced; null if it is not known. */
    @Nullable
    FormerPolicy formerPolicy(PolicyKey key, @Nullable Long version) {
        return views.before(key, version);
    }

    /** Lets a command that was sent be carried out. */
    CommandResult finish(String commandId) {
        for (int i = 0; i < 10_000; i++) {
            CommandResult result = result(commandId);
            if (result != null && result.isFinal()) {
                return result;
            }
            advance(100);
        }
        throw new AssertionError(commandId + " does not end: " + results);
    }

    /** Last answer to the command; null if there is none. */
    @Nullable
    CommandResult result(String commandId) {
        return results.stream()
                .filter(result -> result.commandId().equals(commandId))
                .reduce((first, last) -> last)
                .orElse(null);
    }

    /** Lets what deleted streams have left behind be taken away. */
    void emptyOut() {
        for (int i = 0; i < 10_000 && hasRetired(); i++) {
            advance(100);
        }
    }

    boolean hasRetired() {
        return StoreCheck.hasRetired(rawUsage().all());
    }

    void hold(String caseId, Scope covers) {
        Hold hold = new Hold(caseId, covers, "litigation", "eva", 0);
        policy(hold.key().toString(), records.hold(hold), new RecordHeaders());
    }

    void release(String caseId) {
        policy("hold:" + caseId, null, new RecordHeaders());
    }

    public void send(byte @Nullable [] key, byte @Nullable [] value, long timestampMs) {
        send(key, value, timestampMs, new RecordHeaders());
    }

    void send(byte @Nullable [] key, byte @Nullable [] value, long timestampMs, Headers headers) {
        pipe(TOPICS.events(), key, value, headers, timestampMs);
    }

    public void policy(RetentionPolicy policy) {
        policy(policy.scope().toString(), records.policy(policy), new RecordHeaders());
    }

    /** A record of a file: it comes into force together with all others of the same id. */
    void policyOfFile(RetentionPolicy policy, String applyId, int count) {
        policy(policy.scope().toString(), records.bytes(policy), ofFile(applyId, count));
    }

    public static Headers ofFile(String applyId, int count) {
        Headers headers = new RecordHeaders();
        EbbHeaders.set(headers, EbbHeaders.APPLY_ID, applyId);
        EbbHeaders.set(headers, EbbHeaders.APPLY_COUNT, count);
        return headers;
    }

    void removePolicy(Scope scope) {
        policy(scope.toString(), null, new RecordHeaders());
    }

    public void policy(String key, byte @Nullable [] value, Headers headers) {
        policy(key, value, headers, nowMs);
    }

    void policy(String key, byte @Nullable [] value, Headers headers, long timestampMs) {
        pipe(TOPICS.policies(), key.getBytes(StandardCharsets.UTF_8), value, headers, timestampMs);
    }

    /** Lets the time pass and the punctuators run. */
    public void advance(long ms) {
        nowMs += ms;
        trashed.beginTransaction();
        copies.beginTransaction();
        driver.advanceWallClockTime(Duration.ofMillis(ms));
        drainOutputs();
    }

    /** Lets the next punctuation come and then as many as it takes until nothing more is to be done at once. */
    public void settle() {
        advance(1000);
        for (int i = 0; i < 10_000 && isBusy(); i++) {
            advance(1000);
        }
    }

    /** As long as that, whether or not anything is left to be done. */
    public void settleFor(int seconds) {
        for (int i = 0; i < seconds; i++) {
            advance(1000);
        }
    }

    boolean isBusy() {
        return observer.isBusy();
    }

    /** Ends the application and starts it again with nothing but what is in the topics. */
    public void restart() {
        restart(settings);
    }

    /** Leaves the last record of each key on the topic of accepted policies, as compaction does. */
    void compactPolicies() {
        drainOutputs();
        Map<Bytes, TestRecord<byte[], byte[]>> last = new LinkedHashMap<>();
        accepted.forEach(record -> {
            last.remove(Bytes.wrap(record.key()));
            last.put(Bytes.wrap(record.key()), record);
        });
        accepted.retainAll(last.values());
    }

    /** Starts the application again by a clock that shows another time. */
    void startAt(long ms) {
        nowMs = ms;
        restart();
    }

    /** Starts the application again as one of several partitions, by a clock that shows another time. */
    void startAt(long ms, int partitions) {
        nowMs = ms;
        restartAmong(partitions, settings);
    }

    /** Starts the application again as one of several partitions, of which only this one is here. */
    void restartAmong(int partitions, TopologySettings newSettings) {
        topics = new Topics("ebb.", partitions);
        restart(newSettings);
    }

    public void restart(TopologySettings newSettings) {
        driver.close();
        settings = newSettings;
        views = newViews();
        if (first != null) {
            accept(views, first);
        }
        outputs.clear();
        inputs.clear();
        driver = newDriver();
        changelogs.forEach((store, entries) -> {
            KeyValueStore<Bytes, byte[]> target = driver.getKeyValueStore(store);
            entries.forEach(target::put);
            // A restoration is no transaction: what it brings is not new to the changelog.
            ((CachedStateStore<?, ?>) target).flushCache();
        });
        accepted.forEach(input(TOPICS.policiesAccepted())::pipeInput);
        discardChangelogs();
    }

    /**
     * Starts the application again with other settings, which have come into force since it stopped. A restart alone
     * makes them a change that has yet to pass the gate.
     */
    public void restartUnder(TopologySettings newSettings) {
        restartUnder(SettingsJson.write(newSettings.configured()), newSettings);
    }

    /** Starts the application again with these bytes as the settings in force. */
    void restartUnder(byte[] value, TopologySettings newSettings) {
        drainOutputs();
        first = null;
        byte[] key = PolicyKey.SETTINGS.toString().getBytes(StandardCharsets.UTF_8);
        Map<Bytes, byte[]> gate = changelogs.get(Nodes.GATE_STORE);
        gate.put(Bytes.wrap(("S" + PolicyKey.SETTINGS).getBytes(StandardCharsets.UTF_8)), value);
        accepted.removeIf(record -> Arrays.equals(record.key(), key));
        Headers headers = new RecordHeaders();
        EbbHeaders.set(headers, EbbHeaders.POLICY_VERSION, -1);
        accepted.add(new TestRecord<>(key, value, headers, nowMs));
        restart(newSettings);
    }

    /** Starts the application again without the settings on the topic of accepted policies; the gate still has them. */
    void restartWithoutAcceptedSettings() {
        drainOutputs();
        first = null;
        byte[] key = PolicyKey.SETTINGS.toString().getBytes(StandardCharsets.UTF_8);
        accepted.removeIf(record -> Arrays.equals(record.key(), key));
        restart();
    }

    ReadOnlyEventStore reader() {
        return new ReadOnlyEventStore(rawEvents(), rawUsage());
    }

    public KeyValueStore<Bytes, byte[]> rawEvents() {
        return driver.getKeyValueStore(StoreNames.EVENTS);
    }

    public KeyValueStore<Bytes, byte[]> rawUsage() {
        return UsageView.of(rawEvents());
    }

    /** All events of all streams, due ones included. */
    public List<StoredEvent> stored() {
        List<StoredEvent> all = new ArrayList<>();
        for (StreamUsage usage : reader().streams(null, "", null, Integer.MAX_VALUE)) {
            all.addAll(stored(usage.stream()));
        }
        return all;
    }

    List<StoredEvent> stored(StreamName stream) {
        List<StoredEvent> all = new ArrayList<>();
        String cursor = null;
        do {
            var page = reader().list(stream, cursor, 3);
            all.addAll(page.events());
            cursor = page.nextCursor();
        } while (cursor != null);
        return all;
    }

    public List<String> ids(String stream) {
        return stored(new StreamName(stream)).stream()
                .map(stored -> stored.event().id().value())
                .toList();
    }

    /** Events that a reader sees now (M-17). */
    public List<String> visibleIds(String stream) {
        StreamName name = new StreamName(stream);
        return stored(name).stream()
                .filter(stored -> !isHidden(stored))
                .map(stored -> stored.event().id().value())
                .toList();
    }

    private boolean isHidden(StoredEvent stored) {
        StreamName name = stored.event().stream();
        return reader().context(name)
                .orElseThrow()
                .isHidden(stored, policies().effective(name), policies().isHeld(name), nowMs);
    }

    @Override
    public void close() {
        driver.close();
        assertThat(observer.figureDifferences)
                .as("what recounts of all figures have found")
                .isEmpty();
    }

    /** Sends bytes to any topic. */
    void pipe(String topic, byte @Nullable [] key, byte @Nullable [] value, Headers headers, long timestampMs) {
        input(topic).pipeInput(new TestRecord<>(key, value, headers, timestampMs));
        drainOutputs();
    }

    private TestInputTopic<byte[], byte[]> input(String topic) {
        return inputs.computeIfAbsent(
                topic, name -> driver.createInputTopic(name, new ByteArraySerializer(), new ByteArraySerializer()));
    }

    private PolicyViews newViews() {
        return new PolicyViews(settings.builtIn(), records) {
            @Override
            public synchronized void accept(Accepted accepted) {
                if (arePoliciesLate) {
                    latePolicies.add(accepted);
                } else {
                    super.accept(accepted);
                }
            }
        };
    }

    /** From now on, the instance takes accepted policies in later than its tasks take their records. */
    void policiesAreLate() {
        arePoliciesLate = true;
    }

    /** The instance takes in all accepted policies. */
    void policiesCome() {
        arePoliciesLate = false;
        latePolicies.forEach(views::accept);
        latePolicies.clear();
    }

    private TopologyTestDriver newDriver() {
        Properties config = new Properties();
        config.put(StreamsConfig.APPLICATION_ID_CONFIG, APPLICATION);
        config.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
        if (folder != null) {
            config.put(StreamsConfig.STATE_DIR_CONFIG, folder.getPath());
            config.put(SharedMemory.SETTING, MEMORY);
        }
        NoteSigner any = text -> signer.sign(text);
        TopologyParts parts = new TopologyParts(
                records, records, rows, views, catchUp, clock, copies, trashed, any, sources, observer);
        observer.status = null;
        var topology = new RetentionTopology(topics, settings, parts, failed, stores).build();
        return new TopologyTestDriver(topology, config, Instant.ofEpochMilli(nowMs));
    }

    private void drainOutputs() {
        for (var record : drain(TOPICS.mirrorEvents())) {
            mirrorLog.add(record);
            Bytes key = Bytes.wrap(record.key());
            changedRows.add(key);
            if (record.value() == null) {
                jsonRows.remove(key);
            } else {
                jsonRows.put(key, record.value());
            }
        }
        for (var record : drain(TOPICS.mirrorExecutions())) {
            if (record.value() == null) {
                executionRows.remove(Bytes.wrap(record.key()));
            } else {
                executionRows.put(Bytes.wrap(record.key()), record.value());
            }
        }
        for (var record : drain(TOPICS.results())) {
            results.add((CommandResult) records.object(record.value()));
        }
        for (var record : drain(TOPICS.audit())) {
            deletes.records.add(record);
            changes.records.add(record);
            AuditRecord audit = (AuditRecord) records.object(record.value());
            switch (audit.action()) {
                case AuditRecord.DELETE -> audits.add(audit);
                case AuditRecord.ERASED -> erasures.add(audit);
                case AuditRecord.RESTORE -> restores.add(audit);
                case AuditRecord.DONE -> ends.add(audit);
                case AuditRecord.MIRROR_REPAIRED -> repairs.add(audit);
                case AuditRecord.USAGE_REPAIRED -> usageRepairs.add(audit);
                case AuditRecord.ROWS_REMOVED -> rowRemovals.add(audit);
                default -> policyChanges.add(audit);
            }
        }
        for (var record : drain(TOPICS.checkpoints())) {
            deletes.checkpoints.add(record);
            changes.checkpoints.add(record);
        }
        for (var record : drain(TOPICS.mirrorPolicies())) {
            policyRows.put(new String(record.key(), StandardCharsets.UTF_8), record.value());
        }
        for (var record : drain(TOPICS.reports())) {
            reports.add((SweepReport) records.object(record.value()));
        }
        for (var record : drain(TOPICS.archive())) {
            if (record.value() != null) {
                archived.add((ArchivedEvent) records.object(record.value()));
            }
            copies.put(record.key(), record.value() == null ? null : archived.get(archived.size() - 1));
        }
        drainTrash();
        rejected.addAll(drain(TOPICS.rejected()));
        rekeyed.addAll(drain(TOPICS.rekey()));
        for (var record : drain(TOPICS.assessments())) {
            assessed.add((Errand) records.object(record.value()));
        }
        for (String topic : List.of(TOPICS.commands(), TOPICS.mirrorAudit())) {
            drain(topic);
        }
        accepted.addAll(drain(TOPICS.policiesAccepted()));
        keepChangelogs();
        compareRows();
    }

    /** Returns the texts of all headers of the last rejected record, among them the reason. */
    String whyRejected() {
        StringBuilder all = new StringBuilder();
        rejected.get(rejected.size() - 1)
                .headers()
                .forEach(header -> all.append(new String(header.value(), StandardCharsets.UTF_8)));
        return all.toString();
    }

    private void drainTrash() {
        for (var record : drain(TOPICS.trash())) {
            copies.putTrash(record.key(), record.value(), trash.size(), record.headers());
            trash.add(record);
        }
    }

    /** Number of events, whatever the cause. */
    public static long events(Map<String, SweepReport.Tally> tallies) {
        return tallies.values().stream().mapToLong(SweepReport.Tally::events).sum();
    }

    private void compareRows() {
        for (Bytes row : changedRows) {
            if (!Arrays.equals(mirror.get(row), jsonRows.get(row))) {
                throw new AssertionError(
                        "the log and the rows as JSON differ at " + new String(row.get(), StandardCharsets.UTF_8));
            }
        }
        changedRows.clear();
    }

    private void keepChangelogs() {
        for (String store : List.of(StoreNames.EVENTS, Nodes.GATE_STORE)) {
            Map<Bytes, byte[]> entries = changelogs.computeIfAbsent(store, name -> new TreeMap<>());
            for (var record : drain(APPLICATION + "-" + store + "-changelog")) {
                if (store.equals(StoreNames.EVENTS)) {
                    changedRows.addAll(LogRecords.apply(record.key(), record.value(), record.headers(), rows, mirror));
                }
                BiConsumer<byte[], byte[]> change = (key, value) -> {
                    if (value == null) {
                        entries.remove(Bytes.wrap(key));
                    } else {
                        entries.put(Bytes.wrap(key), value);
                    }
                };
                if (!store.equals(StoreNames.EVENTS)
                        || !EventStore.indexes().expand(record.key(), record.value(), change)) {
                    change.accept(record.key(), record.value());
                }
            }
        }
    }

    /** Includes the writes of the restoration itself. */
    private void discardChangelogs() {
        for (String topic : driver.producedTopicNames()) {
            drain(topic);
        }
    }

    List<TestRecord<byte[], byte[]>> drain(String topic) {
        TestOutputTopic<byte[], byte[]> output = outputs.computeIfAbsent(
                topic,
                name -> driver.createOutputTopic(name, new ByteArrayDeserializer(), new ByteArrayDeserializer()));
        if (output.isEmpty()) {
            return List.of();
        }
        List<TestRecord<byte[], byte[]>> read = output.readRecordsToList();
        read.forEach(record -> BrokerSizes.require(topic, record, settings.recordMaxBytes()));
        return read;
    }

    /** Everything is caught up unless the test says otherwise. */
    static final class TestCatchUp implements CatchUp {

        boolean isCaughtUp = true;
        long policiesTarget = -1;

        /** Of all topics; empty if they are not known. */
        String topicId = "";

        @Override
        public void taskStarted(int partition) {}

        @Override
        public String topicId(String topic) {
            return topicId;
        }

        @Override
        public void processed(String topic, int partition, long offset) {}

        @Override
        public boolean isCaughtUp(int partition) {
            return isCaughtUp;
        }

        @Override
        public long policiesTarget() {
            return policiesTarget;
        }
    }

    /** Remembers the last status and what was counted. */
    public static final class RecordingObserver implements RetentionObserver {

        @Nullable
        TaskStatus status;

        long ttlRefused;
        public long orphaned;
        public long forged;

        /** The reasons why audits of the trash have failed. */
        final List<String> unread = new ArrayList<>();

        final List<LateRecord> late = new ArrayList<>();
        long rekeyed;
        final List<RejectReason> rejected = new ArrayList<>();
        public final List<String> lost = new ArrayList<>();
        final List<Long> lateness = new ArrayList<>();

        /** Failure thrown each time after an event has been written. */
        @Nullable
        Predicate<StreamName> failsBehind;

        /** When each sweep that the task told of began, those included that found nothing. */
        final List<Long> sweepPoints = new ArrayList<>();

        final List<Exception> failures = new ArrayList<>();
        final List<String> failedStreams = new ArrayList<>();
        final List<String> damaged = new ArrayList<>();
        long usageDifferences;

        /** Recounts of all figures that have ended, and their findings. */
        public long recounts;

        /** Events kept by mode warn, as told last; -1 if never told. */
        public long warned = -1;

        public final List<String> figureDifferences = new ArrayList<>();

        /** The records with which something unforeseen went wrong, as topic, partition and offset. */
        final List<String> failedRecords = new ArrayList<>();

        /** The commands whose refusal is not saved. */
        final List<String> refused = new ArrayList<>();

        boolean isFailing;

        @Override
        public void commandRefused(int partition, CommandResult result) {
            refused.add(result.commandId());
        }

        @Override
        public void taskStatus(TaskStatus newStatus) {
            boolean isNew = status == null || status.lastSweepPointMs() != newStatus.lastSweepPointMs();
            if (isNew && newStatus.lastSweepPointMs() >= 0) {
                sweepPoints.add(newStatus.lastSweepPointMs());
            }
            status = newStatus;
        }

        @Override
        public void taskRested(int partition, long sweepPointMs, long sweepCompletedMs, long nextSweepMs) {
            taskStatus(Objects.requireNonNull(status).after(sweepPointMs, sweepCompletedMs, nextSweepMs));
        }

        @Override
        public void ingested(StreamName stream, boolean isNew, long delayMs) {
            if (failsBehind != null && failsBehind.test(stream)) {
                throw new IllegalStateException("the test says so");
            }
        }

        @Override
        public void ttlRefused(StreamName stream) {
            ttlRefused++;
        }

        @Override
        public void orphaned(StreamName stream) {
            orphaned++;
        }

        @Override
        public void late(StreamName stream, LateRecord record) {
            late.add(record);
        }

        @Override
        public void rekeyed() {
            rekeyed++;
        }

        @Override
        public void rejected(RejectReason reason) {
            rejected.add(reason);
        }

        @Override
        public void recordFailed(String topic, int partition, long offset, Throwable failure) {
            failedRecords.add(topic + " " + partition + ":" + offset);
        }

        @Override
        public void deleted(StreamName stream, RemovalCause cause, RemovalRule rule, long bytes, long latenessMs) {
            if (isFailing) {
                throw new IllegalStateException("the test says so");
            }
            lateness.add(latenessMs);
        }

        @Override
        public void sweepFailed(int partition, Exception failure) {
            failures.add(failure);
        }

        @Override
        public void streamFailed(int partition, StreamName stream, Exception failure) {
            failedStreams.add(stream.value());
        }

        @Override
        public void eventDamaged(int partition, StreamName stream, String what) {
            damaged.add(stream.value());
        }

        @Override
        public void parkedLost(int partition, String which) {
            lost.add(which);
        }

        @Override
        public void trashForged(int partition, long records) {
            forged += records;
        }

        @Override
        public void trashUnread(int partition, String problem) {
            unread.add(problem);
        }

        @Override
        public void usageRecounted(int partition, StreamName stream, String finding, List<String> differences) {
            usageDifferences += differences.size();
        }

        @Override
        public void figuresRecounted(int partition, List<String> differences) {
            recounts++;
            figureDifferences.addAll(differences);
        }

        @Override
        public void warned(int partition, long events) {
            warned = events;
        }

        boolean isBusy() {
            TaskStatus current = status;
            return current == null
                    || current.sweepState() == TaskStatus.SweepState.SWEEPING
                    || current.sweepState() == TaskStatus.SweepState.TAKING_IN_POLICIES
                    || current.movingStreams() > 0
                    || current.backlogStreams() > 0;
        }
    }
}
