package dev.ebb.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.Outcome;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.event.StreamUsage;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.store.EventStore;
import dev.ebb.store.StoreCheck;
import dev.ebb.store.read.ReadOnlyEventStore;
import dev.ebb.store.state.Segment;
import dev.ebb.store.state.StreamState;
import dev.ebb.topology.SimulatedContext.Punctuation;
import dev.ebb.topology.SimulatedNode;
import dev.ebb.topology.parts.TopologySettings;
import dev.ebb.topology.wire.EbbHeaders;
import dev.ebb.topology.wire.StreamPartition;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/**
 * Instances, partitions and topics in which accidents happen: instances that see policies late, that cannot read newer
 * ones yet, and whose clocks are wrong; transactions that are lost. Not thread-safe.
 */
final class AccidentWorld {

    /** The schema that an instance of the former version does not know. */
    static final int NEWER = 1;

    private static final int ROUND_MS = 100;
    private static final int PATIENCE = 3000;
    private static final int LATE_ROUNDS = 40;
    private static final int UNLIMITED = 1000;

    final World world;
    final AccidentLedger ledger = new AccidentLedger();
    final List<AuditRecord> audits = new ArrayList<>();

    /** Policies in force after each change of them, and when it was accepted. */
    final List<InForce> history = new ArrayList<>();

    private final Draw draw;

    /** Instances that see no policies for now. */
    private final Set<Instance> late = new HashSet<>();

    /** Sees each policy at once. */
    private final Instance observer;

    private final TrashTopic trash;
    private final SettingsLaw settingsLaw;

    /** Offset of the last policy that was sent before all started again. */
    private long policiesAtStart = -1;

    /** The newest time that any clock has shown and the broker has shared. */
    private long newestMs;

    private final Map<String, CommandResult> results = new HashMap<>();
    private final Set<String> rows = new HashSet<>();
    private final Map<String, Integer> seen = new HashMap<>();
    private boolean losesTransactions;

    AccidentWorld(Draw draw, TopologySettings settings) {
        this(draw, settings, 1 + draw.below(2));
    }

    AccidentWorld(Draw draw, TopologySettings settings, int partitions) {
        this.draw = draw;
        this.world = new World(draw, new Broker(), partitions, settings);
        this.observer = new Instance(world);
        this.trash = new TrashTopic(world, draw);
        this.settingsLaw = new SettingsLaw(world);
        observer.codec.learn(NEWER);
        history.add(new InForce(policies(), 0, 0, 0));
        catchUp();
        // Accidents come once the application has begun: until then any settings are its first ones.
        for (int i = 0; i < PATIENCE && observer.views.settings() == null; i++) {
            round();
        }
    }

    /**
     * Policies in force.
     *
     * @param atMs time at which the change was accepted
     * @param askedMs a time at which the brake had not counted yet what the change would take
     * @param latestMs the latest time at which it may have counted, after which the clock may have gone back
     */
    record InForce(PolicySet policies, long atMs, long askedMs, long latestMs) {}

    Instance observer() {
        return observer;
    }

    PolicySet policies() {
        return observer.views.current().policies();
    }

    /** The policies by which any instance may act. */
    List<PolicySet> views() {
        List<PolicySet> views = new ArrayList<>(List.of(policies()));
        world.instances.forEach(instance -> views.add(instance.views.current().policies()));
        return views;
    }

    /** The policies by which each partition acts. */
    List<PolicySet> viewsOfPartitions() {
        return world.partitions.stream()
                .map(task -> task.instance().views.current().policies())
                .toList();
    }

    void send(Object said, StreamName stream) {
        int partition = StreamPartition.of(stream, world.topics.partitions());
        byte[] value = world.codec.bytes(said);
        world.broker.append(
                world.topics.events(), partition, world.nowMs, bytes(stream.value()), value, new RecordHeaders());
    }

    /**
     * Sends a policy or hold; returns its version.
     *
     * @param schema of the record; an instance of the former version may not know it
     */
    long policy(String key, @Nullable Object value, int schema, Headers headers) {
        byte[] said = value == null ? null : world.codec.bytes(value, schema);
        return world.broker
                .append(world.topics.policies(), 0, world.nowMs, bytes(key), said, headers)
                .offset();
    }

