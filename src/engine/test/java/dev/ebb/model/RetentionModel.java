package dev.ebb.model;

import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.EventUpdate;
import dev.ebb.domain.event.ExecutionUpdate;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.model.RetentionModelStream.Declared;
import dev.ebb.model.RetentionModelStream.Kept;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.function.Predicate;

/**
 * The retention model played in the simplest way that can be thought of: maps, full scans and no index. It shares the
 * values of the domain with the product, but none of its decisions.
 */
public final class RetentionModel {

    /** Cause of the removal of a due event whose place a newer one has taken (M-1). */
    public static final String REPLACED = "replaced";

    /**
     * An event that has gone.
     *
     * @param cause cause of the delete
     * @param scope scope whose rule deleted
     * @param origin the sweep or command that took it
     * @param isArchived true if a copy must be in the archive
     */
    public record Removal(Kept event, String cause, String scope, String origin, boolean isArchived) {}

    /** The age in milliseconds beyond which the end of an execution comes late. */
    private static final long ON_TIME_MS = 60_000;

    private final Map<String, RetentionModelStream> streams = new TreeMap<>();
    private final Map<String, Long> graves = new TreeMap<>();
    private RetentionModelGraves besideGraves = new RetentionModelGraves();
    private long arrivals;
    private long graveRetentionMs = 24L * 60 * 60 * 1000;
    private RetentionModelPolicies policies = new RetentionModelPolicies();
    private Set<String> terminal = Set.of("completed", "failed", "cancelled", "read");
    public final List<Removal> removals = new ArrayList<>();
    public long orphaned;
    public long late;
    public long held;
    public long replacedDue;

    public Map<String, RetentionModelStream> streams() {
        return streams;
    }

    public RetentionModelPolicies policies() {
        return policies;
    }

    public void policies(RetentionModelPolicies inForce) {
        policies = inForce;
    }

    /** Time for which a deleted stream is remembered; 0: not at all. */
    public void graveRetention(long ms) {
        graveRetentionMs = ms;
    }

    /** When commands have deleted streams, by name; a live view, with what has ended (O-10). */
    public Map<String, Long> graves() {
        return graves;
    }

    /** A command deletes the stream: what was produced before comes too late from now on. */
    public void delete(String stream, long now) {
        delete(stream, streams.get(stream).openExecutions(), now);
    }

    /** A command deletes the stream, which only an undo of it brings back. */
    public void delete(String stream, String command, long now) {
        delete(stream, now);
        besideGraves.deletedBy(stream, command);
    }

    /** @param open the executions that were not terminal */
    void delete(String stream, Set<Long> open, long now) {
        streams.remove(stream);
        if (graveRetentionMs > 0) {
            besideGraves.delete(stream, open, bars(stream, now), now);
            graves.merge(stream, now, Math::max);
        }
    }

    /** What lies beside the graves, to be gone back to. */
    public Runnable besideGraves() {
        RetentionModelGraves copy = besideGraves.copy();
        return () -> besideGraves = copy.copy();
    }

    /** The grave of the stream has ended, and with it all that waited beside it. */
    public void forgetGrave(String stream) {
        graves.remove(stream);
        besideGraves.forget(stream);
    }

    /** The executions of which ends wait, by stream, beside graves that stand. */
    public Map<String, Set<Long>> waitingEnds(long now) {
        Map<String, Set<Long>> waiting = new TreeMap<>();
        for (String stream : graves.keySet()) {
            Set<Long> ends = besideGraves.waitingOf(stream);
            if (stands(stream, now) && !ends.isEmpty()) {
                waiting.put(stream, ends);
            }
        }
        return waiting;
    }

    public boolean stands(String stream, long now) {
        Long deletedAt = graves.get(stream);
        return deletedAt != null && now <= deletedAt + graveRetentionMs;
    }

    /** Returns true if the delete still counts: its grave stands, and no undo has brought the stream back. */
    private boolean bars(String stream, long now) {
        return stands(stream, now) && !besideGraves.isLifted(stream);
    }

    /** Returns true if a record of that stream was produced before a command deleted it (O-10). */
    public boolean isLate(String stream, long timestamp, long now) {
        return bars(stream, now) && timestamp < graves.get(stream);
    }

    private boolean isEnd(ExecutionUpdate update) {
        return update.status() != null && RetentionModelStream.isDone(update.execution(), update.status(), terminal);
    }

