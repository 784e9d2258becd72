package dev.ebb.simulation;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.Errand;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.domain.undo.Deletion;
import dev.ebb.domain.undo.UndoFilter;
import dev.ebb.model.RetentionModelStream;
import dev.ebb.model.RetentionModelStream.Declared;
import dev.ebb.model.RetentionModelStream.Kept;
import dev.ebb.serde.text.JsonState;
import dev.ebb.simulation.TrashShadow.Gone;
import dev.ebb.store.layout.StoredEventCodec;
import dev.ebb.store.state.Segment;
import dev.ebb.store.state.StreamState;
import dev.ebb.topology.trash.DeletionHeaders;
import dev.ebb.topology.trash.TrashKey;
import dev.ebb.topology.trash.TrashedExecution;
import dev.ebb.topology.wire.EbbHeaders;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What undos owe (T-1 to T-3, T-16), by what the model of a partition has seen go.
 *
 * <p>Into the trash: a record holds an event that went in the same step, as the model had it, and names the command that
 * took it; whatever a command takes has a record. Out of it: a record is taken out once, by an undo that means it and began
 * while it could be undone, and only while its id is free and no newer delete of the id is meant; the event, or its
 * execution, is back in the model in that instant, at its place in the order of arrival over all lives of the name, and
 * the audit of the step names it. From then on the examiner holds the store to it: rows, events, executions and graves, and
 * in sweeps, caps and reads the notice of the stream. When a partition answers, nothing that was meant may be left whose
 * id was free all the time. Not thread-safe.
 */
final class UndoLaw {

    private final World world;
    private final Task task;
    private final Shadow shadow;
    private final Examiner examiner;

    /** By stream and number, the forms in which an execution has gone. */
    private final Map<String, Set<String>> goneExecutions = new HashMap<>();

    private final Map<String, Went> went = new TreeMap<>();
    private final List<Message> trashed = new ArrayList<>();
    private final List<String> back = new ArrayList<>();
    private final List<Since> backAtWork = new ArrayList<>();
    private final Map<String, Boolean> lifted = new TreeMap<>();

    /** An event that goes in this step. */
    private record Went(Kept kept, @Nullable String commandId, long atMs) {}

    /** An execution that is back has been at work for so long. */
    private record Since(String stream, long number, long ms) {}

    /** Answer of a partition, as far as it is of interest. */
    private record Answer(@Nullable String refusal, @Nullable Outcome undo) {}

    private record Outcome(long events, Map<String, Long> notReturned) {}

    UndoLaw(World world, Task task, Examiner examiner) {
        this.world = world;
        this.task = task;
        this.shadow = task.shadow;
        this.examiner = examiner;
    }

    /** A step begins. */
    void begin() {
        went.clear();
        trashed.clear();
        back.clear();
        backAtWork.clear();
        lifted.clear();
    }

    /** An event goes. */
    void went(Kept kept, @Nullable String commandId, long atMs) {
        went.put(identity(kept.stream, kept.id, kept.storedAt), new Went(kept, commandId, atMs));
    }

    /** All executions of a stream go. */
    void went(RetentionModelStream stream) {
        stream.declared.values().forEach(declared -> went(stream.name, declared));
    }

    /** An execution goes. */
    void went(String stream, Declared declared) {
        goneExecutions
                .computeIfAbsent(TrashShadow.nameOf(stream, declared.number), name -> new HashSet<>())
                .add(form(declared.status, declared.startedAt, declared.completedAt));
    }

    private static String form(@Nullable String status, @Nullable Long startedAt, @Nullable Long completedAt) {
        return status + ", " + startedAt + ", " + completedAt;
    }

    private static String identity(String stream, String id, long storedAt) {
        return TrashShadow.nameOf(stream, id) + "|" + storedAt;
    }

    /** An id is used in a stream. */
    void uses(String stream, String id) {
        shadow.trash.use(TrashShadow.nameOf(stream, id));
    }

    /** An execution is declared in a stream. */
    void uses(String stream, long execution) {
        shadow.trash.use(TrashShadow.nameOf(stream, execution));
    }

    /** A grave is taken away before its end: something of its stream must come back in this step. */
    void lifts(String name, long deletedMs) {
        lifted.put(name, false);
        for (Gone gone : shadow.trash.waiting()) {
            if (gone.stream().equals(name) && shadow.model.isGraveOf(name, gone.commandId())) {
                return;
            }
        }
        throw new Violation("O-10 a grave ends exactly", name + " of " + deletedMs + " is forgotten");
    }

