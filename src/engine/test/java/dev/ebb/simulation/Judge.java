package dev.ebb.simulation;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.Errand;
import dev.ebb.domain.command.PruneCondition;
import dev.ebb.domain.command.StreamFilter;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.model.RetentionModelPolicies;
import dev.ebb.model.RetentionModelRules;
import dev.ebb.model.RetentionModelStream;
import dev.ebb.model.RetentionModelStream.Declared;
import dev.ebb.model.RetentionModelStream.Kept;
import dev.ebb.model.RetentionModelSweep;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Says of each delete, in the instant in which it happens, whether it was allowed: by what the model holds in that instant,
 * and under the policies that the instance of the task has seen. Where a rule leaves open in which instant something is
 * decided, any since the command was sent will do.
 */
final class Judge {

    private static final Pattern POINT = Pattern.compile("\"pointMs\":(\\d+)");

    private final World world;
    private final Task task;
    private final Shadow shadow;
    private final Map<String, Prune> prunes = new LinkedHashMap<>();
    private final List<String> newLimits = new ArrayList<>();

    /** Events that a prune may take from one stream. */
    private static final class Prune {
        final PruneCondition condition;
        final Set<String> events = new HashSet<>();
        final Set<Long> executions = new HashSet<>();
        long limit = Long.MAX_VALUE;

        Prune(PruneCondition condition) {
            this.condition = condition;
        }
    }

    Judge(World world, Task task) {
        this.world = world;
        this.task = task;
        this.shadow = task.shadow;
    }

    void committed() {
        newLimits.clear();
    }

    /** Lets uncommitted work begin anew. */
    void aborted() {
        newLimits.forEach(name -> prunes.get(name).limit = Long.MAX_VALUE);
        newLimits.clear();
    }

    /** Something that goes to another partition. */
    void sent(Object said) {
        if (said instanceof Errand errand && errand.step() == Errand.Step.SWEEP) {
            Matcher point = POINT.matcher(errand.body());
            if (point.find()) {
                world.commands.points(errand.commandId()).add(Long.parseLong(point.group(1)));
            }
        }
    }

    /** A command was sent: from now on a prune may begin. */
    void sent(CommandRequest request) {
        PruneCondition condition = conditionOf(request.command());
        if (condition == null || request.isDryRun()) {
            return;
        }
        for (String name : Draw.STREAMS) {
            if (condition.isEmpty() || !mayMean(request.command(), name)) {
                continue;
            }
            Prune prune = prunes.computeIfAbsent(request.commandId() + " " + name, key -> new Prune(condition));
            RetentionModelStream stream = shadow.stream(name);
            if (stream != null) {
                notice(prune, stream);
            }
        }
    }

    private static @Nullable PruneCondition conditionOf(Command command) {
        if (command instanceof Command.PruneStream prune) {
            return prune.condition();
        }
        return command instanceof Command.PruneStreams prune ? prune.condition() : null;
    }

    private static boolean mayMean(Command command, String name) {
        return !(command instanceof Command.OfStream one)
                || one.stream().value().equals(name);
    }

    /** The step is over: what prunes may take has changed where it has touched something. */
    void end(Set<String> touched) {
        if (prunes.isEmpty() || touched.isEmpty()) {
            return;
        }
        prunes.forEach((key, prune) -> {
            String name = key.substring(key.indexOf(' ') + 1);
            RetentionModelStream stream = touched.contains(name) ? shadow.stream(name) : null;
            if (stream != null && !shadow.answered.contains(key.substring(0, key.indexOf(' ')))) {
                notice(prune, stream);
            }
        });
    }

    private void notice(Prune prune, RetentionModelStream stream) {
        long keepLast = prune.condition.keepLast() == null ? 0 : prune.condition.keepLast();
        if (stream.hasExecutions()) {
            for (long number : stream.executions()) {
                if (stream.executions().tailSet(number).size() > Math.max(1, keepLast)) {
                    prune.executions.add(number);
                }
            }
            return;
        }
        RetentionModelRules rules = rules(stream);
        List<Kept> eligible = eligible(stream, rules);
        for (int i = 0; i < eligible.size() - keepLast; i++) {
            prune.events.add(identity(eligible.get(i)));
        }
    }