    /** Returns true if the update may end what a worker was at when its stream was deleted (O-10). */
    private boolean isDoubtful(ExecutionUpdate update, long now) {
        String name = update.stream().value();
        return isEnd(update)
                && bars(name, now)
                && (update.startedAt() == null || update.startedAt() < graves.get(name));
    }

    /** Returns true if the update is an end that waits for the events of its execution (O-10). */
    public boolean waits(ExecutionUpdate update, long now) {
        RetentionModelStream stream = streams.get(update.stream().value());
        return isDoubtful(update, now)
                && (stream == null || !stream.executions().contains(update.execution()));
    }

    /** Returns true if the update would end an execution that the present stream has started (O-10). */
    public boolean isZombie(ExecutionUpdate update, long now) {
        String name = update.stream().value();
        return isDoubtful(update, now)
                && !waits(update, now)
                && besideGraves.mayBeAtWork(name, update.execution())
                && !RetentionModelGraves.mayEnd(streams.get(name).declared.get(update.execution()), update.startedAt());
    }

    public void policy(RetentionPolicy policy) {
        policies.put(policy.scope().toString(), policy);
    }

    /** From that time on other statuses are terminal: what becomes so is completed then (M-3). */
    public void terminal(Set<String> statuses, long now) {
        terminal = statuses;
        for (RetentionModelStream stream : streams.values()) {
            for (Kept kept : stream.events.values()) {
                kept.isPinned = isPinned(kept.status);
                kept.completedAt =
                        kept.isPinned ? null : kept.completedAt == null ? Long.valueOf(now) : kept.completedAt;
            }
            for (Declared execution : stream.declared.values()) {
                boolean isDone = RetentionModelStream.isDone(execution.number, execution.status, terminal);
                if (isDone != execution.isTerminal) {
                    execution.isTerminal = isDone;
                    execution.completedAt = isDone ? now : null;
                    execution.awaitsUntil = isDone ? execution.awaitsUntil : 0;
                    execution.parent = stream.parent;
                }
            }
        }
    }

    private boolean isPinned(String status) {
        return RetentionModelStream.isPinned(status, terminal);
    }

    public void event(Event event, long timestamp, long now) {
        String name = event.stream().value();
        if (isLate(name, timestamp, now)) {
            late++;
            if (event.execution() > 0) {
                besideGraves.late(name, event.execution(), false);
            }
            return;
        }
        RetentionModelStream stream = streams.get(name);
        Kept old = stream == null ? null : stream.events.get(event.id().value());
        boolean isReplaced = old != null && isHidden(old, now);
        if (old != null && !isReplaced && policies.isHeld(name)) {
            held++;
            return;
        }
        if (isReplaced) {
            replacedDue++;
            remove(stream, old, old.hasOwnTtl() ? "TTL" : "MAX_AGE", REPLACED);
            old = null;
        }
        stream = streams.computeIfAbsent(name, RetentionModelStream::new);
        Kept kept = arrived(event, timestamp, old);
        if (old == null) {
            kept.storedAt = Math.max(now, stream.lastStored);
            // What comes back from a former life of the name has its own place in the order of arrival (T-2).
            stream.nextSeq = Math.max(stream.nextSeq, arrivals);
            kept.seq = stream.nextSeq++;
            arrivals = stream.nextSeq;
            stream.lastStored = kept.storedAt;
        } else {
            kept.storedAt = old.storedAt;
            kept.seq = old.seq;
        }
        stream.events.put(kept.id, kept);
        endWaiting(stream, kept.execution, now);
    }

    private Kept arrived(Event event, long timestamp, Kept old) {
        Kept kept = new Kept();
        kept.id = event.id().value();
        kept.stream = event.stream().value();
        kept.type = event.type();
        kept.status = orNull(event.status());
        kept.isPinned = isPinned(kept.status);
        kept.execution = event.execution();
        kept.occurredAt = event.occurredAt() == null ? timestamp : event.occurredAt();
        kept.ttl = event.ttl();
        kept.metadata = event.metadata();
        kept.payload = event.payload();
        kept.size = event.sizeBytes();
        if (!kept.isPinned) {
            boolean wasTerminal = old != null && !old.isPinned;
            kept.completedAt = event.completedAt() != null
                    ? event.completedAt()
                    : wasTerminal ? old.completedAt : Long.valueOf(timestamp);
        }
        return kept;
    }

