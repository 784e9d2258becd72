package dev.ebb.simulation;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.Errand;
import dev.ebb.domain.event.Execution;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.domain.undo.UndoFilter;
import dev.ebb.model.RetentionModelStream;
import dev.ebb.model.RetentionModelStream.Declared;
import dev.ebb.model.RetentionModelStream.Kept;
import dev.ebb.serde.text.JsonState;
import dev.ebb.simulation.TrashShadow.Gone;
import dev.ebb.topology.trash.TrashKey;
import dev.ebb.topology.wire.EbbHeaders;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * What undos bring back (T-1 to T-3, T-16), by what the model of a partition has seen go, see {@link TrashLaw}.
 *
 * <p>A record is taken out once, by an undo that means it and began while it could be undone, and only while its id is free
 * and no newer delete of the id is meant. The event, or its execution, is back in the model in that instant, at its place in
 * the order of arrival over all lives of the name, and the audit of the step names it. From then on the examiner holds the
 * store to it: rows, events, executions and graves, and in sweeps, caps and reads the notice of the stream. When a
 * partition answers, nothing that was meant may be left whose id was free all the time. Not thread-safe.
 */
final class UndoLaw {

    private final World world;
    private final Task task;
    private final Shadow shadow;
    private final Examiner examiner;
    private final ReturnedLaw returned;

    private final List<String> back = new ArrayList<>();
    private final Map<String, Boolean> lifted = new TreeMap<>();

    /** The keys of the rows of executions that this step has written. */
    private final Set<Bytes> declaredNow = new HashSet<>();

    /** Answer of a partition, as far as it is of interest. */
    private record Answer(
            @Nullable String refusal, @Nullable Outcome outcome) {}

    private record Outcome(long events, Map<String, Long> notReturned) {}

    UndoLaw(World world, Task task, Examiner examiner, ReturnedLaw returned) {
        this.world = world;
        this.task = task;
        this.shadow = task.shadow;
        this.examiner = examiner;
        this.returned = returned;
    }

    /** A step begins. */
    void begin() {
        back.clear();
        returned.begin();
        lifted.clear();
        declaredNow.clear();
    }

    /** The row of an execution is written, or deleted. */
    void sentExecution(Bytes key, boolean isWritten) {
        if (isWritten) {
            declaredNow.add(key);
        }
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

    /** A record of the trash: one without a value takes another out. */
    void sent(Message message) {
        if (message.value() == null) {
            takenOut(TrashKey.decode(message.key()), EbbHeaders.text(message.headers(), EbbHeaders.COMMAND_ID));
        }
    }

    private void takenOut(TrashKey key, @Nullable String undoId) {
        Gone gone = shadow.trash.take(key, world.commands.size());
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
                + task.instance().settings.undoNotice().toMillis();
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
        String namespace = gone.stream().contains("/")
                ? gone.stream().substring(0, gone.stream().indexOf('/'))
                : "default";
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
            if (other.isNewerThan(gone)
                    && other.name().equals(gone.name())
                    && other.sent() <= world.commands.before(undoId)
                    && isMeant(filter, other)) {
                throw new Violation("T-2 the newest of an id comes back", gone + " in place of " + other);
            }
        }
        Coverage.count(stream == null || stream.isGone() ? "back" : "back in a stream that is there");
        bringCarried(gone, stream, filter, undoId, noticeUntilMs);
        Kept copy = kept.copy();
        shadow.model.putBack(copy, noticeUntilMs, examiner.nowMs());
        examiner.changed(copy.stream, copy.id);
        back.add(gone.name());
        if (Objects.requireNonNull(shadow.stream(copy.stream)).declared.containsKey(copy.execution)) {
            examiner.rememberKey(gone.place().stream(), copy.execution);
        } else if (copy.execution > 0) {
            returned.atWork(copy.stream, copy.execution, copy.storedAt);
        }
    }