    private static List<Kept> eligible(RetentionModelStream stream, RetentionModelRules rules) {
        return stream.inOrder(rules).stream()
                .filter(kept -> RetentionModelSweep.isEligible(stream, kept, rules))
                .toList();
    }

    private static String identity(Kept kept) {
        return kept.id + "@" + kept.storedAt + "#" + kept.seq;
    }

    private RetentionModelPolicies policies() {
        return task.instance().policies.current();
    }

    private RetentionModelRules rules(RetentionModelStream stream) {
        return policies().rules(stream.name);
    }

    /** Something takes the place of an event of that stream. */
    void replaces(String stream) {
        if (world.inForce.isHeldSince(world.confirmed[task.partition], stream)) {
            throw new Violation("M-18 a held event is not replaced", "in " + stream + ", held by a confirmed hold");
        }
    }

    private void requireNotHeld(RetentionModelStream stream, String what) {
        if (policies().isHeld(stream.name)) {
            throw new Violation("M-18 holds", what + " although held");
        }
        if (world.inForce.isHeldSince(world.confirmed[task.partition], stream.name)) {
            throw new Violation("A-16 confirmed holds", what + " although a hold is confirmed");
        }
    }

    private void requireSettings(String what) {
        if (task.instance().policies.settings() == null) {
            throw new Violation("T-13 nothing goes before settings are in force", what);
        }
    }

    /** An event goes for a reason that an audit record tells. */
    void deletes(RetentionModelStream stream, Kept kept, AuditRecord audit, long nowMs) {
        String sweep = audit.sweepId();
        String command = audit.commandId();
        String what = stream.name + "|" + kept.id + " went for " + audit.cause() + " by "
                + (command == null ? sweep : command);
        requireSettings(what);
        requireNotHeld(stream, what);
        RemovalCause cause = RemovalCause.valueOf(audit.cause());
        if (command == null) {
            bySchedule(stream, kept, cause, sweep, nowMs, what);
        } else {
            CommandRequest request = world.commands.get(command);
            if (request == null || request.isDryRun()) {
                throw new Violation("O-9 commands", what + ", of which " + request + " was asked for");
            }
            byCommand(stream, kept, cause, request, nowMs, what);
        }
    }

    private void bySchedule(
            RetentionModelStream stream, Kept kept, RemovalCause cause, String sweep, long nowMs, String what) {
        Instance instance = task.instance();
        if (instance.clockProblem != null) {
            throw new Violation("O-7 clock guard", what);
        }
        if (!instance.catchUp.isCaughtUp(task.partition)) {
            throw new Violation("O-1 what was there at the start is seen first", what);
        }
        if (!rules(stream).rhythm(null).isOpen(nowMs)) {
            throw new Violation("O-1 window", what);
        }
        long pointMs = Long.parseLong(sweep.split("-")[2]);
        requireBySweep(stream, kept, cause, pointMs, what);
    }

