package dev.ebb.simulation;

import dev.ebb.store.EventStore;
import dev.ebb.store.UsageView;
import dev.ebb.store.layout.EventKeys;
import dev.ebb.store.layout.Range;
import dev.ebb.store.layout.StoreNames;
import dev.ebb.store.rocks.Derivation;
import dev.ebb.topology.SimulatedContext;
import dev.ebb.topology.SimulatedContext.Punctuation;
import dev.ebb.topology.SimulatedNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * A task of Kafka Streams under exactly once: what it takes in, writes and sends is one transaction, and after an abort it
 * comes back from its changelogs, here or on another instance.
 */
final class Task {

    /** The policy gate, which has no partition of the events. */
    static final int GATE = -1;

    /** A write to a store in the current step; the value is null for a removal. */
    record Write(String store, Bytes key, byte @Nullable [] value) {}

    private final World world;
    final int partition;
    final List<String> inputs;
    final Shadow shadow = new Shadow();

    /** Writes and messages of the current step, {@link Write}s and {@link Message}s, in their order. */
    final List<Object> journal = new ArrayList<>();

    private final Map<String, Changelog> changelogs = new LinkedHashMap<>();
    private final Map<String, Integer> committed = new HashMap<>();
    private final Map<String, Integer> positions = new HashMap<>();
    private final Map<String, LoggedStore> stores = new HashMap<>();
    private final List<Message> outbox = new ArrayList<>();
    private @Nullable Instance instance;
    private @Nullable SimulatedNode node;
    private @Nullable SimulatedContext<byte[]> context;
    private boolean isDirty;

    Task(World world, int partition, List<String> inputs) {
        this.world = world;
        this.partition = partition;
        this.inputs = inputs;
        if (isGate()) {
            keep(SimulatedNode.GATE_STORE);
        } else {
            keep(StoreNames.EVENTS);
        }
        inputs.forEach(topic -> committed.put(topic, 0));
    }

    private void keep(String store) {
        changelogs.put(store, world.broker.changelog(partition, store));
    }

    boolean isGate() {
        return partition == GATE;
    }

    Instance instance() {
        return Objects.requireNonNull(instance);
    }

    SimulatedNode node() {
        return Objects.requireNonNull(node);
    }

    @Nullable
    EventStore store() {
        return node().store();
    }

    LoggedStore events() {
        return stores.get(StoreNames.EVENTS);
    }

    /** The log of its events. */
    Changelog log() {
        return Objects.requireNonNull(changelogs.get(StoreNames.EVENTS));
    }

    KeyValueStore<Bytes, byte[]> usage() {
        return UsageView.of(events());
    }

    /** All records of the usage by their keys. */
    TreeMap<Bytes, byte[]> usageRecords() {
        TreeMap<Bytes, byte[]> records = new TreeMap<>();
        usage().all().forEachRemaining(record -> records.put(record.key, record.value));
        return records;
    }

    /**
     * Makes the changelogs shorter: that of the events is cut behind snapshots, the others are compacted.
     *
     * @param readBefore offset before which the sink has read the log of the events
     * @param keep number of the newest records that no compaction touches
     * @param dropsTombstones true if what says that a key is gone goes as well
     */
    void shortenLogs(long readBefore, int keep, boolean dropsTombstones) {
        changelogs.forEach((name, changelog) -> {
            if (name.equals(StoreNames.EVENTS)) {
                changelog.shorten(readBefore);
            } else {
                changelog.compact(keep, dropsTombstones);
            }
        });
    }

    /** Returns true if there is something to commit or to abort. */
    boolean isDirty() {
        return isDirty;
    }

    int committed(String topic) {
        return committed.get(topic);
    }

    /** Begins on that instance, with what was committed. */
    void start(Instance on) {
        instance = on;
        context = new SimulatedContext<>(
                new TaskId(isGate() ? 1 : 0, Math.max(0, partition)), on::clockMs, () -> world.nowMs, this::send);
        openStores();
        node = isGate() ? SimulatedNode.ofGate(on.shared, context) : SimulatedNode.ofPartition(on.shared, context);
        node.init();
    }

    private void openStores() {
        changelogs.forEach((name, changelog) -> {
            Derivation derivation = name.equals(StoreNames.EVENTS) ? EventStore.indexes() : Derivation.NONE;
            LoggedStore store =
                    new LoggedStore(name, derivation, changelog, (key, value) -> journal.add(write(name, key, value)));
            store.restore(changelog.records().stream().map(LogRecord::pair).toList());
            stores.put(name, store);
            Objects.requireNonNull(context).store(name, store);
        });
        positions.clear();
        positions.putAll(committed);
        outbox.clear();
        isDirty = false;
    }

    private static Write write(String store, Bytes key, byte @Nullable [] value) {
        return key.get()[0] == Range.USAGE.code()
                ? new Write("usage", Bytes.wrap(EventKeys.withoutRange(key)), value)
                : new Write(store, key, value);
    }

    /** Restores the task from its changelogs on the same instance. */
    void revive() {
        node().close();
        abort();
        openStores();
        node().init();
    }

    /** Goes elsewhere; what was not committed is lost. */
    void leave() {
        node().close();
        lose();
    }

    /** The instance has died. */
    void lose() {
        abort();
        instance = null;
        node = null;
        context = null;
        isDirty = false;
    }

    private void abort() {
        world.broker.abort(partition, outbox);
        outbox.clear();
        shadow.abort();
    }

    /** Number of records of a topic that it has yet to take in. */
    int waiting(String topic) {
        return world.broker.log(topic, Math.max(0, partition)).size() - positions.get(topic);
    }

    /** Takes the next record of a topic in. */
    Message deliver(String topic) {
        int position = positions.get(topic);
        Message message = world.broker.log(topic, Math.max(0, partition)).get(position);
        positions.put(topic, position + 1);
        isDirty = true;
        node().process(
                        topic,
                        message.partition(),
                        message.offset(),
                        message.key(),
                        message.value(),
                        message.timestampMs(),
                        new RecordHeaders(message.headers()));
        return message;
    }

    List<Punctuation> punctuations() {
        return Objects.requireNonNull(context).punctuations();
    }

    void fire(Punctuation punctuation) {
        punctuation.fire(world.nowMs, instance().clockMs());
        isDirty |= !journal.isEmpty();
    }

    /** The caches are written before the transaction ends. */
    void flush() {
        node().flush();
    }

    /** Returns what it has sent. */
    List<Message> commit() {
        changelogs.forEach(
                (name, changelog) -> changelog.append(stores.get(name).takeUncommitted()));
        committed.putAll(positions);
        List<Message> sent = List.copyOf(outbox);
        world.broker.commit(partition, sent, committed);
        outbox.clear();
        shadow.commit();
        isDirty = false;
        return sent;
    }

    private void send(
            String sink, byte @Nullable [] key, int to, byte @Nullable [] value, long timestampMs, Headers headers) {
        String topic = Objects.requireNonNull(world.sinks.get(sink), sink);
        Message message = new Message(topic, to, -1, timestampMs, key, value, headers);
        world.broker.send(partition, message);
        outbox.add(message);
        journal.add(message);
    }
}