    public void update(EventUpdate update, long timestamp, long now) {
        RetentionModelStream stream = streams.get(update.stream().value());
        Kept kept = stream == null ? null : stream.events.get(update.id().value());
        boolean isLate = isLate(update.stream().value(), timestamp, now);
        late += isLate ? 1 : 0;
        if (isLate || kept == null || isHidden(kept, now)) {
            orphaned++;
            return;
        }
        boolean wasPinned = kept.isPinned;
        long before = length(kept.status) + bytes(kept.metadata);
        kept.status = update.status() == null ? kept.status : orNull(update.status());
        kept.isPinned = isPinned(kept.status);
        kept.ttl = update.ttl() == null ? kept.ttl : update.ttl();
        kept.metadata = update.metadata() == null ? kept.metadata : update.metadata();
        kept.size += length(kept.status) + bytes(kept.metadata) - before;
        if (kept.isPinned) {
            kept.completedAt = null;
        } else if (update.completedAt() != null) {
            kept.completedAt = update.completedAt();
        } else if (wasPinned) {
            kept.completedAt = timestamp;
        }
    }

    /** Declares an execution, or changes one (M-5). */
    public void execution(ExecutionUpdate update, long timestamp, long now) {
        String name = update.stream().value();
        if (isLate(name, timestamp, now)) {
            late++;
            besideGraves.late(name, update.execution(), isEnd(update));
        } else if (isZombie(update, now)) {
            late++;
        } else if (waits(update, now)) {
            besideGraves.await(update, timestamp);
        } else {
            RetentionModelStream stream = streams.computeIfAbsent(name, RetentionModelStream::new);
            String parent = update.parent() == null ? null : update.parent().value();
            declare(stream, update.execution(), update.status(), update.startedAt(), update.completedAt(), timestamp);
            awaitEvents(stream, update.execution(), now);
            setParent(stream, update.execution(), parent);
            if (parent != null) {
                besideGraves.namesParent(name);
            }
            if (isEnd(update) || !endWaiting(stream, update.execution(), now)) {
                late += besideGraves.take(name, update.execution()) == null ? 0 : 1;
            }
        }
    }

    private void declare(
            RetentionModelStream stream, long number, String status, Long startedAt, Long completedAt, long timestamp) {
        Declared execution = stream.declared.computeIfAbsent(number, any -> new Declared());
        execution.number = number;
        execution.status = status == null ? execution.status : status;
        execution.isTerminal = RetentionModelStream.isDone(number, execution.status, terminal);
        execution.startedAt = startedAt == null ? execution.startedAt : startedAt;
        if (!execution.isTerminal) {
            execution.completedAt = null;
        } else if (completedAt != null) {
            execution.completedAt = completedAt;
        } else if (execution.completedAt == null) {
            execution.completedAt = timestamp;
        }
    }

    /** An end that comes ahead of events, or late, stays as long as a grave does (M-5, O-10). */
    private void awaitEvents(RetentionModelStream stream, long number, long now) {
        Declared execution = stream.declared.get(number);
        RetentionModelRules rules = policies.rules(stream.name);
        boolean isAwaited = execution.awaitsUntil >= now;
        execution.awaitsUntil = 0;
        if (number > 0 && execution.isTerminal && graveRetentionMs > 0) {
            boolean isAhead = stream.events.values().stream().noneMatch(kept -> kept.execution == number);
            boolean isLate = now - execution.completedAt > ON_TIME_MS || rules.isTooOld(execution.completedAt, now);
            boolean goesMeanwhile = rules.isTooOld(execution.completedAt, now + graveRetentionMs);
            boolean mustWait = (isAhead || isLate || isAwaited) && goesMeanwhile;
            execution.awaitsUntil = mustWait ? now + graveRetentionMs : 0;
        }
    }

    private static void setParent(RetentionModelStream stream, long number, String parent) {
        stream.parent = parent == null ? stream.parent : parent;
        stream.declared.get(number).parent = stream.parent;
    }

    /** Returns true if the grave of the stream is that of a delete by this command. */
    public boolean isGraveOf(String stream, String command) {
        return graves.containsKey(stream) && besideGraves.isOf(stream, command);
    }

    /** An undo of this command brings something of the stream back; ends that wait go on waiting (T-16). */
    public void lift(String stream, String command) {
        if (!isGraveOf(stream, command) || besideGraves.isLifted(stream)) {
            return;
        }
        if (besideGraves.waitingOf(stream).isEmpty()) {
            forgetGrave(stream);
        } else {
            besideGraves.lift(stream);
        }
    }