    /** Returns true if a policy is in force that was sent with that version. */
    boolean isInForce(long version) {
        return policies().policies().values().stream().anyMatch(policy -> policy.version() == version);
    }

    /** Returns true if records wait until they can be taken in, or may do so in a task that has not started yet. */
    boolean isAnyParked() {
        return world.partitions.stream()
                .map(Task::store)
                .anyMatch(store -> store == null || store.parked().size() > 0);
    }

    void send(CommandRequest request) {
        send(request, new RecordHeaders());
    }

    void send(CommandRequest request, Headers headers) {
        String key =
                request.command() instanceof Command.OfStream one ? one.stream().value() : request.commandId();
        int partition = StreamPartition.of(new StreamName(key), world.topics.partitions());
        byte[] value = world.codec.bytes(request);
        world.broker.append(world.topics.commands(), partition, world.nowMs, bytes(key), value, headers);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Waits for the end of a command; instances that are late hold it up for a while. */
    CommandResult finish(String commandId) {
        for (int i = 0; i < PATIENCE; i++) {
            CommandResult result = results.get(commandId);
            if (result != null && result.isFinal()) {
                return result;
            }
            if (i == LATE_ROUNDS) {
                catchUp();
            }
            round();
        }
        throw new AssertionError(commandId + " does not end: " + results.get(commandId));
    }

    /** Lets what deleted streams have left behind be taken away. */
    void emptyOut() {
        for (int i = 0; i < PATIENCE && world.partitions.stream().anyMatch(AccidentWorld::hasRetired); i++) {
            round();
        }
    }

    private static boolean hasRetired(Task task) {
        return StoreCheck.hasRetired(task.usage().all());
    }

    void run(long ms) {
        for (long endMs = world.nowMs + ms; world.nowMs < endMs; ) {
            round();
        }
    }

    /** Lets transactions be lost now and then, until this is said again. */
    void loseTransactions(boolean areLost) {
        losesTransactions = areLost;
    }

    /** An instance sees no policies from now on. */
    void fallBehind() {
        fallBehind(draw.of(world.instances));
    }

    void fallBehind(Instance instance) {
        late.add(instance);
    }

    /** Puts the partition on an instance of its own. */
    Instance isolate(int partition) {
        Instance own = new Instance(world);
        world.instances.add(own);
        Task task = world.partitions.get(partition);
        task.leave();
        task.start(own);
        return own;
    }

    /** The result of a command as far as it is known; null before the first one. */
    @Nullable
    CommandResult result(String commandId) {
        return results.get(commandId);
    }

    /** All instances see all policies and know all schemas again. */
    void catchUp() {
        late.clear();
        world.answeredSchemas().add(NEWER);
        world.instances.forEach(instance -> instance.codec.learn(NEWER));
    }

    boolean isAnyLate() {
        return !late.isEmpty()
                || world.instances.stream()
                        .anyMatch(
                                instance -> instance.views.current().policies().version()
                                        != policies().version());
    }

    /** An instance of the version before takes the place of another: it does not know the newer schema yet. */
    void downgrade() {
        world.answeredSchemas().remove(NEWER);
        crash();
    }

    /** Instances have these settings when they start: all of them at once, or one at its next start. */
    void configure(TopologySettings settings, boolean isForAll) {
        world.settings = settings;
        if (!isForAll) {
            crash();
            return;
        }
        for (int i = 0; i < world.instances.size(); i++) {
            crash(i);
        }
    }

    void crash() {
        crash(draw.below(world.instances.size()));
    }

    private void crash(int index) {
        crash(index, 0);
    }

    /** @param aheadMs by how much the clock of the new instance is wrong, which is known */
    private void crash(int index, long aheadMs) {
        Instance dead = world.instances.get(index);
        List<Task> orphans =
                tasks().stream().filter(task -> task.instance().equals(dead)).toList();
        orphans.forEach(Task::lose);
        late.remove(dead);
        setClock(world.replace(index), aheadMs);
        orphans.forEach(task -> task.start(draw.of(world.instances)));
    }

    /** An instance starts with a clock that is wrong, which the broker tells it. */
    void startWithWrongClock(long aheadMs) {
        crash(draw.below(world.instances.size()), aheadMs);
    }

    /** Everything stops and starts again with another time: nobody can tell a wrong clock from a long stop. */
    void startAllAt(long nowMs) {
        List<Task> all = tasks();
        all.forEach(Task::lose);
        late.clear();
        newestMs = newestMs();
        policiesAtStart = world.broker.lastOffset(world.topics.policies(), 0);
        world.nowMs = nowMs;
        for (int i = 0; i < world.instances.size(); i++) {
            world.replace(i);
        }
        all.forEach(task -> task.start(draw.of(world.instances)));
    }

    /** The newest time that there ever was, by whatever clock. */
    long newestMs() {
        return Math.max(newestMs, world.nowMs);
    }

    void move() {
        Task task = draw.of(tasks());
        task.leave();
        task.start(draw.of(world.instances));
    }

    /** The clock of an instance jumps ahead or back, and that is known; or it is right again. */
    void jumpClock(long hourMs) {
        Instance instance = draw.of(world.instances);
        if (instance.aheadMs != 0 && draw.either()) {
            setClock(instance, 0);
        } else {
            long ms = (1 + draw.below(10)) * hourMs;
            setClock(instance, draw.either() ? ms : -ms);
        }
    }

    private static void setClock(Instance instance, long aheadMs) {
        instance.aheadMs = aheadMs;
        instance.clockProblem = aheadMs == 0 ? null : "the clock is wrong";
    }

    /** The topic of the trash is compacted. */
    void compactTrash() {
        trash.compact();
        skipTrash();
    }

    /** Records of the trash are lost. */
    void loseTrash() {
        trash.lose().forEach(ledger::lost);
        skipTrash();
    }

    /** All that is left was seen before. */
    private void skipTrash() {
        for (int partition = 0; partition < world.topics.partitions(); partition++) {
            unseen(world.topics.trash(), partition);
        }
    }

    /** Returns true if records of producers have not been taken in. */
    boolean isAnyWaiting() {
        return isAnyParked() || world.partitions.stream().anyMatch(task -> task.waiting(world.topics.events()) > 0);
    }

    private List<Task> tasks() {
        List<Task> all = new ArrayList<>(world.partitions);
        all.add(world.gate);
        return all;
    }

    private void round() {
        world.nowMs += ROUND_MS;
        for (Instance instance : world.instances) {
            instance.catchUp.tellPolicies();
            while (!late.contains(instance) && instance.acceptOne()) {}
        }
        tasks().forEach(this::turn);
        collect();
    }

    private void turn(Task task) {
        if (!task.isGate()) {
            task.instance().catchUp.tell(task);
        }
        for (String topic : task.inputs) {
            while (task.waiting(topic) > 0) {
                task.deliver(topic);
            }
        }
        for (Punctuation punctuation : List.copyOf(task.punctuations())) {
            if (punctuation.nextMs() <= world.nowMs) {
                task.instance().slice.lasts(draw.oneIn(3) ? 1 + draw.below(4) : UNLIMITED);
                task.fire(punctuation);
            }
        }
        if (task.isDirty() && losesTransactions && draw.oneIn(8)) {
            task.revive();
        } else if (task.isDirty()) {
            commit(task);
        }
        task.journal.clear();
    }

    private void commit(Task task) {
        if (!task.isGate()) {
            task.flush();
        }
        for (Message message : task.commit()) {
            if (!task.isGate()
                    && message.topic().equals(world.topics.results())
                    && message.textOfKey().equals(SimulatedNode.confirmationOf(task.partition))) {
                CommandResult result = (CommandResult) world.codec.object(message.value());
                long version = ((Outcome.Confirmed) result.outcome()).policyVersion();
                world.confirmed[task.partition] = Math.max(world.confirmed[task.partition], version);
            }
        }
    }

    /** Time of the record of the topic of policies that has come into force: the brake counts only what it has read. */
    private long askedMs(Message accepted) {
        long version = EbbHeaders.number(accepted.headers(), EbbHeaders.POLICY_VERSION, -1);
        return world.broker.log(world.topics.policies(), 0).stream()
                .filter(record -> record.offset() == version)
                .mapToLong(Message::timestampMs)
                .findFirst()
                .orElse(accepted.timestampMs());
    }

    private boolean wasSentBeforeStart(Message accepted) {
        return EbbHeaders.number(accepted.headers(), EbbHeaders.POLICY_VERSION, -1) <= policiesAtStart;
    }

    /** Reads what the tasks have sent. */
    private void collect() {
        settingsLaw.look(unseen(world.topics.policies(), 0));
        for (Message message : unseen(world.topics.policiesAccepted(), 0)) {
            world.inForce.accept(message);
            PolicySet before = policies();
            observer.acceptOne();
            if (policies() != before) {
                long atMs = Math.min(message.timestampMs(), world.nowMs);
                long askedMs = Math.min(atMs, askedMs(message));
                history.add(new InForce(policies(), atMs, askedMs, wasSentBeforeStart(message) ? newestMs() : atMs));
            }
        }
        for (Message message : unseen(world.topics.audit(), 0)) {
            AuditRecord audit = (AuditRecord) world.codec.object(message.value());
            if (audit.action().equals(AuditRecord.DELETE)) {
                audits.add(audit);
            }
        }
        for (int partition = 0; partition < world.topics.partitions(); partition++) {
            for (Message message : unseen(world.topics.results(), partition)) {
                CommandResult result = (CommandResult) world.codec.object(message.value());
                results.put(result.commandId(), result);
            }
            unseen(world.topics.trash(), partition).forEach(ledger::trashed);
            for (Message message : unseen(world.topics.mirrorEvents(), partition)) {
                if (message.value() == null) {
                    rows.remove(message.textOfKey());
                } else {
                    rows.add(message.textOfKey());
                }
            }
        }
    }

    private List<Message> unseen(String topic, int partition) {
        List<Message> log = world.broker.log(topic, partition);
        Integer from = seen.put(topic + partition, log.size());
        return from == null ? List.copyOf(log) : List.copyOf(log.subList(Math.min(from, log.size()), log.size()));
    }

    /** All events of all streams, due ones included. */
    List<StoredEvent> stored() {
        List<StoredEvent> all = new ArrayList<>();
        for (Task task : world.partitions) {
            ReadOnlyEventStore reader = new ReadOnlyEventStore(task.events(), task.usage());
            for (StreamUsage usage : reader.streams(null, "", null, Integer.MAX_VALUE)) {
                all.addAll(reader.list(usage.stream(), null, Integer.MAX_VALUE).events());
            }
        }
        return all;
    }

    /** Returns true if the event belongs to an execution that is not terminal (M-5). */
    boolean isOfOpenExecution(StoredEvent stored) {
        Segment execution = execution(stored);
        return execution != null && !execution.execution().isTerminal();
    }

    /** Returns true if the event belongs to an execution that no status can end, since it was never declared. */
    boolean isOfUndeclaredExecution(StoredEvent stored) {
        Segment execution = execution(stored);
        return execution != null && !execution.execution().isDeclared();
    }

    /** Returns the execution of the event; null for execution 0. */
    private @Nullable Segment execution(StoredEvent stored) {
        long number = stored.event().execution();
        EventStore store = taskOf(stored.event().stream()).store();
        StreamState stream = store == null ? null : store.glance(stored.event().stream());
        return number == 0 || stream == null ? null : stream.segment(number);
    }

    /** Returns true if a hold covers the stream that its partition has confirmed (M-18). */
    boolean isHeld(StreamName stream) {
        return world.inForce.isHeldSince(world.confirmed[taskOf(stream).partition], stream.value());
    }

    /** Returns true if all partitions have confirmed the holds that are in force. */
    boolean isConfirmed(StreamName stream) {
        return world.partitions.stream()
                .allMatch(task -> world.inForce.isHeldSince(world.confirmed[task.partition], stream.value()));
    }

    /** Returns true if the instance of the stream knows that its clock is wrong, so that nothing may be swept. */
    boolean isClockDoubted(StreamName stream) {
        return taskOf(stream).instance().clockProblem != null;
    }

    private Task taskOf(StreamName stream) {
        return world.partitions.get(StreamPartition.of(stream, world.topics.partitions()));
    }

    /** Counts everything again (I-3), and holds the rows against the events. */
    void recount() {
        for (Task task : world.partitions) {
            assertThat(StoreCheck.problems(task.events().all(), task.usage().all()))
                    .as("recount of partition " + task.partition)
                    .isEmpty();
        }
        assertThat(rows).as("rows").hasSize(stored().size());
    }
}
