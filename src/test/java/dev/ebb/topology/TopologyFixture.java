package dev.ebb.topology;

import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.EventUpdate;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.event.StreamUsage;
import dev.ebb.domain.event.TerminalStatuses;
import dev.ebb.domain.policy.BuiltInPolicies;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.domain.retention.RetentionDecider;
import dev.ebb.domain.retention.SweepReport;
import dev.ebb.serde.MirrorRows;
import dev.ebb.store.EventStore;
import dev.ebb.store.ReadOnlyEventStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.apache.kafka.streams.test.TestRecord;
import org.jspecify.annotations.Nullable;

/**
 * The whole topology in one thread, with the time in the hands of the test. Offers the verbs of the domain and hides
 * driver, serdes and topic names.
 */
final class TopologyFixture implements AutoCloseable {

    static final long T0 = Instant.parse("2026-03-01T00:00:00Z").toEpochMilli();
    static final Topics TOPICS = new Topics("ebb.", 1);

    private static final String APPLICATION = "ebb-test";

    final TestRecords records = new TestRecords();
    final MirrorRows rows = new MirrorRows();
    final Map<Bytes, byte[]> mirror = new LinkedHashMap<>();
    final List<TestRecord<byte[], byte[]>> mirrorLog = new ArrayList<>();
    final List<AuditRecord> audits = new ArrayList<>();
    final List<SweepReport> reports = new ArrayList<>();
    final List<TestRecord<byte[], byte[]>> rejected = new ArrayList<>();
    final TestCatchUp catchUp = new TestCatchUp();
    final RecordingObserver observer = new RecordingObserver();

    private final Map<String, Map<Bytes, byte[]>> changelogs = new TreeMap<>();
    private final List<TestRecord<byte[], byte[]>> accepted = new ArrayList<>();
    private final Function<String, KeyValueBytesStoreSupplier> stores;
    private TopologySettings settings;
    private PolicyViews views;
    private TopologyTestDriver driver;
    private long nowMs = T0;

    private TopologyFixture(TopologySettings settings, Function<String, KeyValueBytesStoreSupplier> stores) {
        this.settings = settings;
        this.stores = stores;
        this.views = new PolicyViews(settings.builtIn(), records);
        this.driver = newDriver();
    }

    static TopologyFixture inMemory() {
        return inMemory(settings(OptionalLong.of(1), 10_000));
    }

    static TopologyFixture inMemory(TopologySettings settings) {
        return new TopologyFixture(settings, Stores::inMemoryKeyValueStore);
    }

    static TopologyFixture onDisk(TopologySettings settings) {
        return new TopologyFixture(settings, Stores::persistentKeyValueStore);
    }

    static TopologySettings settings(OptionalLong intervalMs, int batchDeletes) {
        return new TopologySettings(
                TerminalStatuses.DEFAULT,
                new BuiltInPolicies(BuiltInPolicies.DEFAULT_MAX_AGE),
                true,
                intervalMs,
                batchDeletes,
                Duration.ofSeconds(10),
                1024 * 1024,
                Map.of());
    }

    TopologySettings settings() {
        return settings;
    }

    long nowMs() {
        return nowMs;
    }

    PolicySet policies() {
        return views.current().policies();
    }

    void event(Event event, long timestampMs) {
        send(event.stream().value().getBytes(StandardCharsets.UTF_8), records.bytes(event), timestampMs);
    }

    void update(EventUpdate update, long timestampMs) {
        send(update.stream().value().getBytes(StandardCharsets.UTF_8), records.bytes(update), timestampMs);
    }

    void send(byte @Nullable [] key, byte @Nullable [] value, long timestampMs) {
        pipe(TOPICS.events(), key, value, new RecordHeaders(), timestampMs);
    }

    void policy(RetentionPolicy policy) {
        policy(policy.scope().toString(), records.bytes(policy), new RecordHeaders());
    }

    void removePolicy(Scope scope) {
        policy(scope.toString(), null, new RecordHeaders());
    }

    void policy(String key, byte @Nullable [] value, Headers headers) {
        pipe(TOPICS.policies(), key.getBytes(StandardCharsets.UTF_8), value, headers, nowMs);
    }

    /** Lets the time pass and the punctuators run. */
    void advance(long ms) {
        nowMs += ms;
        driver.advanceWallClockTime(Duration.ofMillis(ms));
        drainOutputs();
    }

    /** Lets the next punctuation come and then as many as it takes until nothing more is to be done at once. */
    void settle() {
        advance(1000);
        for (int i = 0; i < 10_000 && isBusy(); i++) {
            advance(10);
        }
    }

    boolean isBusy() {
        TaskStatus status = observer.status;
        return status == null || observer.isBusySince(reports.size());
    }

    /** Ends the application and starts it again with nothing but what is in the topics. */
    void restart() {
        restart(settings);
    }

    void restart(TopologySettings newSettings) {
        driver.close();
        settings = newSettings;
        views = new PolicyViews(settings.builtIn(), records);
        driver = newDriver();
        changelogs.forEach((store, entries) -> {
            KeyValueStore<Bytes, byte[]> target = driver.getKeyValueStore(store);
            entries.forEach(target::put);
        });
        var input = driver.createInputTopic(
                TOPICS.policiesAccepted(), new ByteArraySerializer(), new ByteArraySerializer());
        accepted.forEach(input::pipeInput);
        discardChangelogs();
    }