    private void requireBySweep(RetentionModelStream stream, Kept kept, RemovalCause cause, long pointMs, String what) {
        RetentionModelRules rules = rules(stream);
        if (!rules.isEnforced()) {
            throw new Violation("M-16 warn", what);
        }
        if (shadow.waits(stream.name)) {
            throw new Violation(
                    "M-4 no sweep beside parked records",
                    what + " by a " + (what.contains("sweep-") ? "scheduled" : "manual") + " sweep");
        }
        if (stream.isProtected(kept)) {
            throw new Violation("M-4 protected", what);
        }
        switch (cause) {
            case TTL, MAX_AGE -> {
                boolean isOwn = kept.hasOwnTtl();
                if (isOwn != (cause == RemovalCause.TTL)) {
                    throw new Violation("I-5 cause", what + ", which is another");
                }
                if (!RetentionModelSweep.goesByAge(stream, kept, rules, pointMs)) {
                    throw new Violation(
                            "I-2 not before it is due",
                            what + " at " + (pointMs - World.T0) + ", due after "
                                    + (RetentionModelSweep.due(stream, kept, rules) - World.T0) + " by " + rules);
                }
            }
            case MAX_COUNT, MAX_BYTES -> {
                RetentionModelSweep.Gone first = RetentionModelSweep.firstByCaps(stream, rules, pointMs);
                if (first == null || first.event() != kept || !first.cause().equals(cause.name())) {
                    String expected = first == null ? "nothing" : first.event().id + " for " + first.cause();
                    throw new Violation("M-12 caps", what + ", caps take " + expected + " by " + rules);
                }
            }
            default -> throw new Violation("I-5 cause", what);
        }
    }

    private void byCommand(
            RetentionModelStream stream,
            Kept kept,
            RemovalCause cause,
            CommandRequest request,
            long nowMs,
            String what) {
        Command command = request.command();
        if (command instanceof Command.SweepNow sweep) {
            byHand(stream, kept, cause, sweep, request, what);
        } else if (command instanceof Command.DeleteEvent delete) {
            boolean isMeant = delete.stream().value().equals(stream.name)
                    && delete.id().value().equals(kept.id);
            if (!isMeant || (stream.isProtected(kept) && !delete.isForced())) {
                throw new Violation("M-4 event delete", what + " by " + request);
            }
            if (RetentionModelSweep.isHidden(stream, kept, policies(), nowMs)) {
                throw new Violation("M-17 event delete", what + ", which nobody sees");
            }
        } else if (conditionOf(command) != null) {
            byPrune(stream, kept, request, what);
        } else {
            throw new Violation("O-9 commands", what + ", which takes no single events");
        }
    }

    private void byHand(
            RetentionModelStream stream,
            Kept kept,
            RemovalCause cause,
            Command.SweepNow sweep,
            CommandRequest request,
            String what) {
        if (!RetentionModelPolicies.isOn(sweep.scope(), stream.name)) {
            throw new Violation("O-5 scope", what + " by " + request);
        }
        Violation last = null;
        for (long point : world.commands.points(request.commandId())) {
            try {
                requireBySweep(stream, kept, cause, point, what);
                return;
            } catch (Violation e) {
                last = e;
            }
        }
        throw last == null ? new Violation("O-5 sweep point", what + ", which has none") : last;
    }

    private void byPrune(RetentionModelStream stream, Kept kept, CommandRequest request, String what) {
        String key = request.commandId() + " " + stream.name;
        Prune prune = prunes.get(key);
        if (prune == null) {
            throw new Violation("O-9 prune", what + " by " + request);
        }
        notice(prune, stream);
        RetentionModelRules rules = rules(stream);
        if (stream.isProtected(kept)) {
            throw new Violation("M-4 prune", what + ", which is protected");
        }
        Long before = prune.condition.completedBeforeMs();
        boolean isOfEvents = !stream.hasExecutions() && prune.events.contains(identity(kept));
        if (!isOfEvents && (stream.hasExecutions() || prune.executions.contains(kept.execution))) {
            Declared execution = stream.declared.get(kept.execution);
            boolean isCurrent = kept.execution == stream.current();
            boolean isPinned = stream.events.values().stream()
                    .anyMatch(other -> other.execution == kept.execution && other.isPinned);
            if (!prune.executions.contains(kept.execution) || isCurrent || isPinned) {
                throw new Violation(
                        "O-9 prune of executions",
                        what + " of execution " + kept.execution + (isCurrent ? ", the current one" : "")
                                + (isPinned ? ", which holds a protected event" : "") + " by " + request);
            }
            if (execution != null && before != null && execution.completedAt >= before) {
                throw new Violation("O-9 prune of executions", what + ", completed too late for " + request);
            }
            return;
        }
        if (before != null && kept.completedAt >= before) {
            throw new Violation("O-9 prune", what + ", completed too late for " + request);
        }
        if (!RetentionModelSweep.isEligible(stream, kept, rules) && !prune.events.contains(identity(kept))) {
            throw new Violation("O-9 prune", what + ", which is not eligible");
        }
        if (kept.seq >= prune.limit) {
            throw new Violation("O-9 prune takes no newcomers", what + ", the " + kept.seq + ". of " + prune.limit);
        }
        if (!prune.events.contains(identity(kept))) {
            throw new Violation(
                    "O-9 prune keeps the last",
                    what + ", which was always among the last " + prune.condition.keepLast() + ", by " + request);
        }
        if (prune.limit == Long.MAX_VALUE) {
            prune.limit = stream.nextSeq();
            newLimits.add(key);
        }
    }

