package dev.ebb.simulation;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.model.RetentionModelPolicies;
import dev.ebb.model.RetentionModelRules;
import dev.ebb.model.RetentionModelStream;
import dev.ebb.model.RetentionModelSweep;
import dev.ebb.store.EventStore;
import dev.ebb.store.StoreCheck;
import dev.ebb.store.StoreProbe;
import dev.ebb.store.state.IndexProbe;
import dev.ebb.store.state.StreamState;
import dev.ebb.topology.SimulatedContext.Punctuation;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Lets a walk come to rest, and looks whether all has been done that had to be done. */
final class Settling {

    /** Rounds: a snapshot of the log may put one record in each slice, and a walk leaves some thousand. */
    private static final int PATIENCE = 4000;

    private static final int UNLIMITED = 1000;

    private static final long LONGEST_PAUSE_MS = 10_000;

    /** Longer than the longest interval of a policy. */
    private static final long INTERVAL_MS = 21_000;

    private static final long SOME_TICKS_MS = 3000;

    /** Time in which all partitions report their settings to the gate, with some left for the way. */
    private static final long REPORTS_MS = 9_000;

    private static final long AGREED_MS = 75_000;

    private final Walk walk;
    private final World world;
    private final Set<String> forgotten = new HashSet<>();
    private long steps;

    Settling(Walk walk) {
        this.walk = walk;
        this.world = walk.world;
    }

    /** Number of steps taken. */
    long steps() {
        return steps;
    }

    void settle() {
        try {
            if (walk.calmDownWithoutLastSchema()) {
                comeToRest();
                // Answers that could not be given before are tried again after that time at the most.
                world.nowMs += LONGEST_PAUSE_MS;
                comeToRest();
                checkWhoWaits();
            }
            walk.calmDown();
            comeToRest();
            if (walk.settings().isAnyOther()) {
                agree();
                comeToRest();
                walk.settings().requireAgreed();
            }
            world.nowMs += LONGEST_PAUSE_MS;
            comeToRest();
            // A stream emptied by caps goes by age, but only when it is looked at again.
            world.nowMs += INTERVAL_MS;
            comeToRest();
            world.nowMs += INTERVAL_MS;
            long pointMs = world.nowMs;
            comeToRest();
            check(pointMs);
        } catch (RuntimeException | StackOverflowError e) {
            throw new Violation(e);
        }
    }

    private void comeToRest() {
        int quiet = 0;
        for (int i = 0; quiet < 3; i++) {
            if (i > PATIENCE) {
                throw new Violation("it comes to rest", "never: " + whatIsLeft());
            }
            quiet = round() ? 0 : quiet + 1;
        }
    }

    /** Only the streams that have a record of the schema wait for it (O-20). */
    private void checkWhoWaits() {
        for (Task task : world.partitions) {
            Set<String> blocked = new HashSet<>();
            for (Message message : task.shadow.parked.values()) {
                byte[] value = message.value();
                if (!Codec.isGarbage(value) && !task.instance().codec.knows(Codec.schemaOf(value))) {
                    blocked.add(message.textOfKey());
                }
                if (!blocked.contains(message.textOfKey())) {
                    throw new Violation(
                            "O-20 only its own stream waits",
                            message.textOfKey() + " waits, and nothing of it is unknown: " + whatIsLeft());
                }
            }
        }
    }

    private String whatIsLeft() {
        StringBuilder left = new StringBuilder();
        for (Task task : world.partitions) {
            left.append("partition ").append(task.partition).append(": ");
            task.inputs.forEach(topic -> left.append(task.waiting(topic))
                    .append(" of ")
                    .append(topic)
                    .append(", "));
            left.append(task.punctuations().size()).append(" punctuators, ");
            left.append(task.shadow.parked.size()).append(" parked, ");
            left.append(task.instance().statuses.get(task.partition)).append("; ");
        }
        return left.toString();
    }