    /** An undo puts an event back as it was, under a notice that covers its stream (T-2, T-3). */
    public void putBack(Kept kept, long noticeUntil, long now) {
        RetentionModelStream stream = streams.computeIfAbsent(kept.stream, RetentionModelStream::new);
        stream.events.put(kept.id, kept);
        stream.nextSeq = Math.max(stream.nextSeq, arrivals);
        stream.storesFrom(kept.storedAt);
        stream.noticeUntil = Math.max(stream.noticeUntil, noticeUntil);
        endWaiting(stream, kept.execution, now);
    }

    /** An undo declares an execution again as it was. */
    public void putBack(String name, Declared deleted, long noticeUntil, long now) {
        RetentionModelStream stream = streams.computeIfAbsent(name, RetentionModelStream::new);
        String parent = stream.parent == null ? deleted.parent : null;
        declare(stream, deleted.number, deleted.status, deleted.startedAt, deleted.completedAt, now);
        setParent(stream, deleted.number, parent);
        stream.noticeUntil = Math.max(stream.noticeUntil, noticeUntil);
        endWaiting(
                stream,
                deleted.number,
                now,
                end -> end.startedAt() == null
                        || deleted.startedAt == null
                        || deleted.startedAt.equals(end.startedAt()));
    }

    /** The end that waits for this execution takes effect if it may be the end of it. */
    private boolean endWaiting(RetentionModelStream stream, long number, long now) {
        return endWaiting(
                stream, number, now, end -> RetentionModelGraves.mayEnd(stream.declared.get(number), end.startedAt()));
    }

    private boolean endWaiting(
            RetentionModelStream stream, long number, long now, Predicate<RetentionModelGraves.End> isMeant) {
        RetentionModelGraves.End end = stands(stream.name, now) ? besideGraves.waiting(stream.name, number) : null;
        if (end == null || !isMeant.test(end)) {
            return false;
        }
        besideGraves.take(stream.name, number);
        declare(stream, number, end.status(), end.startedAt(), end.completedAt(), end.timestamp());
        awaitEvents(stream, number, now);
        setParent(stream, number, besideGraves.setsParent(stream.name, end) ? end.parent() : null);
        return true;
    }

    /** Removes what must go at that time; returns the ids by cause, each as {@code stream|id}. */
    public Map<String, List<String>> sweep(long now) {
        return sweep(now, stream -> true, "");
    }

    /** Sweeps some of the streams, under that sweep id. Where the policy only warns nothing goes. */
    public Map<String, List<String>> sweep(long now, Predicate<RetentionModelStream> streamsOfIt, String sweepId) {
        Map<String, List<String>> removed = new TreeMap<>();
        for (RetentionModelStream stream : List.copyOf(streams.values())) {
            if (streamsOfIt.test(stream) && policies.rules(stream.name).isEnforced()) {
                RetentionModelSweep sweep = RetentionModelSweep.of(stream, policies, now);
                for (RetentionModelSweep.Gone gone : sweep.gone()) {
                    removed.computeIfAbsent(gone.cause(), key -> new ArrayList<>())
                            .add(stream.name + "|" + gone.event().id);
                    remove(stream, gone.event(), gone.cause(), sweepId);
                }
                sweep.executionsGone().forEach(stream.declared::remove);
                forgetIfGone(stream);
            }
        }
        return removed;
    }

    /**
     * A sweep that ended before it was done, or took late events along, has taken those events and executions alone.
     *
     * @param taken the events, as stream and id
     * @param isGone tests whether an execution of a stream has gone
     * @return the events that it had to leave, although it has taken them
     */
    public Set<String> sweepPart(long now, String sweepId, Set<String> taken, BiPredicate<String, Long> isGone) {
        Set<String> wrong = new TreeSet<>(taken);
        for (RetentionModelStream stream : List.copyOf(streams.values())) {
            if (policies.rules(stream.name).isEnforced()) {
                RetentionModelSweep sweep = RetentionModelSweep.of(stream, policies, now);
                for (RetentionModelSweep.Gone gone : sweep.gone()) {
                    if (wrong.remove(stream.name + "|" + gone.event().id)) {
                        remove(stream, gone.event(), gone.cause(), sweepId);
                    }
                }
                sweep.executionsGone().stream()
                        .filter(number -> isGone.test(stream.name, number))
                        .forEach(stream.declared::remove);
                forgetIfGone(stream);
            }
        }
        return wrong;
    }