    /** A record goes to the trash. */
    void sent(Message message) {
        if (message.value() != null) {
            trashed.add(message);
        } else {
            takenOut(TrashKey.decode(message.key()), EbbHeaders.text(message.headers(), EbbHeaders.COMMAND_ID));
        }
    }

    private void takenOut(TrashKey key, @Nullable String undoId) {
        Gone gone = shadow.trash.take(key);
        CommandRequest request = undoId == null ? null : world.commands.get(undoId);
        if (request == null || request.isDryRun() || !(request.command() instanceof Command.UndoDeletes undo)) {
            throw new Violation("T-2 only an undo brings back", key + " by " + request);
        }
        if (gone == null) {
            throw new Violation("T-2 nothing comes back twice", key + " by " + request);
        }
        if (!isMeant(undo.filter(), gone)) {
            throw new Violation("T-2 what is meant comes back", gone + " by " + request);
        }
        if (gone.untilMs() <= pointMs(undoId)) {
            throw new Violation("T-1 what is final stays away", gone + " by " + request);
        }
        examiner.touch(gone.stream());
        lifted.computeIfPresent(gone.stream(), (name, was) -> true);
        shadow.model.lift(gone.stream(), gone.commandId());
        if (shadow.stream(gone.stream()) == null) {
            examiner.storeAbove(gone.stream());
        }
        long noticeUntilMs = Math.max(examiner.nowMs(), pointMs(undoId))
                + world.settings.undoNotice().toMillis();
        if (gone.kept() == null) {
            bringExecution(gone, Objects.requireNonNull(gone.declared()), noticeUntilMs);
        } else {
            bring(gone, gone.kept(), undo.filter(), undoId, noticeUntilMs);
        }
    }

    /** The last time at which the undo was led to the partitions. */
    private long pointMs(String undoId) {
        Set<Long> points = world.commands.points(undoId);
        return points.isEmpty() ? Long.MIN_VALUE : ((TreeSet<Long>) points).last();
    }

    private static boolean isMeant(UndoFilter filter, Gone gone) {
        String namespace = gone.stream().contains("/") ? gone.stream().substring(0, gone.stream().indexOf('/')) : "default";
        return (filter.command() == null || filter.command().equals(gone.commandId()))
                && (filter.stream() == null || filter.stream().value().equals(gone.stream()))
                && (filter.namespace() == null || filter.namespace().equals(namespace))
                && (filter.sinceMs() == null || gone.deletedAtMs() >= filter.sinceMs())
                && (filter.untilMs() == null || gone.deletedAtMs() < filter.untilMs());
    }

    private void bring(Gone gone, Kept kept, UndoFilter filter, String undoId, long noticeUntilMs) {
        RetentionModelStream stream = shadow.stream(gone.stream());
        if (stream != null && stream.events.containsKey(kept.id)) {
            throw new Violation("T-2 nothing newer is overwritten", gone + " by " + undoId);
        }
        for (Gone other : shadow.trash.waiting()) {
            if (other.at() > gone.at()
                    && other.name().equals(gone.name())
                    && other.sent() <= world.commands.before(undoId)
                    && isMeant(filter, other)) {
                throw new Violation("T-2 the newest of an id comes back", gone + " in place of " + other);
            }
        }
        Coverage.count(stream == null || stream.isGone() ? "back" : "back in a stream that is there");
        Kept copy = kept.copy();
        shadow.model.putBack(copy, noticeUntilMs, examiner.nowMs());
        examiner.changed(copy.stream, copy.id);
        back.add(gone.name());
        if (copy.execution > 0) {
            backAtWork.add(new Since(copy.stream, copy.execution, copy.storedAt));
        }
        if (Objects.requireNonNull(shadow.stream(copy.stream)).declared.containsKey(copy.execution)) {
            examiner.rememberKey(gone.place().stream(), copy.execution);
        }
    }

