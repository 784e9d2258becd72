package dev.ebb.model;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.Outcome.Deleted;
import dev.ebb.domain.command.PruneCondition;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.command.StreamFilter;
import dev.ebb.domain.event.EventUpdate;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.event.StreamName;
import dev.ebb.model.RetentionModelStream.Declared;
import dev.ebb.model.RetentionModelStream.Kept;
import dev.ebb.topology.Outcomes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Effect of a person's command on the model, and its expected result (O-9), all at one instant. */
public final class RetentionModelCommands {

    private static final int MAX_HOPS = 64;
    private static final Deleted ONE = Outcomes.deleted(1, 0, 0, 0, 0, 0, Map.of());

    /** Expected answer; {@code refusal} is null if the command is done. */
    public record Answer(Refusal refusal, Deleted counts) {}

    private final RetentionModel model;
    private final CommandRequest request;
    private final long now;

    private RetentionModelCommands(RetentionModel model, CommandRequest request, long now) {
        this.model = model;
        this.request = request;
        this.now = now;
    }

    /** Carries a command out, all but sweeps. */
    public static Answer carryOut(RetentionModel model, CommandRequest request, long now) {
        RetentionModelCommands commands = new RetentionModelCommands(model, request, now);
        Command command = request.command();
        if (command instanceof Command.DeleteStream delete) {
            return commands.delete(delete);
        } else if (command instanceof Command.PruneStream prune) {
            return commands.prune(prune);
        } else if (command instanceof Command.PurgeStreams purge) {
            return commands.bulk(purge.filter(), false, null);
        } else if (command instanceof Command.PruneStreams prune) {
            return commands.bulk(prune.filter(), prune.includesOpen(), prune.condition());
        } else if (command instanceof Command.DeleteEvent delete) {
            return commands.deleteEvent(delete);
        }
        return commands.setTtl((Command.SetTtl) command);
    }

    private static Answer refused(Refusal refusal) {
        return new Answer(refusal, Deleted.skipped(refusal));
    }

    private Answer delete(Command.DeleteStream delete) {
        RetentionModelStream stream = model.streams().get(delete.stream().value());
        if (stream == null) {
            return refused(Refusal.NOT_FOUND);
        }
        Refusal refusal = isHeld(stream)
                ? Refusal.HELD
                : delete.isForced() ? null : stream.isOpen() ? Refusal.STREAM_OPEN : byAncestors(stream);
        if (refusal == null && isTooMany(stream.events.size())) {
            refusal = Refusal.TOO_MANY;
        }
        return refusal != null ? refused(refusal) : new Answer(null, deleteWhole(stream, "DELETE", request.isDryRun()));
    }

    private Deleted deleteWhole(RetentionModelStream stream, String cause, boolean isDryRun) {
        long executions = counted(stream, stream.executions());
        Deleted counts = Outcomes.deleted(
                1, 1, executions, stream.events.size(), stream.protectedEvents(), stream.size(), Map.of());
        if (!isDryRun) {
            Set<Long> open = stream.openExecutions();
            List.copyOf(stream.events.values()).forEach(kept -> remove(stream, kept, cause));
            model.delete(stream.name, open, now);
        }
        return counts;
    }

    /** Asks one ancestor after the other (M-6). */
    private Refusal byAncestors(RetentionModelStream child) {
        List<String> visited = new ArrayList<>(List.of(child.name));
        String asked = child.parent;
        while (asked != null) {
            if (visited.contains(asked) || visited.size() > MAX_HOPS) {
                return Refusal.PARENT_CYCLE;
            }
            RetentionModelStream ancestor = model.streams().get(asked);
            if (ancestor != null && ancestor.isOpen()) {
                return Refusal.PARENT_OPEN;
            }
            visited.add(asked);
            asked = ancestor == null ? null : ancestor.parent;
        }
        return null;
    }

    private Answer prune(Command.PruneStream prune) {
        RetentionModelStream stream = model.streams().get(prune.stream().value());
        if (stream == null) {
            return new Answer(null, Deleted.NOTHING);
        }
        if (isHeld(stream)) {
            return refused(Refusal.HELD);
        }
        Deleted counts = prune(stream, prune.condition(), true);
        if (isTooMany(counts.eventsDeleted())) {
            return refused(Refusal.TOO_MANY);
        }
        return new Answer(null, prune(stream, prune.condition(), request.isDryRun()));
    }