    /** Events and bytes that would go from some of the streams at that time, by stream and cause; nothing does. */
    public Map<String, String> forecast(
            RetentionModelPolicies planned, Predicate<RetentionModelStream> streamsOfIt, long now) {
        Map<String, String> texts = new TreeMap<>();
        sums(planned, streamsOfIt, true, now)
                .forEach((key, sum) -> texts.put(key, sum[0] + " events, " + sum[1] + " bytes"));
        return texts;
    }

    /** Events and bytes of which sweeps only warn, by stream and cause. */
    public Map<String, long[]> warnedOf(Predicate<RetentionModelStream> streamsOfIt, long now) {
        return sums(policies, streamsOfIt, false, now);
    }

    private Map<String, long[]> sums(
            RetentionModelPolicies planned, Predicate<RetentionModelStream> streamsOfIt, boolean isEnforced, long now) {
        Map<String, long[]> sums = new TreeMap<>();
        for (RetentionModelStream stream : streams.values()) {
            if (streamsOfIt.test(stream) && planned.rules(stream.name).isEnforced() == isEnforced) {
                for (RetentionModelSweep.Gone gone :
                        RetentionModelSweep.of(stream, planned, now).gone()) {
                    long[] sum = sums.computeIfAbsent(stream.name + " " + gone.cause(), key -> new long[2]);
                    sum[0]++;
                    sum[1] += gone.event().size;
                }
            }
        }
        return sums;
    }

    /** Removes one event by the rule that says so. */
    void remove(RetentionModelStream stream, Kept kept, String cause, String origin) {
        RetentionModelRules rules = policies.rules(stream.name);
        String scope =
                switch (cause) {
                    case "TTL" -> "event";
                    case "MAX_AGE" -> rules.ageScope();
                    case "MAX_COUNT" -> rules.countScope();
                    case "MAX_BYTES" -> rules.bytesScope();
                    default -> "command";
                };
        stream.events.remove(kept.id);
        removals.add(new Removal(kept, cause, scope, origin, rules.isArchived()));
    }

    void forgetIfGone(RetentionModelStream stream) {
        if (stream.isGone()) {
            streams.remove(stream.name);
        }
    }

    /** When the events that will fall due after that time do so. */
    public List<Long> dueAfter(long time) {
        List<Long> dues = new ArrayList<>();
        for (RetentionModelStream stream : streams.values()) {
            RetentionModelRules rules = policies.rules(stream.name);
            stream.events.values().stream()
                    .filter(kept -> !stream.isProtected(kept))
                    .map(kept -> RetentionModelSweep.due(stream, kept, rules))
                    .filter(due -> due > time && due != RetentionModelRules.FOREVER)
                    .forEach(dues::add);
        }
        dues.sort(null);
        return dues;
    }

    /** When events and executions were completed. */
    public List<Long> completions() {
        List<Long> times = new ArrayList<>();
        for (RetentionModelStream stream : streams.values()) {
            stream.events.values().stream()
                    .filter(kept -> kept.completedAt != null)
                    .forEach(kept -> times.add(kept.completedAt));
            stream.declared.values().stream()
                    .filter(execution -> execution.completedAt != null)
                    .forEach(execution -> times.add(execution.completedAt));
        }
        return times;
    }

    /** Returns true if age or its own TTL has passed; guards and holds may still keep it. */
    public boolean isDue(Kept kept, long now) {
        return !isProtected(kept) && now > RetentionModelSweep.due(streamOf(kept), kept, policies.rules(kept.stream));
    }

    /** Returns true if readers do not see it any more. */
    public boolean isHidden(Kept kept, long now) {
        return RetentionModelSweep.isHidden(streamOf(kept), kept, policies, now);
    }

    public boolean isProtected(Kept kept) {
        return isPinned(kept.status) || !streamOf(kept).isTerminal(kept.execution);
    }

    public boolean isInfinite(Kept kept) {
        return !isProtected(kept) && RetentionModelSweep.isInfinite(kept, policies.rules(kept.stream));
    }

    private RetentionModelStream streamOf(Kept kept) {
        return streams.getOrDefault(kept.stream, new RetentionModelStream(kept.stream));
    }

    private static String orNull(String status) {
        return status == null || status.isEmpty() ? null : status;
    }

    private static long length(String text) {
        return text == null ? 0 : text.length();
    }

    private static long bytes(Map<String, String> metadata) {
        return metadata.entrySet().stream()
                .mapToLong(entry -> entry.getKey().length() + entry.getValue().length())
                .sum();
    }
}