    private void bringExecution(Gone gone, Declared declared, long noticeUntilMs) {
        RetentionModelStream stream = shadow.stream(gone.stream());
        if (stream != null && stream.declared.containsKey(declared.number)) {
            throw new Violation("T-2 no execution is overwritten", gone.toString());
        }
        Coverage.count("execution back");
        shadow.model.putBack(gone.stream(), declared, noticeUntilMs, examiner.nowMs());
        examiner.rememberKey(gone.place().stream(), declared.number);
        backAtWork.add(new Since(gone.stream(), declared.number, gone.openSinceMs()));
    }

    /** An audit record tells what is back. */
    void restored(AuditRecord audit) {
        for (String id : audit.eventIds()) {
            if (!back.remove(TrashShadow.nameOf(Objects.requireNonNull(audit.stream()), id))) {
                throw new Violation("T-2 the audit names what is back", audit + " names " + id + ", which is not");
            }
        }
    }

    /** A partition answers an undo: all that was meant and could come back is back. */
    void sent(Object said) {
        if (!(said instanceof Errand errand) || errand.step() != Errand.Step.SWEPT) {
            return;
        }
        CommandRequest request = world.commands.get(errand.commandId());
        if (request == null || request.isDryRun() || !(request.command() instanceof Command.UndoDeletes undo)) {
            return;
        }
        Answer answer = JsonState.read(errand.body(), Answer.class);
        if (answer.refusal() != null) {
            return;
        }
        Map<String, Long> left = Objects.requireNonNull(answer.undo()).notReturned();
        if (left.containsKey("MISSING") || left.containsKey("FORGED")) {
            throw new Violation("T-16 the trash has what it promises", request + " answers " + answer);
        }
        for (Gone gone : shadow.trash.waiting()) {
            RetentionModelStream stream = shadow.stream(gone.stream());
            boolean isThere = stream != null
                    && (gone.kept() == null
                            ? stream.declared.containsKey(Objects.requireNonNull(gone.declared()).number)
                            : stream.events.containsKey(gone.kept().id));
            if (gone.sent() <= world.commands.before(request.commandId())
                    && isMeant(undo.filter(), gone)
                    && gone.untilMs() > pointMs(request.commandId())
                    && !isThere
                    && !shadow.trash.isUsedSince(gone.name(), gone.at())) {
                throw new Violation("T-2 all that is meant comes back", gone + " does not, by " + request + " " + answer);
            }
        }
    }

    /** The step is over, and has told what it did. */
    void end() {
        trashed.forEach(this::keep);
        trashed.clear();
        went.values().stream().filter(this::isByCommand).forEach(gone -> {
            throw new Violation(
                    "T-1 what a command deletes can be undone",
                    gone.kept().stream + "|" + gone.kept().id + " by " + gone.commandId() + " is not in the trash");
        });
        if (!back.isEmpty()) {
            throw new Violation("T-2 the audit names what is back", "it does not name " + back);
        }
        if (lifted.containsValue(false)) {
            throw new Violation("O-10 a grave ends exactly", "nothing of " + lifted + " is back");
        }
    }

    /** A sweep that somebody asks for deletes by the policies: what its producer has ended is final. */
    private boolean isByCommand(Went gone) {
        CommandRequest request = gone.commandId() == null ? null : world.commands.get(gone.commandId());
        return request != null && !(request.command() instanceof Command.SweepNow);
    }

    private void keep(Message message) {
        TrashKey key = TrashKey.decode(message.key());
        Deletion deletion = DeletionHeaders.read(message.headers());
        byte[] value = Objects.requireNonNull(message.value());
        if (key.kind() == TrashKey.Kind.EXECUTION) {
            keepExecution(key, deletion, TrashedExecution.decode(key.number(), value));
            return;
        }
        Went gone = went.remove(identity(key.stream().value(), key.id(), key.number()));
        if (gone == null) {
            throw new Violation("T-5 the trash holds what goes", key + ", which does not go");
        }
        StoredEvent stored = StoredEventCodec.decode(key.stream(), value);
        String difference = Rows.difference(stored, gone.kept());
        if (difference != null) {
            throw new Violation("T-2 the trash holds it byte for byte", key + " " + difference);
        }
        String commandId = gone.commandId() == null ? "" : gone.commandId();
        if (!commandId.equals(deletion.commandId()) || deletion.deletedAtMs() != gone.atMs()) {
            throw new Violation("T-16 the trash names the delete", key + " by " + deletion + ", it was " + gone);
        }
        add(key, gone.kept(), null, 0, deletion);
    }