    /**
     * An execution that is gone comes back with its first event, in the last form that events which are meant, or a later
     * delete of it from the same stream, have left; unless the stream has events of that number again.
     */
    private void bringCarried(
            Gone gone, @Nullable RetentionModelStream stream, UndoFilter filter, String undoId, long noticeUntilMs) {
        long number = Objects.requireNonNull(gone.kept()).execution;
        boolean isUsed = stream != null
                && (stream.declared.containsKey(number)
                        || stream.events.values().stream().anyMatch(kept -> kept.execution == number));
        Bytes row = Bytes.wrap(Instance.rows().executionKey(gone.place().stream(), number));
        if (!isUsed && gone.carried() != null && !declaredNow.contains(row)) {
            throw new Violation("T-2 an event comes back with its execution", gone + " does not");
        }
        // What goes while the undo is under way may be behind its reading.
        Gone form = isUsed || !declaredNow.contains(row) ? null : lastForm(gone, number, filter, undoId, row);
        if (form != null) {
            Coverage.count("execution back with an event");
            Declared declared = formOf(form);
            shadow.model.putBack(gone.stream(), declared, noticeUntilMs, examiner.nowMs());
            examiner.rememberKey(gone.place().stream(), number);
            if (form.openSinceMs() > 0) {
                returned.atWork(gone.stream(), number, form.openSinceMs());
            }
        }
    }

    /**
     * What another undo has taken out meanwhile may be known to this one, which has read it, or not. So may what has gone
     * meanwhile from another life of the name; what has gone from the same life is known.
     */
    private @Nullable Gone lastForm(Gone gone, long number, UndoFilter filter, String undoId, Bytes row) {
        List<Gone> known = new ArrayList<>(shadow.trash.waiting());
        known.add(gone);
        Gone last = lastForm(known, gone, number, filter);
        List<Gone> more = new ArrayList<>(known);
        more.addAll(shadow.trash.outSince(world.commands.before(undoId)));
        List<Gone> less = new ArrayList<>(known);
        less.removeIf(other -> other.sid() != gone.sid() && other.sent() > world.commands.before(undoId));
        for (List<Gone> read : List.of(more, less)) {
            Gone lastRead = lastForm(read, gone, number, filter);
            if (lastRead != last && lastRead != null && isRow(row, gone.place().stream(), formOf(lastRead))) {
                Coverage.count("execution back as another undo found it");
                return lastRead;
            }
        }
        return last;
    }

    private static Declared formOf(Gone gone) {
        return Objects.requireNonNull(gone.declared() == null ? gone.carried() : gone.declared());
    }

    private boolean isRow(Bytes key, StreamName name, Declared form) {
        RetentionModelStream stream = shadow.stream(name.value());
        String parent = stream == null || stream.parent == null ? form.parent : stream.parent;
        Execution execution =
                new Execution(form.number, form.status, form.isTerminal, form.startedAt, form.completedAt);
        byte[] row = Instance.rows().executionRow(name, execution, parent == null ? null : new StreamName(parent));
        return Arrays.equals(row, shadow.executionRows.get(key));
    }

    private static @Nullable Gone lastForm(List<Gone> all, Gone gone, long number, UndoFilter filter) {
        List<Gone> known = all.stream()
                .filter(other -> other.stream().equals(gone.stream()))
                .toList();
        List<Gone> carrying = known.stream()
                .filter(other -> other.carried() != null && other.carried().number == number && isMeant(filter, other))
                .toList();
        Gone last = carrying.stream()
                .reduce((one, other) -> other.isNewerThan(one) ? other : one)
                .orElse(null);
        for (Gone other : known) {
            boolean isLater = last != null
                    && other.declared() != null
                    && other.declared().number == number
                    && other.sid() == last.sid()
                    && other.isNewerThan(last);
            last = isLater ? other : last;
        }
        return last;
    }

    private void bringExecution(Gone gone, Declared declared, long noticeUntilMs) {
        RetentionModelStream stream = shadow.stream(gone.stream());
        if (stream != null && stream.declared.containsKey(declared.number)) {
            throw new Violation("T-2 no execution is overwritten", gone.toString());
        }
        Coverage.count("execution back");
        shadow.model.putBack(gone.stream(), declared, noticeUntilMs, examiner.nowMs());
        examiner.rememberKey(gone.place().stream(), declared.number);
        if (gone.openSinceMs() > 0) {
            returned.atWork(gone.stream(), declared.number, gone.openSinceMs());
        }
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
        Map<String, Long> left = Objects.requireNonNull(answer.outcome()).notReturned();
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
                throw new Violation(
                        "T-2 all that is meant comes back", gone + " does not, by " + request + " " + answer);
            }
        }
    }

    /** The step is over, and has told what it did. */
    void end() {
        if (!back.isEmpty()) {
            throw new Violation("T-2 the audit names what is back", "it does not name " + back);
        }
        if (lifted.containsValue(false)) {
            throw new Violation("O-10 a grave ends exactly", "nothing of " + lifted + " is back");
        }
    }
}