    private Deleted prune(RetentionModelStream stream, PruneCondition condition, boolean isDryRun) {
        if (condition.isEmpty()) {
            return ONE;
        }
        List<Kept> gone = new ArrayList<>();
        List<Long> executions = new ArrayList<>();
        if (stream.hasExecutions()) {
            executions.addAll(executionsToGo(stream, condition));
            stream.events.values().stream()
                    .filter(kept -> executions.contains(kept.execution))
                    .forEach(gone::add);
        } else {
            gone.addAll(eventsToGo(stream, condition));
        }
        long bytes = gone.stream().mapToLong(kept -> kept.size).sum();
        long counted = counted(stream, executions);
        if (!isDryRun) {
            gone.forEach(kept -> remove(stream, kept, "PRUNE"));
            executions.forEach(stream.declared::remove);
            model.forgetIfGone(stream);
        }
        return Outcomes.deleted(1, 0, counted, gone.size(), 0, bytes, Map.of());
    }

    /** Execution 0 counts only if it was declared. */
    private static long counted(RetentionModelStream stream, Collection<Long> executions) {
        return executions.stream()
                .filter(number -> number > 0 || stream.declared.containsKey(number))
                .count();
    }

    private static List<Long> executionsToGo(RetentionModelStream stream, PruneCondition condition) {
        long keepLast = condition.keepLast() == null ? 0 : condition.keepLast();
        return stream.executions().stream()
                .filter(number -> stream.executions().tailSet(number).size() > Math.max(1, keepLast))
                .filter(stream::isTerminal)
                .filter(number ->
                        stream.events.values().stream().noneMatch(kept -> kept.execution == number && kept.isPinned))
                .filter(number -> isBefore(completion(stream, number), condition.completedBeforeMs()))
                .toList();
    }

    private static long completion(RetentionModelStream stream, long number) {
        Declared execution = stream.declared.get(number);
        return execution == null ? stream.eventCompletion() : execution.completedAt;
    }

    private static boolean isBefore(Long completedAt, Long before) {
        return before == null || completedAt < before;
    }

    private List<Kept> eventsToGo(RetentionModelStream stream, PruneCondition condition) {
        RetentionModelRules rules = model.policies().rules(stream.name);
        List<Kept> eligible = stream.inOrder(rules).stream()
                .filter(kept -> RetentionModelSweep.isEligible(stream, kept, rules))
                .toList();
        long keepLast = condition.keepLast() == null ? 0 : condition.keepLast();
        return eligible.stream()
                .limit(Math.max(0, eligible.size() - keepLast))
                .filter(kept -> isBefore(kept.completedAt, condition.completedBeforeMs()))
                .toList();
    }

    /** A purge if there is no condition, else a prune of many streams. */
    private Answer bulk(StreamFilter filter, boolean includesOpen, PruneCondition condition) {
        if (filter.isEmpty() && !filter.isAll()) {
            return new Answer(Refusal.NO_FILTER, Deleted.NOTHING);
        }
        Deleted counts = bulk(filter, includesOpen, condition, true);
        if (isTooMany(counts.eventsDeleted())) {
            return new Answer(Refusal.TOO_MANY, Deleted.NOTHING);
        }
        return new Answer(null, request.isDryRun() ? counts : bulk(filter, includesOpen, condition, false));
    }

    private Deleted bulk(StreamFilter filter, boolean includesOpen, PruneCondition condition, boolean isDryRun) {
        Deleted counts = Deleted.NOTHING;
        List<RetentionModelStream> candidates = new ArrayList<>();
        for (RetentionModelStream stream : model.streams().values()) {
            if (matches(stream, filter)) {
                boolean isSkipped = isHeld(stream) || (stream.isOpen() && !includesOpen);
                if (isSkipped) {
                    counts = counts.plus(Deleted.skipped(isHeld(stream) ? Refusal.HELD : Refusal.STREAM_OPEN));
                } else {
                    candidates.add(stream);
                }
            }
        }
        counts = condition == null ? counts.plus(missing(filter)) : counts;
        candidates.sort(
                Comparator.comparingLong(RetentionModelStream::completion).thenComparing(stream -> stream.name));
        long left = filter.limit();
        for (RetentionModelStream stream : candidates) {
            Refusal refusal = left == 0 || condition != null ? null : byAncestors(stream);
            if (left > 0 && refusal != null) {
                counts = counts.plus(Deleted.skipped(refusal));
            } else if (left > 0) {
                left--;
                counts = counts.plus(
                        condition == null
                                ? deleteWhole(stream, "PURGE", isDryRun)
                                : prune(stream, condition, isDryRun));
            }
        }
        return counts;
    }

