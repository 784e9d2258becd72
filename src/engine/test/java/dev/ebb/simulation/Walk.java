package dev.ebb.simulation;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.Errand;
import dev.ebb.domain.command.Outcome;
import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.ExecutionUpdate;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.change.WaitingPolicy;
import dev.ebb.simulation.Mix.Ingredient;
import dev.ebb.store.EventStore;
import dev.ebb.store.StoreProbe;
import dev.ebb.store.state.IndexProbe;
import dev.ebb.store.state.StreamState;
import dev.ebb.topology.SimulatedContext.Punctuation;
import dev.ebb.topology.SimulatedNode;
import dev.ebb.topology.wire.EbbHeaders;
import dev.ebb.topology.wire.StreamPartition;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/** A world in which steps are taken one at a time; after each of them the laws must hold. Not thread-safe. */
final class Walk {

    /** The period of the punctuator that a task always has. */
    private static final long IDLE_MS = 1000;

    /** Results are remembered for a little longer than that. */
    static final long REMEMBERED_MS = Duration.ofDays(7).toMillis();

    private static final long FAR_MS = Duration.ofHours(2).toMillis();
    private static final int MOST_SCHEMAS = 4;
    private static final List<String> CASES = List.of("LIT-1", "LIT-2");

    final World world;
    final Mix mix;
    final List<Examiner> examiners = new ArrayList<>();
    private final Draw draw;
    private final Inputs inputs;
    private final List<Message> sentCommands = new ArrayList<>();
    private final Sql sql;
    private final RestartWalk restarts;
    private final SettingsWalk settings;
    private final UndoWalk undo;
    private @Nullable Consumer<String> log;
    private int acceptedSeen;
    private long steps;

    Walk(long seed, Mix mix) {
        this(seed, mix, new Broker());
    }

    Walk(long seed, Mix mix, Broker broker) {
        this.mix = mix;
        this.draw = new Draw(seed);
        this.inputs = new Inputs(draw, mix);
        this.world = new World(draw, mix, broker);
        world.partitions.forEach(task -> examiners.add(new Examiner(world, task)));
        this.sql = new Sql(world);
        this.restarts = new RestartWalk(this, draw);
        this.settings = new SettingsWalk(this, draw, restarts);
        this.undo = new UndoWalk(this, draw, inputs);
    }

    /** Has each step told in words as well. */
    void logTo(Consumer<String> newLog) {
        log = newLog;
    }

    /** Number of steps that did something. */
    long steps() {
        return steps;
    }

    Draw draw() {
        return draw;
    }

    Sql sql() {
        return sql;
    }

    SettingsWalk settings() {
        return settings;
    }

    void note(String what) {
        if (log != null) {
            log.accept("at " + (world.nowMs - World.T0) + ": " + what);
        }
    }

    private boolean isTold() {
        return log != null;
    }

    /** Takes a step; one that can do nothing is left out. Throws a {@link Violation} if a law does not hold after it. */
    void take(Step step) {
        draw.next(step.seed());
        try {
            if (take(step.kind())) {
                Coverage.count("step " + step.kind());
                steps++;
            }
        } catch (RuntimeException | StackOverflowError e) {
            throw new Violation(e);
        }
    }

    private boolean take(Step.Kind kind) {
        return switch (kind) {
            case EVENT -> event();
            case UPDATE -> update();
            case EXECUTION -> execution();
            case LATE -> late();
            case COMMAND -> command();
            case POLICY -> mix.has(Ingredient.POLICIES) && policy();
            case HOLD -> mix.has(Ingredient.HOLDS) && hold();
            case FILE -> mix.has(Ingredient.FILES) && file();
            case CONFIRM -> mix.has(Ingredient.BRAKE) && confirm();
            case DELIVER -> deliver();
            case TICK -> tick(someTask());
            case SLICE -> slice();
            case COMMIT -> commit();
            case ABORT -> mix.has(Ingredient.ABORTS) && restarts.abort();
            case MOVE -> mix.has(Ingredient.MOVES) && restarts.move();
            case CRASH -> mix.has(Ingredient.CRASHES) && restarts.crash();
            case ACCEPT -> accept();
            case GATE -> gate();
            case CLOCK -> clock();
            case SKEW -> mix.has(Ingredient.CLOCKS) && skew();
            case REGISTRY -> registry();
            case TELL -> tell();
            case COMPACT -> mix.has(Ingredient.COMPACTION) && compact();
            case READ -> mix.has(Ingredient.READERS) && read();
            case UNDO -> mix.has(Ingredient.UNDO) && undo.undo();
            case SETTING -> mix.has(Ingredient.SETTINGS) && settings.change();
        };
    }