    /** All goes on for as long as instances must agree on settings before they ask for them (T-13). */
    void agree() {
        for (long ms = 0; ms <= AGREED_MS; ms += REPORTS_MS) {
            world.nowMs += REPORTS_MS;
            round();
        }
    }

    /** Returns whether anything was done. */
    private boolean round() {
        boolean isBusy = false;
        world.nowMs += 1000;
        for (dev.ebb.simulation.Instance instance : world.instances) {
            instance.catchUp.tellPolicies();
            while (instance.acceptOne()) {
                isBusy = true;
                steps++;
            }
        }
        isBusy |= gate();
        for (Task task : world.partitions) {
            task.instance().catchUp.tell(task);
            isBusy |= partition(task);
        }
        return isBusy;
    }

    private boolean gate() {
        boolean isBusy = false;
        for (String topic : world.gate.inputs) {
            while (world.gate.waiting(topic) > 0) {
                walk.deliverToGate(topic);
                isBusy = true;
                steps++;
            }
        }
        walk.tickGate();
        steps++;
        walk.commitGate();
        return isBusy;
    }

    private boolean partition(Task task) {
        boolean isBusy = false;
        for (String topic : task.inputs) {
            while (task.waiting(topic) > 0) {
                walk.deliver(task.partition, topic);
                isBusy = true;
                steps++;
            }
        }
        for (Punctuation punctuation : List.copyOf(task.punctuations())) {
            walk.fire(task, punctuation, UNLIMITED);
            steps++;
        }
        isBusy |= task.punctuations().size() > 1;
        if (task.isDirty()) {
            walk.commit(task);
            steps++;
        }
        return isBusy;
    }

    private void check(long pointMs) {
        for (Task task : world.partitions) {
            walk.examiners.get(task.partition).compareAll();
            checkStore(task);
            checkNothingIsLeft(task, pointMs);
        }
        checkSql();
        checkCommands();
        ReturnedLaw.checkResults(world);
        new TreeLaw(world).check();
    }

    private void checkStore(Task task) {
        EventStore store = task.store();
        List<String> problems =
                StoreCheck.problems(task.events().all(), task.usage().all());
        if (!problems.isEmpty()) {
            throw new Violation("I-3 store at the end", problems.toString());
        }
        for (StreamState stream : store == null ? List.<StreamState>of() : StoreProbe.streams(store)) {
            if (!IndexProbe.isFiledAtRest(stream)) {
                throw new Violation("A-17 each stream is looked at in time", stream.toString());
            }
        }
        if (!task.shadow.parked.isEmpty()) {
            throw new Violation(
                    "O-20 what waits is taken in", task.shadow.parked.values().toString());
        }
        if (!task.shadow.retired.isEmpty() || (store != null && store.hasRetired())) {
            throw new Violation("O-10 what was deleted is taken away", "partition " + task.partition);
        }
        long endedMs = world.nowMs - world.settings.graveRetention().toMillis() - SOME_TICKS_MS;
        if (StoreCheck.graves(task.usage().all()).values().stream().anyMatch(deletedMs -> deletedMs < endedMs)) {
            throw new Violation(
                    "O-10 graves end", StoreCheck.graves(task.usage().all()) + " at " + world.nowMs);
        }
        if (StoreCheck.hasPending(task.usage().all())) {
            throw new Violation("O-11 commands end", "partition " + task.partition);
        }
    }

    private void checkNothingIsLeft(Task task, long pointMs) {
        RetentionModelPolicies policies = task.instance().policies.current();
        for (RetentionModelStream stream : task.shadow.model.streams().values()) {
            RetentionModelRules rules = policies.rules(stream.name);
            if (!rules.isEnforced() || rules.window() != null) {
                continue;
            }
            RetentionModelSweep sweep = RetentionModelSweep.of(stream, policies, pointMs);
            if (!sweep.gone().isEmpty()) {
                throw new Violation(
                        "I-2 what is due goes",
                        stream.name + " still holds "
                                + sweep.gone().stream()
                                        .map(gone -> gone.event().id + " (" + gone.cause() + ")")
                                        .toList()
                                + " at " + (pointMs - World.T0) + " by " + rules);
            }
            if (!sweep.executionsGone().isEmpty()) {
                throw new Violation(
                        "M-5 what is over goes", stream.name + " still has executions " + sweep.executionsGone());
            }
        }
    }

