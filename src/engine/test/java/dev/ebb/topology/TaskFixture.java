package dev.ebb.topology;

import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.receipt.NoteSigner;
import dev.ebb.serde.mirror.MirrorRows;
import dev.ebb.store.UsageView;
import dev.ebb.store.layout.StoreNames;
import dev.ebb.store.read.ReadOnlyEventStore;
import dev.ebb.topology.TopologyFixture.RecordingObserver;
import dev.ebb.topology.TopologyFixture.TestCatchUp;
import dev.ebb.topology.fault.FailedRecords;
import dev.ebb.topology.fault.Failures;
import dev.ebb.topology.observe.ClockWatch;
import dev.ebb.topology.observe.Copies;
import dev.ebb.topology.parts.TopologyParts;
import dev.ebb.topology.parts.TopologySettings;
import dev.ebb.topology.policy.PolicyViews;
import dev.ebb.topology.source.AcceptedSources;
import dev.ebb.topology.trash.TrashSource;
import dev.ebb.topology.wire.Addressed;
import dev.ebb.topology.wire.Nodes;
import dev.ebb.topology.wire.Topics;
import java.io.File;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.MockProcessorContext.CapturedPunctuator;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.internals.CachedStateStore;
import org.jspecify.annotations.Nullable;

/** The task of one of several partitions, which the driver of whole topologies cannot play: it knows one only. */
public final class TaskFixture {

    static final long TIMESTAMP = 7;

    final RecordingObserver observer = new RecordingObserver();
    final TestCatchUp catchUp = new TestCatchUp();
    final PolicyViews views;
    private final TestRecords records;
    private final Topics topics;
    private final int partition;
    private final MockProcessorContext<Addressed, byte[]> context;
    private final RetentionProcessor processor;
    private final KeyValueStore<Bytes, byte[]> events;
    private final KeyValueStore<Bytes, byte[]> usage;
    private final CachedStateStore<?, ?> commits;
    private long offset;

    public TaskFixture(Topics topics, int partition, TestRecords records, TopologySettings settings) {
        this(topics, partition, records, settings, slices(settings));
    }

    /** @param slices of its thread */
    TaskFixture(Topics topics, int partition, TestRecords records, TopologySettings settings, ThreadSlices slices) {
        this(topics, partition, records, settings, slices, true);
    }

    private TaskFixture(
            Topics topics,
            int partition,
            TestRecords records,
            TopologySettings settings,
            ThreadSlices slices,
            boolean hasSettings) {
        this.topics = topics;
        this.partition = partition;
        this.records = records;
        this.views = new PolicyViews(settings.builtIn(), records);
        if (hasSettings) {
            TopologyFixture.accept(views, settings.configured());
        }
        TopologyParts parts = new TopologyParts(
                records,
                records,
                new MirrorRows(),
                views,
                catchUp,
                ClockWatch.SANE,
                Copies.NONE,
                TrashSource.NONE,
                NoteSigner.NONE,
                new AcceptedSources(),
                observer);
        context = new MockProcessorContext<>(new Properties(), new TaskId(0, partition), new File("unused"));
        context.setCurrentSystemTimeMs(TopologyFixture.T0);
        events = addStore(StoreNames.EVENTS);
        usage = UsageView.of(events);
        CommitSignal signal = new CommitSignal();
        commits = (CachedStateStore<?, ?>) addStore(signal.supplier().get());
        SharedParts shared = new SharedParts(
                topics,
                settings,
                parts,
                signal,
                new Failures(),
                new FailedRecords(),
                new StreamRoom(settings.streamCacheBytes()));
        processor = new RetentionProcessor(shared, slices);
        init();
    }

    /** A task of an instance that has not seen settings that the gate has accepted. */
    static TaskFixture atFirstStart(Topics topics, int partition, TestRecords records, TopologySettings settings) {
        return new TaskFixture(topics, partition, records, settings, slices(settings), false);
    }