    private Task someTask() {
        return draw.of(world.partitions);
    }

    private int someSchema() {
        return mix.has(Ingredient.REGISTRY) && draw.oneIn(40) ? 1 + draw.below(MOST_SCHEMAS) : Codec.KNOWN;
    }

    private boolean event() {
        send(inputs.event(world.nowMs));
        return true;
    }

    private boolean update() {
        send(inputs.update(world.nowMs));
        return true;
    }

    private boolean execution() {
        ExecutionUpdate update = inputs.execution(world.nowMs);
        if (update != null) {
            send(update);
        }
        return update != null;
    }

    /** The millisecond of the delete, or just beside it, or some time before. */
    private boolean late() {
        Map<String, Long> graves = new TreeMap<>();
        world.partitions.forEach(task -> graves.putAll(task.shadow.model.graves()));
        if (graves.isEmpty()) {
            return false;
        }
        String name = draw.of(List.copyOf(graves.keySet()));
        if (mix.has(Ingredient.EXECUTIONS) && draw.either()) {
            inputs.again(new StreamName(name), graves.get(name), world.nowMs)
                    .forEach(said -> send(said, Math.max(graves.get(name), world.nowMs - draw.below(10))));
            return true;
        }
        long beforeMs = draw.oneIn(4) ? draw.below(100_000) : draw.below(3) - 1;
        send(inputs.any(new StreamName(name), world.nowMs), graves.get(name) - beforeMs);
        return true;
    }

    void send(Object said) {
        send(said, world.nowMs - draw.below(3000));
    }

    private void send(Object said, long timestampMs) {
        StreamName stream = Examiner.streamOf(said);
        byte[] key = bytes(stream.value());
        int partition = StreamPartition.of(stream, world.topics.partitions());
        if (mix.has(Ingredient.REKEY) && draw.oneIn(50)) {
            partition = draw.below(world.topics.partitions());
            key = draw.either() ? key : bytes("other");
        }
        int schema = someSchema();
        byte[] value = draw.oneIn(200) ? new byte[] {1} : world.codec.bytes(said, schema);
        int times = mix.has(Ingredient.REPEATS) && draw.oneIn(12) ? 2 : 1;
        for (int i = 0; i < times; i++) {
            world.broker.append(world.topics.events(), partition, timestampMs, key, value, new RecordHeaders());
        }
        if (isTold()) {
            note("sent " + times + " times " + describe(said) + ", timestamp " + (timestampMs - World.T0) + ", schema "
                    + schema + " to " + partition + (value.length == 1 ? " as garbage" : ""));
        }
    }

    private static String describe(Object said) {
        return said instanceof Event event
                ? event.stream() + "|" + event.id() + " " + event.status() + " of " + event.execution() + ", occurred "
                        + relative(event.occurredAt()) + ", completed " + relative(event.completedAt()) + ", "
                        + event.ttl()
                : said.toString();
    }