    /** A whole stream goes at one instant. */
    void deletesStream(RetentionModelStream stream, String commandId, String cause, long nowMs) {
        CommandRequest request = world.commands.get(commandId);
        String what = stream.name + " went by " + request;
        if (request == null || request.isDryRun()) {
            throw new Violation("O-9 commands", what);
        }
        requireSettings(what);
        requireNotHeld(stream, what);
        if (request.command() instanceof Command.DeleteStream delete) {
            boolean isMeant = delete.stream().value().equals(stream.name);
            if (!isMeant || (stream.isOpen() && !delete.isForced())) {
                throw new Violation("M-6 delete", what + ", which is open");
            }
        } else if (request.command() instanceof Command.PurgeStreams purge) {
            if (stream.isOpen()) {
                throw new Violation("M-6 purge", what + ", which is open");
            }
            if (!matches(stream, purge.filter())) {
                throw new Violation("O-9 purge", what + ", which does not match");
            }
            if (shadow.waits(stream.name)) {
                throw new Violation("M-4 no purge beside parked records", what);
            }
        } else {
            throw new Violation("O-9 commands", what + ", which deletes no streams");
        }
    }

    private static boolean matches(RetentionModelStream stream, StreamFilter filter) {
        Long before = filter.completedBeforeMs();
        long completion = stream.completion();
        return (filter.streams() == null || filter.streams().contains(new StreamName(stream.name)))
                && (filter.namespace() == null || filter.namespace().equals(stream.namespace()))
                && (before == null || (completion >= 0 && completion < before));
    }

    /** An execution goes, and with it nothing that the model still has. */
    void removesExecution(RetentionModelStream stream, long number, long nowMs) {
        Declared execution = stream.declared.get(number);
        String what = "execution " + number + " of " + stream.name;
        requireNotHeld(stream, what);
        boolean isEmpty = stream.events.values().stream().noneMatch(kept -> kept.execution == number);
        if (!isEmpty || !execution.isTerminal) {
            throw new Violation("M-5 executions", what + " went, which is " + (isEmpty ? "open" : "not empty"));
        }
        RetentionModelRules rules = rules(stream);
        boolean isKept =
                stream.hasExecutions() && stream.executions().tailSet(number).size() <= rules.keepLast();
        boolean isBySweep = rules.isEnforced()
                && rules.isTooOld(execution.completedAt, nowMs)
                && nowMs > execution.awaitsUntil
                && nowMs > stream.noticeUntil
                && !isKept
                && !shadow.waits(stream.name);
        if (!isBySweep && !isPruned(stream, number)) {
            throw new Violation("M-5 executions", what + " went, which nothing takes by " + rules);
        }
    }

    private boolean isPruned(RetentionModelStream stream, long number) {
        for (var entry : prunes.entrySet()) {
            if (entry.getKey().endsWith(" " + stream.name)) {
                notice(entry.getValue(), stream);
                if (entry.getValue().executions.contains(number)) {
                    return true;
                }
            }
        }
        return false;
    }
}