    private void checkSql() {
        walk.sql().catchUp();
        int events = 0;
        int executions = 0;
        for (Task task : world.partitions) {
            events += task.shadow.rows.size();
            for (RetentionModelStream stream : task.shadow.model.streams().values()) {
                executions += stream.declared.size();
            }
            new RowLaw(task, task.shadow).checkAtRest();
            if (!walk.sql().holdsAll(task.shadow.rows)) {
                throw new Violation("I-4 SQL", "rows of partition " + task.partition + " are others");
            }
        }
        if (walk.sql().events() != events) {
            throw new Violation("I-4 SQL", walk.sql().events() + " rows for " + events + " events");
        }
        if (walk.sql().executions() != executions) {
            throw new Violation("I-4 SQL", walk.sql().executions() + " rows for " + executions + " executions");
        }
    }

    private void checkCommands() {
        Map<String, long[]> deleted = new HashMap<>();
        for (Message message : world.broker.log(world.topics.audit(), 0)) {
            if (world.codec.object(message.value()) instanceof AuditRecord audit
                    && audit.commandId() != null
                    && isOfDeletes(audit)) {
                long[] sum = deleted.computeIfAbsent(audit.commandId(), id -> new long[3]);
                sum[0] += audit.eventIds().size();
                sum[1] += audit.bytes();
                sum[2] += audit.total() == null ? 0 : audit.total();
            }
        }
        Map<String, CommandResult> results = new HashMap<>();
        for (int partition = 0; partition < world.topics.partitions(); partition++) {
            for (Message message : world.broker.log(world.topics.results(), partition)) {
                remember((CommandResult) world.codec.object(message.value()), results);
            }
        }
        for (CommandRequest request : world.commands.all()) {
            if (forgotten.contains(request.commandId())) {
                continue;
            }
            check(request, results.get(request.commandId()), deleted.getOrDefault(request.commandId(), new long[3]));
        }
    }

    /** What undos have brought back has laws of its own. */
    private boolean isOfDeletes(AuditRecord audit) {
        CommandRequest request = world.commands.get(audit.commandId());
        return request == null || !(request.command() instanceof Command.UndoDeletes);
    }

    private void remember(CommandResult result, Map<String, CommandResult> results) {
        if (!result.isFinal()) {
            return;
        }
        CommandResult before = results.putIfAbsent(result.commandId(), result);
        boolean isCommand = !result.verb().equals("hold");
        if (before != null && result.startedAt().isAfter(before.updatedAt().plusMillis(Walk.REMEMBERED_MS))) {
            forgotten.add(result.commandId());
        } else if (before != null && isCommand && !before.outcome().equals(result.outcome())) {
            throw new Violation("O-11 one result", result + " after " + before);
        }
    }

    private static void check(CommandRequest request, CommandResult result, long[] deleted) {
        if (result == null) {
            throw new Violation("O-11 commands end", request + " has no result");
        }
        Long most = request.maxDeletes();
        if (most != null && deleted[0] > most) {
            throw new Violation("O-9 max-deletes", request + " has deleted " + deleted[0] + " events");
        }
        boolean isCounted = request.isDryRun()
                ? deleted[0] == 0
                : result.outcome().deletions().eventsDeleted() == deleted[0]
                        && result.outcome().deletions().bytesDeleted() == deleted[1]
                        && result.outcome().deletions().eventsDeleted() == deleted[2];
        if (!isCounted) {
            throw new Violation(
                    "O-9 counts of " + request.command().verb(),
                    result + ", the audit says " + deleted[0] + " events, " + deleted[1] + " bytes, " + deleted[2]
                            + " at its end");
        }
    }
}