    private static String relative(@Nullable Long timeMs) {
        return timeMs == null ? "-" : Long.toString(timeMs - World.T0);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private boolean command() {
        if (!sentCommands.isEmpty() && mix.has(Ingredient.REPEATS) && draw.oneIn(10)) {
            Message again = draw.of(sentCommands);
            if (world.nowMs - again.timestampMs() > REMEMBERED_MS) {
                return false;
            }
            world.broker.append(
                    again.topic(), again.partition(), world.nowMs, again.key(), again.value(), again.headers());
            return true;
        }
        if (mix.has(Ingredient.STRANGE_ERRANDS) && draw.oneIn(30)) {
            return strangeErrand();
        }
        CommandRequest request = inputs.command(world.nowMs);
        if (request != null) {
            send(request);
        }
        return request != null;
    }

    void send(CommandRequest request) {
        String key =
                request.command() instanceof Command.OfStream one ? one.stream().value() : request.commandId();
        int partition = StreamPartition.of(new StreamName(key), world.topics.partitions());
        world.commands.send(request);
        examiners.forEach(examiner -> examiner.judge().sent(request));
        sentCommands.add(world.broker.append(
                world.topics.commands(),
                partition,
                world.nowMs,
                bytes(key),
                world.codec.bytes(request, someSchema()),
                new RecordHeaders()));
        note("sent " + request);
    }

    /** Sends a message that any sender of commands may send. */
    private boolean strangeErrand() {
        Errand errand = new Errand(
                "strange",
                draw.of(List.of(Errand.Step.values())),
                draw.below(world.topics.partitions()),
                draw.of(List.of("", "{}", "garbage")));
        int partition = draw.below(world.topics.partitions());
        byte[] value = world.codec.bytes(errand);
        world.broker.append(
                world.topics.commands(), partition, world.nowMs, bytes("strange"), value, new RecordHeaders());
        note("sent " + errand + " to " + partition);
        return true;
    }

    private boolean policy() {
        Scope scope = inputs.scope();
        boolean isRemoved = draw.oneIn(6);
        RetentionPolicy policy = isRemoved ? null : inputs.policy(scope);
        sendPolicy(scope.toString(), policy, new RecordHeaders());
        return true;
    }

    private void sendPolicy(String key, @Nullable Object value, RecordHeaders headers) {
        byte[] said = value == null ? null : world.codec.bytes(value, someSchema());
        Message sent = world.broker.append(world.topics.policies(), 0, world.nowMs, bytes(key), said, headers);
        note("sent " + key + " as version " + sent.offset() + ": " + value);
    }

    private boolean hold() {
        String caseId = draw.of(CASES);
        boolean isReleased = !draw.oneIn(3);
        Hold hold = isReleased ? null : new Hold(caseId, inputs.plainScope(), "litigation", "eva", 0);
        sendPolicy("hold:" + caseId, hold, new RecordHeaders());
        return true;
    }

    private boolean file() {
        Map<String, RetentionPolicy> file = new LinkedHashMap<>();
        do {
            Scope scope = inputs.scope();
            file.put(scope.toString(), inputs.policy(scope));
        } while (draw.either());
        String id = "file-" + Integer.toHexString(draw.below(1 << 30));
        file.forEach((key, policy) -> {
            RecordHeaders headers = new RecordHeaders();
            SimulatedNode.header(headers, EbbHeaders.APPLY_ID, id);
            SimulatedNode.header(headers, EbbHeaders.APPLY_COUNT, Integer.toString(file.size()));
            sendPolicy(key, policy, headers);
        });
        return true;
    }

    private boolean confirm() {
        List<WaitingPolicy> waiting = draw.of(world.instances).views.current().waiting();
        if (waiting.isEmpty()) {
            return false;
        }
        WaitingPolicy one = draw.of(waiting);
        RecordHeaders headers = new RecordHeaders();
        SimulatedNode.header(headers, EbbHeaders.CONFIRM_VERSION, Long.toString(one.version()));
        sendPolicy(EbbHeaders.CONFIRM + one.key(), null, headers);
        return true;
    }

    private boolean deliver() {
        int first = draw.below(world.partitions.size());
        int topic = draw.below(world.partitions.get(0).inputs.size());
        for (int i = 0; i < world.partitions.size(); i++) {
            int partition = (first + i) % world.partitions.size();
            Task task = world.partitions.get(partition);
            for (int j = 0; j < task.inputs.size(); j++) {
                String input = task.inputs.get((topic + j) % task.inputs.size());
                if (task.waiting(input) > 0) {
                    deliver(partition, input);
                    return true;
                }
            }
        }
        return false;
    }

    void deliver(int partition, String topic) {
        Task task = world.partitions.get(partition);
        if (isTold()) {
            note("partition " + partition + " takes " + topic + " " + task.committed(topic) + "+");
        }
        examiners.get(partition).examine(task.deliver(topic));
    }

    private boolean slice() {
        int first = draw.below(world.partitions.size());
        for (int i = 0; i < world.partitions.size(); i++) {
            Task task = world.partitions.get((first + i) % world.partitions.size());
            for (Punctuation punctuation : task.punctuations()) {
                if (punctuation.periodMs() != IDLE_MS) {
                    fire(task, punctuation, reads());
                    return true;
                }
            }
        }
        return tick(world.partitions.get(first));
    }

    private int reads() {
        return draw.oneIn(4) ? draw.oneIn(3) ? 100 : 2 + draw.below(3) : 1;
    }

    private boolean tick(Task task) {
        Punctuation idle = task.punctuations().stream()
                .filter(punctuation -> punctuation.periodMs() == IDLE_MS)
                .findFirst()
                .orElseThrow();
        fire(task, idle, reads());
        return true;
    }

    /** @param reads of the clock until the slice is over */
    void fire(Task task, Punctuation punctuation, int reads) {
        world.nowMs = Math.max(world.nowMs, punctuation.nextMs());
        task.instance().slice.lasts(reads);
        if (isTold()) {
            note("partition " + task.partition + " has its turn of " + punctuation.periodMs() + ", " + reads);
        }
        task.fire(punctuation);
        examiners.get(task.partition).examine(null);
    }

    private boolean commit() {
        int first = draw.below(world.partitions.size());
        for (int i = 0; i < world.partitions.size(); i++) {
            Task task = world.partitions.get((first + i) % world.partitions.size());
            if (task.isDirty()) {
                commit(task);
                if (draw.oneIn(8)) {
                    examiners.get(task.partition).compareAll();
                }
                return true;
            }
        }
        return commitGate();
    }

    void commit(Task task) {
        note("partition " + task.partition + " commits");
        task.flush();
        Examiner examiner = examiners.get(task.partition);
        examiner.examine(null);
        requireSaved(task);
        List<Message> sent = task.commit();
        examiner.judge().committed();
        for (Message message : sent) {
            if (message.topic().equals(world.topics.results())
                    && message.textOfKey().equals(SimulatedNode.confirmationOf(task.partition))) {
                CommandResult result = (CommandResult) world.codec.object(message.value());
                Outcome.Confirmed confirmed = (Outcome.Confirmed) result.outcome();
                world.confirmed[task.partition] = Math.max(world.confirmed[task.partition], confirmed.policyVersion());
            }
        }
    }

    private static void requireSaved(Task task) {
        EventStore store = task.store();
        if (store == null) {
            return;
        }
        List<String> problems = IndexProbe.problems(task.usageRecords());
        if (!problems.isEmpty()) {
            throw new Violation("A-17 indexes agree with their streams", problems.toString());
        }
        List<String> records = StoreProbe.records(task.usageRecords());
        if (records.size() != StoreProbe.streams(store).size()) {
            throw new Violation("A-4 a record for each stream", records + " for " + StoreProbe.streams(store));
        }
        for (StreamState stream : StoreProbe.streams(store)) {
            if (!IndexProbe.isFiled(stream)) {
                throw new Violation("A-17 each stream is looked at in time", stream.toString());
            }
            if (!StoreProbe.isSaved(stream, task.usageRecords())) {
                throw new Violation("A-4 usage is saved before the commit", "that of " + stream + " is not");
            }
        }
    }

    private boolean accept() {
        int first = draw.below(world.instances.size());
        for (int i = 0; i < world.instances.size(); i++) {
            int index = (first + i) % world.instances.size();
            if (world.instances.get(index).acceptOne()) {
                note("instance " + index + " sees a policy");
                return true;
            }
        }
        return false;
    }

    private boolean gate() {
        Task gate = world.gate;
        int topic = draw.below(gate.inputs.size());
        int dice = draw.below(6);
        if (dice == 0) {
            return tickGate();
        }
        if (dice == 1 && gate.isDirty()) {
            return commitGate();
        }
        for (int i = 0; i < gate.inputs.size(); i++) {
            String input = gate.inputs.get((topic + i) % gate.inputs.size());
            if (gate.waiting(input) > 0) {
                deliverToGate(input);
                return true;
            }
        }
        return commitGate() || tickGate();
    }

    void deliverToGate(String topic) {
        note("the gate takes " + topic);
        settings.taken(world.gate.deliver(topic));
        endStepOfGate();
    }

    boolean tickGate() {
        List<Punctuation> punctuations = List.copyOf(world.gate.punctuations());
        Punctuation one = draw.of(punctuations);
        world.nowMs = Math.max(world.nowMs, one.nextMs());
        world.gate.fire(one);
        endStepOfGate();
        return true;
    }

    private void endStepOfGate() {
        settings.sent(world.gate.journal);
        world.gate.journal.clear();
    }

    boolean commitGate() {
        if (!world.gate.isDirty()) {
            return false;
        }
        world.gate.commit();
        List<Message> accepted = world.broker.log(world.topics.policiesAccepted(), 0);
        for (; acceptedSeen < accepted.size(); acceptedSeen++) {
            world.inForce.accept(accepted.get(acceptedSeen));
        }
        note("the gate commits, " + acceptedSeen + " records accepted");
        return true;
    }

    private boolean clock() {
        List<Long> dues = draw.either() ? examinerOf(someTask()).dueAfter(world.nowMs) : List.of();
        long ms = draw.oneIn(6) ? draw.below(100_000) : draw.below(3000);
        if (draw.oneIn(40)) {
            ms = draw.below(8 * 3_600_000);
        }
        dues = dues.stream().filter(due -> due < world.nowMs + FAR_MS).toList();
        if (!dues.isEmpty()) {
            // The millisecond in which an event falls due, or just beside it.
            ms = dues.get(draw.below(Math.min(3, dues.size()))) + draw.below(3) - 1 - world.nowMs;
        }
        world.nowMs += Math.max(1, ms);
        note("time goes on");
        return true;
    }

    private Examiner examinerOf(Task task) {
        return examiners.get(task.partition);
    }

    private boolean skew() {
        dev.ebb.simulation.Instance instance = draw.of(world.instances);
        if (instance.clockProblem == null && instance.aheadMs != 0) {
            instance.clockProblem = "the clock is wrong";
        } else if (instance.aheadMs != 0) {
            instance.aheadMs = 0;
            instance.clockProblem = null;
        } else if (draw.either()) {
            // A small one is within the limit and goes unnoticed.
            instance.aheadMs = draw.below(1200) - 600;
        } else {
            instance.aheadMs = draw.below(4 * 3_600_000) - 2 * 3_600_000;
            instance.clockProblem = "the clock is wrong";
        }
        note("the clock of an instance is " + instance.aheadMs + " ahead, " + instance.clockProblem);
        return true;
    }

    private boolean registry() {
        int schema = 1 + draw.below(MOST_SCHEMAS);
        dev.ebb.simulation.Instance instance = draw.of(world.instances);
        if (instance.codec.knows(schema)) {
            return false;
        }
        instance.codec.learn(schema);
        note("an instance knows schema " + schema);
        return true;
    }

    private boolean tell() {
        dev.ebb.simulation.Instance instance = draw.of(world.instances);
        if (draw.oneIn(4) && instance.catchUp.tellPolicies()) {
            return true;
        }
        int first = draw.below(world.partitions.size());
        for (int i = 0; i < world.partitions.size(); i++) {
            Task task = world.partitions.get((first + i) % world.partitions.size());
            if (task.instance().catchUp.tell(task)) {
                return true;
            }
        }
        return instance.catchUp.tellPolicies();
    }

    private boolean compact() {
        Task task = restarts.taskOrGate(draw.below(world.partitions.size() + 1));
        task.shortenLogs(readBySink(task), draw.below(10), draw.either());
        return true;
    }

    /** The sink may be behind, or its database new. */
    private long readBySink(Task task) {
        if (task.isGate() || draw.oneIn(4)) {
            return 0;
        }
        if (draw.oneIn(8)) {
            sql.lose(task.partition);
        }
        return sql.catchUp(task.partition);
    }

    private boolean read() {
        Task task = someTask();
        StreamName stream = draw.stream();
        EventId id = inputs.id();
        return new ReaderLaw(world, task).read(stream, id, 1 + draw.below(4));
    }

    /** All that could keep the walk from coming to rest is over. */
    void calmDown() {
        learn(MOST_SCHEMAS);
    }

    /** Calms down, but one schema stays unknown; returns false if a policy has that schema, for which all must wait. */
    boolean calmDownWithoutLastSchema() {
        for (Message message : world.broker.log(world.topics.policies(), 0)) {
            if (message.value() != null && Codec.schemaOf(message.value()) == MOST_SCHEMAS) {
                return false;
            }
        }
        learn(MOST_SCHEMAS - 1);
        return true;
    }

    private void learn(int last) {
        for (int schema = 1; schema <= last; schema++) {
            world.answeredSchemas().add(schema);
        }
        for (dev.ebb.simulation.Instance instance : world.instances) {
            world.answeredSchemas().forEach(instance.codec::learn);
            instance.aheadMs = 0;
            instance.clockProblem = null;
        }
    }
}
