package dev.ebb.topology;

import dev.ebb.store.EventStore;
import dev.ebb.topology.fault.FailedRecords;
import dev.ebb.topology.fault.Failures;
import dev.ebb.topology.gate.PolicyGateProcessor;
import dev.ebb.topology.parts.TopologyParts;
import dev.ebb.topology.parts.TopologySettings;
import dev.ebb.topology.policy.Accepted;
import dev.ebb.topology.wire.Addressed;
import dev.ebb.topology.wire.EbbHeaders;
import dev.ebb.topology.wire.HoldConfirmations;
import dev.ebb.topology.wire.Nodes;
import dev.ebb.topology.wire.Topics;
import java.lang.reflect.Field;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.internals.CachedStateStore;
import org.jspecify.annotations.Nullable;

/** A processor of ours with all that Kafka Streams puts around it, for a simulation. Not thread-safe. */
public final class SimulatedNode {

    /** Parts that the tasks of one instance share. */
    public static final class Shared {

        private final Topics topics;
        private final TopologySettings settings;
        private final TopologyParts parts;
        private final ThreadSlices slices;
        private final CommitSignal signal = new CommitSignal();
        private final Failures failures = new Failures();
        private final FailedRecords failedRecords = new FailedRecords();

        /** @param nanoClock tells when a slice is over */
        public Shared(Topics topics, TopologySettings settings, TopologyParts parts, LongSupplier nanoClock) {
            this.topics = topics;
            this.settings = settings;
            this.parts = parts;
            this.slices = new ThreadSlices(settings.sweepBatchDeletes(), Duration.ofMillis(30), nanoClock);
        }

        /** Feeds the view of the policies, as the global thread does. */
        public void accept(String key, byte @Nullable [] value, long offset, long timestampMs, Headers headers) {
            parts.policies().accept(new Accepted(key, value, null, offset, timestampMs, headers));
        }
    }

    /** The name of the store of the policy gate. */
    public static final String GATE_STORE = Nodes.GATE_STORE;

    private static final Field TASK = field(RetentionProcessor.class, "task");
    private static final Field STORE = field(RetentionTask.class, "store");

    private final SimulatedContext<byte[]> context;
    private final Processor<byte[], byte[], Addressed, byte[]> processor;
    private final @Nullable StateStore signal;

    private SimulatedNode(
            SimulatedContext<byte[]> context,
            Processor<byte[], byte[], Addressed, byte[]> processor,
            @Nullable StateStore signal) {
        this.context = context;
        this.processor = processor;
        this.signal = signal;
    }

    public static SimulatedNode ofPartition(Shared shared, SimulatedContext<byte[]> context) {
        KeyValueStore<Bytes, byte[]> signal = shared.signal.supplier().get();
        signal.init(contextOf(context.taskId()), signal);
        context.store(CommitSignal.STORE, signal);
        SharedParts parts = new SharedParts(
                shared.topics,
                shared.settings,
                shared.parts,
                shared.signal,
                shared.failures,
                shared.failedRecords,
                new StreamRoom(shared.settings.streamCacheBytes()));
        RetentionProcessor processor = new RetentionProcessor(parts, shared.slices);
        return new SimulatedNode(context, processor, signal);
    }

    public static SimulatedNode ofGate(Shared shared, SimulatedContext<byte[]> context) {
        PolicyGateProcessor gate =
                new PolicyGateProcessor(shared.topics, shared.settings, shared.parts, shared.failedRecords);
        return new SimulatedNode(context, gate, null);
    }

    public void init() {
        context.forgetPunctuations();
        processor.init(context);
    }

    public void process(
            String topic,
            int partition,
            long offset,
            byte @Nullable [] key,
            byte @Nullable [] value,
            long timestampMs,
            Headers headers) {
        context.record(new Coordinates(topic, partition, offset));
        processor.process(new Record<>(key, value, timestampMs, headers));
        context.record(null);
    }

    private record Coordinates(String topic, int partition, long offset) implements RecordMetadata {}

    private static StateStoreContext contextOf(TaskId task) {
        return (StateStoreContext) Proxy.newProxyInstance(
                SimulatedNode.class.getClassLoader(),
                new Class<?>[] {StateStoreContext.class},
                (proxy, method, arguments) -> method.getName().equals("taskId") ? task : null);
    }

    /** Step of Kafka Streams before a commit: it has the stores write their caches. */
    public void flush() {
        if (signal instanceof CachedStateStore<?, ?> cached) {
            cached.flushCache();
        }
    }

    public void close() {
        processor.close();
        context.forgetPunctuations();
    }

    /** The store of the task; null until it has been asked for anything. */
    public @Nullable EventStore store() {
        try {
            Object task = TASK.get(processor);
            return task == null ? null : (EventStore) STORE.get(task);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Field field(Class<?> type, String name) {
        try {
            Field field = type.getDeclaredField(name);
            field.setAccessible(true);
            return field;
        } catch (NoSuchFieldException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The topic of each sink. */
    public static Map<String, String> sinks(Topics topics) {
        Map<String, String> sinks = new HashMap<>();
        sinks.put(Nodes.MIRROR_SINK, topics.mirrorEvents());
        sinks.put(Nodes.AUDIT_SINK, topics.audit());
        sinks.put(Nodes.AUDIT_MIRROR_SINK, topics.mirrorAudit());
        sinks.put(Nodes.CHECKPOINTS_SINK, topics.checkpoints());
        sinks.put(Nodes.REPORTS_SINK, topics.reports());
        sinks.put(Nodes.REJECTED_SINK, topics.rejected());
        sinks.put(Nodes.REKEY_SINK, topics.rekey());
        sinks.put(Nodes.ARCHIVE_SINK, topics.archive());
        sinks.put(Nodes.TRASH_SINK, topics.trash());
        sinks.put(Nodes.EXECUTION_MIRROR_SINK, topics.mirrorExecutions());
        sinks.put(Nodes.RESULTS_SINK, topics.results());
        sinks.put(Nodes.COMMANDS_SINK, topics.commands());
        sinks.put(Nodes.ASSESSMENTS_SINK, topics.assessments());
        sinks.put(Nodes.ACCEPTED_SINK, topics.policiesAccepted());
        sinks.put(Nodes.SETTINGS_SINK, topics.policies());
        sinks.put(Nodes.POLICY_MIRROR_SINK, topics.mirrorPolicies());
        sinks.put(Nodes.POLICY_AUDIT_SINK, topics.audit());
        sinks.put(Nodes.POLICY_AUDIT_MIRROR_SINK, topics.mirrorAudit());
        sinks.put(Nodes.POLICY_CHECKPOINTS_SINK, topics.checkpoints());
        sinks.put(Nodes.POLICY_REJECTED_SINK, topics.rejected());
        sinks.put(Nodes.QUESTIONS_SINK, topics.commands());
        return sinks;
    }

    /** The text of a header; null if there is none. */
    public static @Nullable String header(Headers headers, String name) {
        return EbbHeaders.text(headers, name);
    }

    public static void header(Headers headers, String name, String value) {
        EbbHeaders.set(headers, name, value);
    }

    /** The id under which a partition confirms holds. */
    public static String confirmationOf(int partition) {
        return HoldConfirmations.idOf(partition);
    }
}