    private void keepExecution(TrashKey key, Deletion deletion, TrashedExecution kept) {
        String stream = key.stream().value();
        String form = form(
                kept.execution().status(),
                kept.execution().startedAt(),
                kept.execution().completedAt());
        Set<String> known = goneExecutions.getOrDefault(TrashShadow.nameOf(stream, key.number()), Set.of());
        if (!known.contains(form)) {
            throw new Violation("T-5 the trash holds what goes", key + " as " + form + ", went as " + known);
        }
        Declared declared = new Declared();
        declared.number = key.number();
        declared.status = Objects.requireNonNull(kept.execution().status());
        declared.startedAt = kept.execution().startedAt();
        declared.completedAt = kept.execution().completedAt();
        StreamName parent = kept.parent();
        declared.parent = parent == null ? null : parent.value();
        add(key, null, declared, kept.openSinceMs(), deletion);
    }

    private void add(
            TrashKey key, @Nullable Kept kept, @Nullable Declared declared, long openSinceMs, Deletion deletion) {
        shadow.trash.add(new Gone(
                key,
                kept,
                declared,
                openSinceMs,
                deletion.commandId(),
                deletion.deletedAtMs(),
                deletion.untilMs(),
                world.commands.size(),
                shadow.trash.tick()));
    }

    /** Holds a stream against the model in what an undo changes. */
    void compare(StreamState state, RetentionModelStream stream, List<StoredEvent> events) {
        if (state.noticeUntilMs() != stream.noticeUntil) {
            throw new Violation(
                    "T-3 under notice",
                    stream.name + " until " + (state.noticeUntilMs() - World.T0) + ", must be until "
                            + (stream.noticeUntil - World.T0));
        }
        if (stream.noticeUntil >= 0) {
            compareOrder(stream, events);
        }
        for (Since since : backAtWork) {
            Segment segment = since.stream().equals(stream.name) ? state.segment(since.number()) : null;
            if (segment != null
                    && !segment.execution().isTerminal()
                    && since.ms() > 0
                    && !(segment.execution().isDeclared() && isOfEvent(since, stream))
                    && segment.openSinceMs() > since.ms()) {
                throw new Violation(
                        "T-16 at work since", since + " is back, and at work since " + segment.openSinceMs());
            }
        }
    }

    private static boolean isOfEvent(Since since, RetentionModelStream stream) {
        return stream.events.values().stream()
                .anyMatch(kept -> kept.execution == since.number() && kept.storedAt == since.ms());
    }

    /** What is back has its place in the order of arrival, whichever life of the name it is of. */
    private static void compareOrder(RetentionModelStream stream, List<StoredEvent> events) {
        List<String> found = events.stream()
                .sorted(Comparator.comparingLong(StoredEvent::seq))
                .map(stored -> stored.event().id().value())
                .toList();
        List<String> expected = stream.events.values().stream()
                .sorted(Comparator.comparingLong(kept -> kept.seq))
                .map(kept -> kept.id)
                .toList();
        if (!found.equals(expected)) {
            throw new Violation("T-2 in the order of arrival", stream.name + " has " + found + ", must " + expected);
        }
    }

    /** The result of an undo says how many events the audit names as back. */
    static void checkResults(World world) {
        Map<String, Long> restored = new HashMap<>();
        for (Message message : world.broker.log(world.topics.audit(), 0)) {
            if (world.codec.object(message.value()) instanceof AuditRecord audit
                    && audit.action().equals(AuditRecord.RESTORE)) {
                restored.merge(audit.commandId(), (long) audit.eventIds().size(), Long::sum);
            }
        }
        for (int partition = 0; partition < world.topics.partitions(); partition++) {
            for (Message message : world.broker.log(world.topics.results(), partition)) {
                CommandResult result = (CommandResult) world.codec.object(message.value());
                CommandRequest request = world.commands.get(result.commandId());
                boolean isUndo = request != null && request.command() instanceof Command.UndoDeletes;
                long found = restored.getOrDefault(result.commandId(), 0L);
                if (isUndo
                        && result.state() == CommandResult.State.DONE
                        && result.undo() != null
                        && (request.isDryRun() ? found != 0 : result.undo().events() != found)) {
                    throw new Violation("T-2 the result counts what is back", result + ", the audit says " + found);
                }
            }
        }
    }
}