    /** Streams that a purge names and that do not exist. */
    private Deleted missing(StreamFilter filter) {
        Deleted counts = Deleted.NOTHING;
        for (StreamName name : filter.streams() == null ? Set.<StreamName>of() : Set.copyOf(filter.streams())) {
            boolean isMeant = filter.namespace() == null || filter.namespace().equals(name.namespace());
            if (isMeant && !model.streams().containsKey(name.value())) {
                counts = counts.plus(Deleted.skipped(Refusal.NOT_FOUND));
            }
        }
        return counts;
    }

    private static boolean matches(RetentionModelStream stream, StreamFilter filter) {
        Long before = filter.completedBeforeMs();
        long completion = stream.completion();
        return (filter.streams() == null || filter.streams().contains(new StreamName(stream.name)))
                && (filter.namespace() == null || filter.namespace().equals(stream.namespace()))
                && (before == null || (completion >= 0 && completion < before));
    }

    private Kept visible(Command.OfStream command, String id) {
        RetentionModelStream stream = model.streams().get(command.stream().value());
        Kept kept = stream == null ? null : stream.events.get(id);
        return kept == null || model.isHidden(kept, now) ? null : kept;
    }

    private Answer deleteEvent(Command.DeleteEvent delete) {
        Kept kept = visible(delete, delete.id().value());
        if (kept == null) {
            return refused(Refusal.NOT_FOUND);
        }
        RetentionModelStream stream = Objects.requireNonNull(model.streams().get(kept.stream));
        boolean isProtected = stream.isProtected(kept);
        if (isHeld(stream)) {
            return refused(Refusal.HELD);
        }
        if (isProtected && !delete.isForced()) {
            return refused(Refusal.PROTECTED);
        }
        if (isTooMany(1)) {
            return refused(Refusal.TOO_MANY);
        }
        if (!request.isDryRun()) {
            remove(stream, kept, "DELETE");
            model.forgetIfGone(stream);
        }
        return new Answer(null, Outcomes.deleted(1, 0, 0, 1, isProtected ? 1 : 0, kept.size, Map.of()));
    }

    private Answer setTtl(Command.SetTtl command) {
        Kept kept = visible(command, command.id().value());
        if (kept == null) {
            return refused(Refusal.NOT_FOUND);
        }
        OwnTtl ttl = command.ttlMs() == null ? command.ttl() : OwnTtl.of(null, now + command.ttlMs(), false);
        RetentionModelRules rules = model.policies().rules(kept.stream);
        long anchor = model.streams().get(kept.stream).anchor(kept, rules);
        boolean isOutOfBounds = ttl.noExpiration()
                ? !rules.allowInfinite()
                : ttl.expiresAt() != null && rules.bounded(ttl.expiresAt(), anchor) != ttl.expiresAt();
        if (isOutOfBounds) {
            return refused(Refusal.TTL_OUT_OF_BOUNDS);
        }
        if (request.isDryRun()) {
            return new Answer(null, wouldHide(kept, ttl) ? Outcomes.deleted(1, 0, 0, 1, 0, kept.size, Map.of()) : ONE);
        }
        OwnTtl set = ttl.isAsked() || kept.ttl.isAsked() ? ttl.byCommand() : kept.ttl;
        model.update(new EventUpdate(command.stream(), command.id(), null, null, set, null), now, now);
        return new Answer(null, ONE);
    }

    private boolean wouldHide(Kept kept, OwnTtl ttl) {
        OwnTtl before = kept.ttl;
        kept.ttl = ttl;
        boolean isHidden = model.isHidden(kept, now);
        kept.ttl = before;
        return isHidden;
    }

    private boolean isHeld(RetentionModelStream stream) {
        return model.policies().isHeld(stream.name);
    }

    private boolean isTooMany(long events) {
        return request.maxDeletes() != null && events > request.maxDeletes();
    }

    private void remove(RetentionModelStream stream, Kept kept, String cause) {
        model.remove(stream, kept, cause, request.commandId());
    }
}