    ReadOnlyEventStore reader() {
        return new ReadOnlyEventStore(rawEvents(), rawUsage());
    }

    KeyValueStore<Bytes, byte[]> rawEvents() {
        return driver.getKeyValueStore(EventStore.EVENTS);
    }

    KeyValueStore<Bytes, byte[]> rawUsage() {
        return driver.getKeyValueStore(EventStore.USAGE);
    }

    /** All events of all streams, due ones included. */
    List<StoredEvent> stored() {
        List<StoredEvent> all = new ArrayList<>();
        for (StreamUsage usage : reader().streams(null, "", Integer.MAX_VALUE)) {
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

    List<String> ids(String stream) {
        return stored(new StreamName(stream)).stream()
                .map(stored -> stored.event().id().value())
                .toList();
    }

    /** What a reader sees now (M-17). */
    List<String> visibleIds(String stream) {
        StreamName name = new StreamName(stream);
        return stored(name).stream()
                .filter(stored -> !RetentionDecider.isDue(stored, policies().effective(name), nowMs))
                .map(stored -> stored.event().id().value())
                .toList();
    }

    @Override
    public void close() {
        driver.close();
    }

    private void pipe(String topic, byte @Nullable [] key, byte @Nullable [] value, Headers headers, long timestampMs) {
        driver.createInputTopic(topic, new ByteArraySerializer(), new ByteArraySerializer())
                .pipeInput(new TestRecord<>(key, value, headers, timestampMs));
        drainOutputs();
    }

    private TopologyTestDriver newDriver() {
        Properties config = new Properties();
        config.put(StreamsConfig.APPLICATION_ID_CONFIG, APPLICATION);
        TopologyParts parts = new TopologyParts(records, records, rows, views, catchUp, observer);
        observer.status = null;
        var topology = new RetentionTopology(TOPICS, settings, parts, stores).build();
        return new TopologyTestDriver(topology, config, Instant.ofEpochMilli(nowMs));
    }

    private void drainOutputs() {
        for (var record : drain(TOPICS.mirrorEvents())) {
            mirrorLog.add(record);
            if (record.value() == null) {
                mirror.remove(Bytes.wrap(record.key()));
            } else {
                mirror.put(Bytes.wrap(record.key()), record.value());
            }
        }
        for (var record : drain(TOPICS.audit())) {
            if (records.object(record.value()) instanceof AuditRecord audit) {
                audits.add(audit);
            }
        }
        for (var record : drain(TOPICS.reports())) {
            reports.add((SweepReport) records.object(record.value()));
        }
        rejected.addAll(drain(TOPICS.rejected()));
        accepted.addAll(drain(TOPICS.policiesAccepted()));
        keepChangelogs();
    }

    private void keepChangelogs() {
        for (String store : List.of(EventStore.EVENTS, EventStore.USAGE, RetentionTopology.GATE_STORE)) {
            Map<Bytes, byte[]> entries = changelogs.computeIfAbsent(store, name -> new TreeMap<>());
            for (var record : drain(APPLICATION + "-" + store + "-changelog")) {
                if (record.value() == null) {
                    entries.remove(Bytes.wrap(record.key()));
                } else {
                    entries.put(Bytes.wrap(record.key()), record.value());
                }
            }
        }
    }

    /** What the restoration itself has written is in there already. */
    private void discardChangelogs() {
        for (String topic : driver.producedTopicNames()) {
            drain(topic);
        }
    }

    private List<TestRecord<byte[], byte[]>> drain(String topic) {
        TestOutputTopic<byte[], byte[]> output =
                driver.createOutputTopic(topic, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        return output.isEmpty() ? List.of() : output.readRecordsToList();
    }

    /** Everything is caught up unless the test says otherwise. */
    static final class TestCatchUp implements CatchUp {

        boolean isCaughtUp = true;
        long policiesTarget = -1;

        @Override
        public void taskStarted(int partition) {}

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
    static final class RecordingObserver implements RetentionObserver {

        @Nullable
        TaskStatus status;

        long ttlRefused;
        final List<Long> lateness = new ArrayList<>();

        @Override
        public void taskStatus(TaskStatus newStatus) {
            status = newStatus;
        }

        @Override
        public void ttlRefused(StreamName stream) {
            ttlRefused++;
        }

        @Override
        public void deleted(
                StreamName stream,
                dev.ebb.domain.retention.RemovalCause cause,
                dev.ebb.domain.retention.RemovalRule rule,
                long bytes,
                long latenessMs) {
            lateness.add(latenessMs);
        }

        boolean isBusySince(int reports) {
            TaskStatus current = status;
            return current == null
                    || current.sweepState() == TaskStatus.SweepState.SWEEPING
                    || current.sweepState() == TaskStatus.SweepState.TAKING_IN_POLICIES
                    || current.movingStreams() > 0
                    || current.backlogStreams() > 0;
        }
    }
}