    static ThreadSlices slices(TopologySettings settings) {
        return new ThreadSlices(settings.sweepBatchDeletes(), Duration.ofSeconds(1));
    }

    /** This task on an instance that has seen no policies yet, with the state as it is now. */
    TaskFixture onAnotherInstance(TopologySettings settings) {
        TaskFixture other = new TaskFixture(topics, partition, records, settings);
        copy(events, other.events);
        other.offset = offset;
        return other;
    }

    private static void copy(KeyValueStore<Bytes, byte[]> from, KeyValueStore<Bytes, byte[]> to) {
        try (KeyValueIterator<Bytes, byte[]> entries = from.all()) {
            entries.forEachRemaining(entry -> to.put(entry.key, entry.value));
        }
    }

    /** Call of Kafka Streams at a start, repeated on the same object when a task is revived. */
    void init() {
        processor.init(context);
    }

    /** Call of Kafka Streams when the partition goes elsewhere. */
    void close() {
        processor.close();
    }

    /** Sends an event and returns its bytes. */
    public byte[] process(String topic, byte @Nullable [] key, Event event) {
        byte[] value = records.bytes(event);
        process(topic, key, value);
        return value;
    }

    void process(String topic, byte @Nullable [] key, byte[] value) {
        process(topic, key, value, TIMESTAMP);
    }

    void process(String topic, byte @Nullable [] key, byte[] value, long timestampMs) {
        process(topic, key, value, timestampMs, new RecordHeaders().add("own", new byte[] {1}));
    }

    void process(String topic, byte @Nullable [] key, byte[] value, long timestampMs, Headers headers) {
        context.setRecordMetadata(topic, partition, offset++);
        processor.process(new Record<>(key, value, timestampMs, headers));
        commits.flushCache();
    }

    /** Makes each call of a store fail from now on. */
    public void failStores() {
        events.close();
    }

    /** Lets the punctuator that was scheduled last and is not cancelled run. */
    public void tick(long nowMs) {
        context.setCurrentSystemTimeMs(nowMs);
        List<CapturedPunctuator> live = punctuators();
        live.get(live.size() - 1).getPunctuator().punctuate(nowMs);
        commits.flushCache();
    }

    List<CapturedPunctuator> punctuators() {
        return context.scheduledPunctuators().stream()
                .filter(punctuator -> !punctuator.cancelled())
                .toList();
    }

    List<Record<Addressed, byte[]>> rekeyed() {
        return forwarded(Nodes.REKEY_SINK);
    }

    /** All that the task has sent to the topic of commands. */
    List<Record<Addressed, byte[]>> commands() {
        return forwarded(Nodes.COMMANDS_SINK);
    }

    /** All that the task has said of commands. */
    List<CommandResult> results() {
        return forwarded(Nodes.RESULTS_SINK).stream()
                .map(record -> (CommandResult) records.object(record.value()))
                .toList();
    }

    KeyValueIterator<Bytes, byte[]> rawUsage() {
        return usage.all();
    }

    ReadOnlyEventStore reader() {
        return new ReadOnlyEventStore(events, usage);
    }

    List<Integer> mirrorPartitions() {
        return forwarded(Nodes.MIRROR_SINK).stream()
                .map(record -> record.key().partition())
                .toList();
    }

    List<StoredEvent> stored(String stream) {
        return new ReadOnlyEventStore(events, usage)
                .list(new StreamName(stream), null, 1000)
                .events();
    }

    @SuppressWarnings("unchecked")
    private List<Record<Addressed, byte[]>> forwarded(String sink) {
        return context.forwarded(sink).stream()
                .map(forward -> (Record<Addressed, byte[]>) forward.record())
                .toList();
    }

    private KeyValueStore<Bytes, byte[]> addStore(String name) {
        return addStore(TopologyFixture.storeInMemory(name).get());
    }

    private KeyValueStore<Bytes, byte[]> addStore(KeyValueStore<Bytes, byte[]> store) {
        store.init(context.getStateStoreContext(), store);
        context.addStateStore(store);
        return store;
    }
}
