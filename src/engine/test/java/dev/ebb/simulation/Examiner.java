package dev.ebb.simulation;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.Errand;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.EventUpdate;
import dev.ebb.domain.event.Execution;
import dev.ebb.domain.event.ExecutionUpdate;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.retention.ArchivedEvent;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.model.RetentionModel.Removal;
import dev.ebb.model.RetentionModelCommands;
import dev.ebb.model.RetentionModelRules;
import dev.ebb.model.RetentionModelStream;
import dev.ebb.model.RetentionModelStream.Declared;
import dev.ebb.model.RetentionModelStream.Kept;
import dev.ebb.model.RetentionModelSweep;
import dev.ebb.serde.text.JsonState;
import dev.ebb.simulation.Task.Write;
import dev.ebb.store.EventStore;
import dev.ebb.store.StoreCheck;
import dev.ebb.store.StoreProbe;
import dev.ebb.store.layout.Retired;
import dev.ebb.store.layout.StoreNames;
import dev.ebb.store.state.HeapProbe;
import dev.ebb.store.state.StreamState;
import dev.ebb.topology.wire.ErrandBodies.CarryOut;
import dev.ebb.topology.wire.StreamPartition;
import dev.ebb.topology.wire.Topics;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Looks at what one step of a partition has written and sent: plays it to the model, asks the judge about each delete, and
 * holds the streams that were touched against the model.
 */
final class Examiner {

    private static final String SHARE = "streams/";

    private final World world;
    private final Topics topics;
    private final Task task;
    private final Shadow shadow;
    private final Judge judge;
    private final TrashLaw trash;
    private final UndoLaw undo;
    private final ReturnedLaw returned = new ReturnedLaw();
    private final FiguresLaw figures;
    private final Map<Integer, String> names = new HashMap<>();
    private final Map<Bytes, Declared> executionKeys = new HashMap<>();

    private final Set<String> touched = new LinkedHashSet<>();
    /** By row: a stream, and a later one of its name in which an undo puts an event of its id back, may change in one step. */
    private final Map<Bytes, Kept> changed = new HashMap<>();

    private final Set<Bytes> expectedRows = new HashSet<>();
    private final Set<Bytes> sentRows = new HashSet<>();
    private final List<AuditRecord> replacements = new ArrayList<>();
    private final List<Removal> displaced = new ArrayList<>();
    private final List<Kept> archivable = new ArrayList<>();
    private final List<String> orphaned = new ArrayList<>();
    private final List<Integer> forgotten = new ArrayList<>();
    private final List<Declared> removedExecutions = new ArrayList<>();
    private int rejections;
    private int rekeyed;
    private int tombstones;
    private int deletes;
    private int archived;

    Examiner(World world, Task task) {
        this.world = world;
        this.topics = world.topics;
        this.task = task;
        this.shadow = task.shadow;
        this.judge = new Judge(world, task);
        this.trash = new TrashLaw(world, task);
        this.undo = new UndoLaw(world, task, this, returned);
        this.figures = new FiguresLaw(task);
        shadow.model.graveRetention(world.settings.graveRetention().toMillis());
    }

    Judge judge() {
        return judge;
    }

    List<Long> dueAfter(long nowMs) {
        shadow.model.policies(task.instance().policies.current());
        return shadow.model.dueAfter(nowMs);
    }

    /** Numbers of streams that were not committed are used again. */
    void aborted() {
        names.clear();
        judge.aborted();
    }

    /** @param delivered the record that the step has taken in; null if it has taken in none */
    void examine(@Nullable Message delivered) {
        examineRecords(delivered);
        figures.check();
    }

    private void examineRecords(@Nullable Message delivered) {
        if (task.journal.isEmpty() && delivered == null) {
            return;
        }
        clear();
        shadow.model.policies(task.instance().policies.current());
        boolean isParked = false;
        // A look at a stream may have another one leave memory, which writes.
        for (Object entry : List.copyOf(task.journal)) {
            if (entry instanceof Write write) {
                isParked |= written(write, delivered);
            } else {
                sent((Message) entry);
            }
        }
        task.journal.clear();
        removeExecutions();
        forgetRetired();
        if (delivered != null && !isParked) {
            shadow.requireFirst(delivered);
            take(delivered);
        }
        checkOutputs();
        touched.forEach(this::compare);
        judge.end(touched);
        checkRecords();
        touched.forEach(this::checkDueTimes);
    }

    /** Sweeps look at each execution in time, whatever has become of its events. */
    private void checkDueTimes(String name) {
        EventStore store = task.store();
        RetentionModelStream stream = shadow.stream(name);
        StreamState state = store == null ? null : store.glance(new StreamName(name));
        if (stream == null || state == null || state.isMoving() || state.isHeld() || shadow.waits(name)) {
            return;
        }
        if (task.instance().views.settings() == null) {
            return; // nothing goes before settings are in force (T-13), so no sweep looks either
        }
        var newest = task.instance().views.current().policies().effective(state.stream());
        RetentionModelRules rules = shadow.model.policies().rules(name);
        if (!rules.isEnforced() || !state.policy().equals(newest)) {
            return;
        }
        for (Kept kept : stream.events.values()) {
            long dueMs = stream.isProtected(kept) ? Long.MAX_VALUE : RetentionModelSweep.due(stream, kept, rules);
            long guardedMs = rules.minAge() == 0 ? dueMs : stream.anchor(kept, rules) + rules.minAge() - 1;
            long goesAfterMs = Math.max(Math.max(dueMs, guardedMs), stream.noticeUntil);
            if (goesAfterMs < HeapProbe.looksAfterMs(state, kept.execution)
                    && RetentionModelSweep.goesByAge(stream, kept, rules, goesAfterMs + 1)) {
                throw new Violation(
                        "A-1 sweeps look in time",
                        name + "|" + kept.id + " goes after " + (goesAfterMs - World.T0) + ", sweeps look after "
                                + (HeapProbe.looksAfterMs(state, kept.execution) - World.T0) + " by " + rules);
            }
        }
    }

    /** No record of a stream stays behind in the usage store. */
    private void checkRecords() {
        EventStore store = task.store();
        for (String name : store == null ? Set.<String>of() : touched) {
            boolean isThere = store.glance(new StreamName(name)) != null;
            boolean isSaid = task.usageRecords().containsKey(StoreProbe.recordOf(name));
            if (isThere != isSaid) {
                throw new Violation(
                        "A-4 a record for each stream", name + (isSaid ? " is gone, and has one" : " has none"));
            }
        }
    }

    private void clear() {
        touched.clear();
        changed.clear();
        expectedRows.clear();
        sentRows.clear();
        replacements.clear();
        displaced.clear();
        archivable.clear();
        orphaned.clear();
        shadow.model.removals.clear();
        trash.begin();
        undo.begin();
        rejections = 0;
        rekeyed = 0;
        tombstones = 0;
        deletes = 0;
        archived = 0;
    }

    long nowMs() {
        return task.instance().trustedMs();
    }

    void touch(String stream) {
        touched.add(stream);
        shadow.touch(stream);
    }

    /** Returns whether the record that was delivered has been parked by it. */
    private boolean written(Write write, @Nullable Message delivered) {
        if (write.store().equals(StoreNames.EVENTS)) {
            return writtenEvent(write, delivered);
        }
        StreamName stream = StoreProbe.streamOf(write.key());
        if (stream != null) {
            touched.add(stream.value());
            return false;
        }
        int sid = StoreProbe.sidOfExecution(write.key());
        if (sid >= 0) {
            touchSid(sid);
        }
        if (write.value() == null && StoreProbe.isGrave(write.key())) {
            forgetGrave(StoreProbe.nameOfGrave(write.key()), StoreProbe.timeOfGrave(write.key()));
        }
        passed(write);
        int retiredSid = StoreProbe.sidOfRetired(write.key());
        if (retiredSid >= 0) {
            retired(retiredSid, write);
        }
        return false;
    }

    /** A share of a command that says how far it is lets others go on behind it. */
    private void passed(Write write) {
        String work = StoreProbe.pendingOf(write.key());
        byte[] value = write.value();
        if (work == null || value == null || !work.startsWith(SHARE)) {
            return;
        }
        String note = new String(value, StandardCharsets.UTF_8);
        Share share = JsonState.read(note.substring(note.indexOf('\n') + 1), Share.class);
        if (share.released > 0) {
            Coverage.count("streams that a share has released");
            shadow.order.passed(work.substring(SHARE.length()), share.streams.subList(0, share.released));
        }
    }

    /** Progress of a share, as far as it is of interest. */
    private record Share(List<String> streams, int released) {}

    /** A later delete of the same name has taken the place of others. */
    private void forgetGrave(String name, long deletedMs) {
        Long known = shadow.model.graves().get(name);
        if (known == null || known != deletedMs) {
            return;
        }
        if (shadow.model.stands(name, nowMs())) {
            undo.lifts(name, deletedMs);
        }
        Coverage.count("grave ended");
        shadow.model.forgetGrave(name);
    }

    private boolean writtenEvent(Write write, @Nullable Message delivered) {
        int sid = StoreProbe.sidOf(write.key());
        if (sid >= 0) {
            touchSid(sid);
            return false;
        }
        if (!StoreProbe.isParked(write.key())) {
            return false;
        }
        if (write.value() != null) {
            shadow.parked.put(write.key(), Objects.requireNonNull(delivered));
            return true;
        }
        Message first = shadow.parked.get(write.key());
        if (first != null) {
            shadow.requireFirst(first);
            shadow.parked.remove(write.key());
            take(first);
        }
        return false;
    }

    private void touchSid(int sid) {
        String name = names.get(sid);
        if (name == null && task.store() != null) {
            for (StreamState stream : StoreProbe.streams(task.store())) {
                names.put(StoreProbe.sid(stream), stream.stream().value());
            }
            name = names.get(sid);
        }
        if (name != null) {
            touched.add(name);
        }
    }

    private void retired(int sid, Write write) {
        Retired gone = StoreProbe.retired(write.key(), write.value());
        if (gone == null) {
            forgotten.add(sid);
            return;
        }
        String name = gone.stream().value();
        touch(name);
        RetentionModelStream stream = shadow.stream(name);
        if (stream == null) {
            throw new Violation("I-2 none twice", "there was no stream " + name + " to delete");
        }
        judge.deletesStream(stream, gone.origin().commandId(), gone.cause().name(), nowMs());
        shadow.order.deleted(name, gone.origin().commandId());
        shadow.retired.put(
                sid,
                new Shadow.Retired(
                        name,
                        gone.origin().commandId(),
                        gone.cause().name(),
                        stream.events,
                        stream.declared,
                        stream.declared.keySet(),
                        gone.lastStoredAt()));
        trash.went(stream);
        shadow.model.delete(name, gone.origin().commandId(), nowMs());
    }

    /** Its last deletes are explained only behind that. */
    private void forgetRetired() {
        for (int sid : forgotten) {
            Shadow.Retired emptied = shadow.retired.remove(sid);
            if (emptied != null && !emptied.events.isEmpty()) {
                throw new Violation(
                        "O-3 what was deleted is explained",
                        emptied.stream + " is forgotten and left " + emptied.events.keySet());
            }
        }
        forgotten.clear();
    }

    private void take(Message message) {
        if (message.topic().equals(topics.commands())) {
            // Unreadable records are rejected; readable ones, however strange, need not be.
            rejections = message.textOfKey().equals("strange") ? Math.max(0, rejections) : rejections;
            takeCommand(world.codec.object(Objects.requireNonNull(message.value())), message.offset());
            return;
        }
        byte[] value = message.value();
        if (Codec.isGarbage(value)) {
            rejections++;
            return;
        }
        Object said = world.codec.object(Objects.requireNonNull(value));
        StreamName stream = streamOf(said);
        if (isElsewhere(message, stream)) {
            rekeyed++;
        } else if (!Inputs.isUsable(said, message.timestampMs(), nowMs())) {
            rejections++;
        } else {
            touch(stream.value());
            apply(said, message);
        }
    }

    private void takeCommand(Object said, long offset) {
        if (said instanceof CommandRequest request
                && request.command() instanceof Command.OfStream one
                && !shadow.answered.contains(request.commandId())) {
            shadow.order.taken(request.commandId(), List.of(one.stream().value()), offset);
        } else if (said instanceof Errand errand
                && errand.step() == Errand.Step.CARRY_OUT
                && world.commands.get(errand.commandId()) != null) {
            shadow.order.taken(
                    errand.commandId(),
                    JsonState.read(errand.body(), CarryOut.class).streams(),
                    offset);
        }
    }

    static StreamName streamOf(Object said) {
        if (said instanceof Event event) {
            return event.stream();
        }
        return said instanceof EventUpdate update ? update.stream() : ((ExecutionUpdate) said).stream();
    }

    private boolean isElsewhere(Message message, StreamName stream) {
        boolean isInOther = StreamPartition.of(stream, topics.partitions()) != task.partition;
        return isInOther
                || (!message.topic().equals(topics.rekey())
                        && !message.textOfKey().equals(stream.value()));
    }

    private void apply(Object said, Message message) {
        if (said instanceof Event event) {
            long held = shadow.model.held;
            long late = shadow.model.late;
            RetentionModelStream stream = shadow.stream(event.stream().value());
            boolean isThere =
                    stream != null && stream.events.containsKey(event.id().value());
            if (shadow.stream(event.stream().value()) == null
                    && !shadow.retired.isEmpty()
                    && !shadow.model.isLate(event.stream().value(), message.timestampMs(), nowMs())) {
                storeAbove(event.stream().value());
            }
            int before = shadow.model.removals.size();
            shadow.model.event(event, message.timestampMs(), nowMs());
            for (Removal gone : shadow.model.removals.subList(before, shadow.model.removals.size())) {
                displaced.add(gone);
                changed.remove(keyOf(gone.event()));
                trash.went(gone.event(), trash.declaredNow(gone.event()), null, nowMs());
                archive(gone.event());
            }
            if (shadow.model.held > held || shadow.model.late > late) {
                Coverage.count(shadow.model.late > late ? "late event" : "held event");
                rejections++;
            } else {
                if (isThere) {
                    judge.replaces(event.stream().value());
                }
                changed(event.stream().value(), event.id().value());
                boolean isDeclared = Objects.requireNonNull(
                                shadow.stream(event.stream().value()))
                        .declared
                        .containsKey(event.execution());
                if (isDeclared) {
                    // An end of its execution may have waited for it.
                    rememberKey(event.stream(), event.execution());
                }
            }
        } else if (said instanceof EventUpdate update) {
            long before = shadow.model.orphaned;
            shadow.model.update(update, message.timestampMs(), nowMs());
            if (shadow.model.orphaned == before) {
                changed(update.stream().value(), update.id().value());
            } else {
                boolean isLate = shadow.model.isLate(update.stream().value(), message.timestampMs(), nowMs());
                Coverage.count(isLate ? "late update" : "orphaned update");
                orphaned.add(update.stream() + "|" + update.id());
            }
        } else {
            execution((ExecutionUpdate) said, message.timestampMs());
        }
    }

    /** A new stream behind a deleted one of its name begins above it (O-10), until that is emptied and forgotten. */
    void storeAbove(String name) {
        shadow.retired.forEach((sid, gone) -> {
            if (gone.stream.equals(name) && !forgotten.contains(sid)) {
                shadow.model
                        .streams()
                        .computeIfAbsent(name, RetentionModelStream::new)
                        .storesFrom(gone.lastStored + 1);
            }
        });
    }

    private void execution(ExecutionUpdate update, long timestampMs) {
        String name = update.stream().value();
        boolean isLate = shadow.model.isLate(name, timestampMs, nowMs());
        if (isLate || shadow.model.isZombie(update, nowMs()) || shadow.model.waits(update, nowMs())) {
            boolean isZombie = shadow.model.isZombie(update, nowMs());
            Coverage.count(isLate ? "late execution" : isZombie ? "zombie execution" : "waiting end");
            shadow.model.execution(update, timestampMs, nowMs());
            return;
        }
        if (shadow.stream(name) == null && !shadow.retired.isEmpty()) {
            storeAbove(name);
        }
        shadow.model.execution(update, timestampMs, nowMs());
        Declared declared = Objects.requireNonNull(shadow.stream(name)).declared.get(update.execution());
        if (declared != null && declared.awaitsUntil > 0) {
            Coverage.count("end ahead of its events");
        }
        rememberKey(update.stream(), update.execution());
    }

    void rememberKey(StreamName stream, long execution) {
        undo.uses(stream.value(), execution);
        Bytes key = Bytes.wrap(Instance.rows().executionKey(stream, execution));
        Declared declared = new Declared();
        declared.number = execution;
        declared.parent = stream.value();
        executionKeys.put(key, declared);
    }

    void changed(String stream, String id) {
        undo.uses(stream, id);
        Kept kept = Objects.requireNonNull(shadow.stream(stream)).events.get(id);
        changed.put(keyOf(kept), kept);
    }

    private void sent(Message message) {
        String topic = message.topic();
        if (topic.equals(topics.mirrorEvents())) {
            Bytes key = Bytes.wrap(message.key());
            shadow.row(key, message.value());
            boolean isOfEvent = !RowLaw.isOfRowAlone(message.value(), message.headers());
            tombstones += message.value() == null && isOfEvent ? 1 : 0;
            sentRows.add(key);
        } else if (topic.equals(topics.audit())) {
            audited((AuditRecord) world.codec.object(message.value()));
        } else if (topic.equals(topics.mirrorExecutions())) {
            sentExecution(message);
        } else if (topic.equals(topics.results())) {
            answered((CommandResult) world.codec.object(message.value()));
        } else if (topic.equals(topics.rejected())) {
            rejections--;
        } else if (topic.equals(topics.rekey())) {
            rekeyed--;
        } else if (topic.equals(topics.trash())) {
            trash.sent(message);
            undo.sent(message);
        } else if (topic.equals(topics.archive())) {
            archivedCopy((ArchivedEvent) world.codec.object(message.value()));
        } else if (topic.equals(topics.commands())) {
            Object said = world.codec.object(message.value());
            judge.sent(said);
            undo.sent(said);
            if (said instanceof Errand errand && errand.step() == Errand.Step.CARRIED_OUT) {
                shadow.order.ended(errand.commandId());
            }
        }
    }

    private void archivedCopy(ArchivedEvent copy) {
        archived++;
        String id = copy.event().event().id().value();
        archivableIds.add(
                copy.event().event().stream() + "|" + id + "|" + copy.event().storedAt());
    }

    private final Set<String> archivableIds = new HashSet<>();

    private void archive(Kept gone) {
        if (shadow.model.policies().rules(gone.stream).isArchived()) {
            archivable.add(gone);
        }
    }

    private void audited(AuditRecord audit) {
        if (audit.action().equals(AuditRecord.DONE)) {
            return;
        }
        if (audit.action().equals(AuditRecord.ROWS_REMOVED)) {
            Coverage.count("rows removed");
            return;
        }
        if (audit.action().equals(AuditRecord.RESTORE)) {
            undo.restored(audit);
            return;
        }
        Coverage.count(audit.cause() + (audit.commandId() == null ? "" : " by command"));
        deletes += audit.eventIds().size();
        if (audit.sweepId() == null && audit.commandId() == null) {
            replacements.add(audit);
            return;
        }
        String name = audit.stream();
        touch(name);
        Shadow.Retired behind = retiredBy(audit);
        long bytes = 0;
        for (String id : audit.eventIds()) {
            Kept gone = behind == null ? deleted(audit, id) : behind.events.remove(id);
            if (gone == null) {
                throw new Violation("I-2 none twice", audit + " names " + id + ", which was gone");
            }
            archive(gone);
            Declared declared = behind == null ? trash.declaredNow(gone) : behind.declared.get(gone.execution);
            trash.went(gone, declared, audit.commandId(), audit.atMs());
            bytes += gone.size;
            expectedRows.add(keyOf(gone));
            changed.remove(keyOf(gone), gone);
        }
        removeEmptied();
        if (bytes != audit.bytes()) {
            throw new Violation("I-5 the audit counts bytes", audit + " counts " + audit.bytes() + " of " + bytes);
        }
        if (audit.atMs() != nowMs()) {
            throw new Violation("I-5 the audit tells when", audit + " was written at " + nowMs());
        }
    }

    private Shadow.@Nullable Retired retiredBy(AuditRecord audit) {
        if (audit.sweepId() != null) {
            return null;
        }
        for (Shadow.Retired gone : shadow.retired.values()) {
            if (gone.commandId.equals(audit.commandId())
                    && gone.stream.equals(audit.stream())
                    && gone.cause.equals(audit.cause())
                    && gone.events.keySet().containsAll(audit.eventIds())) {
                return gone;
            }
        }
        return null;
    }

    private @Nullable Kept deleted(AuditRecord audit, String id) {
        RetentionModelStream stream = shadow.stream(audit.stream());
        Kept kept = stream == null ? null : stream.events.get(id);
        if (stream == null || kept == null) {
            return null;
        }
        judge.deletes(stream, kept, audit, nowMs());
        stream.events.remove(id);
        shadow.forgetIfGone(stream);
        return kept;
    }

    private static Bytes keyOf(Kept kept) {
        return RowLaw.keyOf(kept);
    }

    private void sentExecution(Message message) {
        Bytes key = Bytes.wrap(message.key());
        shadow.executionRow(key, message.value());
        undo.sentExecution(key, message.value() != null);
        Declared which = executionKeys.get(key);
        if (message.value() != null || which == null) {
            return;
        }
        String name = Objects.requireNonNull(which.parent);
        touch(name);
        RetentionModelStream stream = shadow.stream(name);
        if (stream != null && stream.declared.containsKey(which.number)) {
            // As long as it is known here, what was deleted under the same name leaves the row alone (O-10).
            removedExecutions.add(which);
            removeEmptied();
            return;
        }
        for (Shadow.Retired gone : shadow.retired.values()) {
            if (gone.stream.equals(name) && gone.executions.remove(which.number)) {
                return;
            }
        }
    }

    /** The deletes of their last events may be explained only behind them. */
    private void removeExecutions() {
        removedExecutions.forEach(this::remove);
        removedExecutions.clear();
    }

    /** Executions without an event in the model count as gone for the rest of the step. */
    private void removeEmptied() {
        removedExecutions.removeIf(which -> {
            RetentionModelStream stream = shadow.stream(Objects.requireNonNull(which.parent));
            boolean isEmpty =
                    stream == null || stream.events.values().stream().noneMatch(kept -> kept.execution == which.number);
            if (isEmpty) {
                remove(which);
            }
            return isEmpty;
        });
    }

    private void remove(Declared which) {
        RetentionModelStream stream = shadow.stream(Objects.requireNonNull(which.parent));
        if (stream != null && stream.declared.containsKey(which.number)) {
            judge.removesExecution(stream, which.number, nowMs());
            trash.went(stream.name, stream.declared.get(which.number));
            stream.declared.remove(which.number);
            shadow.forgetIfGone(stream);
        }
    }

    private void answered(CommandResult result) {
        CommandRequest request = world.commands.get(result.commandId());
        Coverage.count(result.verb() + " " + result.state() + " " + result.refusal());
        if (request == null || !result.isFinal() || !shadow.answer(result.commandId())) {
            return;
        }
        boolean isOutlived = request.command() instanceof Command.OfStream one
                && shadow.order.isOutlived(request.commandId(), one.stream().value());
        shadow.order.ended(request.commandId());
        if (isOutlived) {
            Coverage.count(result.verb() + " whose stream is gone");
            boolean isPrune = request.command() instanceof Command.PruneStream;
            boolean isRight = isPrune
                    ? result.refusal() == null
                            && result.outcome().deletions().eventsDeleted() == 0
                            && result.outcome().deletions().executionsDeleted() == 0
                    : result.refusal() == Refusal.NOT_FOUND;
            if (!isRight) {
                throw new Violation("O-10 late commands", result + ", its stream was deleted since it came");
            }
        } else if (request.command() instanceof Command.SetTtl ttl) {
            touch(ttl.stream().value());
            var expected = RetentionModelCommands.carryOut(shadow.model, request, nowMs());
            if (expected.refusal() != result.refusal()) {
                throw new Violation("O-9 result of set-ttl", result + ", the model says " + expected);
            }
            if (expected.refusal() == null && !request.isDryRun()) {
                changed(ttl.stream().value(), ttl.id().value());
            }
        } else if (request.command() instanceof Command.DeleteEvent && result.refusal() != null) {
            var expected = RetentionModelCommands.carryOut(shadow.model, request, nowMs());
            if (expected.refusal() != result.refusal()) {
                throw new Violation("O-9 result of event delete", result + ", the model says " + expected);
            }
        }
    }

    private void checkOutputs() {
        if (rejections != 0) {
            throw new Violation(
                    "O-20 what cannot be used is rejected", rejections + " records of the step more or less");
        }
        if (rekeyed != 0) {
            throw new Violation("O-21 what lies elsewhere is sent on", rekeyed + " records of the step more or less");
        }
        checkReplacements();
        if (tombstones != deletes) {
            throw new Violation(
                    "O-3 a tombstone for each delete", tombstones + " tombstones, " + deletes + " deletes explained");
        }
        if (archivable.size() != archived) {
            throw new Violation("O-3 archive", archived + " copies for " + archivable.size() + " deletes");
        }
        for (Kept kept : archivable) {
            if (!archivableIds.contains(kept.stream + "|" + kept.id + "|" + kept.storedAt)) {
                throw new Violation("O-3 archive", kept.stream + "|" + kept.id + " was not archived");
            }
        }
        archivableIds.clear();
        trash.end();
        undo.end();
        checkRows();
    }

    private void checkReplacements() {
        List<String> found = new ArrayList<>();
        replacements.forEach(
                audit -> audit.eventIds().forEach(id -> found.add(audit.stream() + "|" + id + " " + audit.cause())));
        List<String> expected = new ArrayList<>();
        for (Removal gone : displaced) {
            expected.add(gone.event().stream + "|" + gone.event().id + " " + gone.cause());
            expectedRows.add(keyOf(gone.event()));
        }
        if (!found.equals(expected)) {
            throw new Violation("M-1 what was due is replaced", "expected " + expected + ", was " + found);
        }
    }

    private void checkRows() {
        expectedRows.addAll(changed.keySet());
        RowLaw rows = new RowLaw(task, shadow);
        changed.values().forEach(rows::check);
        for (Bytes key : sentRows) {
            if (!expectedRows.contains(key) && !rows.mayTurn(key)) {
                throw new Violation(
                        orphaned.isEmpty() ? "I-4 a row without a change" : "M-2 an update finds what is due",
                        new String(key.get()) + ", orphaned " + orphaned);
            }
        }
    }

    /** Holds one stream of the store against the model. */
    void compare(String name) {
        EventStore store = task.store();
        if (store == null) {
            return;
        }
        StreamState state = store.glance(new StreamName(name));
        RetentionModelStream stream = shadow.stream(name);
        if (state == null || stream == null) {
            if (state != null || stream != null) {
                throw new Violation(
                        "I-4 streams", name + (state == null ? " is missing" : " is there, and not in the model"));
            }
            return;
        }
        List<String> problems = new ArrayList<>();
        List<StoredEvent> events = StoreProbe.check(state, task.events().entries(), problems);
        if (!problems.isEmpty()) {
            throw new Violation("I-3 store: " + kindOf(problems.get(0)), problems.toString());
        }
        if (events.size() != stream.events.size()) {
            throw new Violation("I-4 events", name + " holds " + ids(events) + ", the model " + stream.events.keySet());
        }
        for (StoredEvent event : events) {
            Kept kept = stream.events.get(event.event().id().value());
            String difference = kept == null ? "not in the model" : Rows.difference(event, kept);
            if (difference != null) {
                throw new Violation("I-4 events", name + "|" + event.event().id() + ": " + difference);
            }
        }
        compareExecutions(state, stream);
        returned.compare(state, stream, events);
        if (state.protectedEvents() != stream.protectedEvents()) {
            throw new Violation(
                    "I-3 protected events",
                    name + " counts " + state.protectedEvents() + ", the model " + stream.protectedEvents());
        }
    }

    private static String kindOf(String problem) {
        return problem.contains("below its heads")
                ? "below its heads"
                : problem.contains("usage says") ? "usage" : "index";
    }

    private static List<String> ids(List<StoredEvent> events) {
        return events.stream().map(event -> event.event().id().value()).toList();
    }

    private void compareExecutions(StreamState state, RetentionModelStream stream) {
        List<Execution> declared = StoreProbe.declared(state);
        if (declared.size() != stream.declared.size()) {
            throw new Violation(
                    "I-4 executions", stream.name + " has " + declared + ", the model " + stream.declared.keySet());
        }
        for (Execution execution : declared) {
            Declared expected = stream.declared.get(execution.number());
            if (expected == null
                    || expected.isTerminal != execution.isTerminal()
                    || !Objects.equals(expected.completedAt, execution.completedAt())
                    || !Objects.equals(expected.startedAt, execution.startedAt())) {
                throw new Violation(
                        "I-4 executions",
                        stream.name + " has " + execution + ", the model "
                                + (expected == null
                                        ? "none"
                                        : expected.isTerminal + ", started " + expected.startedAt + ", completed "
                                                + expected.completedAt));
            }
            byte[] row = shadow.executionRows.get(
                    Bytes.wrap(Instance.rows().executionKey(state.stream(), execution.number())));
            if (row == null) {
                throw new Violation("I-4 rows of executions", stream.name + " " + execution.number() + " has none");
            }
        }
    }

    /** Each grave is remembered until its end, and no other one is there. */
    private void compareGraves(EventStore store) {
        Map<String, Long> found = StoreCheck.graves(task.usage().all());
        if (!found.equals(shadow.model.graves())) {
            throw new Violation("O-10 graves", "there are " + found + ", the model has " + shadow.model.graves());
        }
        compareWaitingEnds(store);
        if (found.size() != store.graves().count()) {
            throw new Violation("O-10 graves are counted", store.graves().count() + " for " + found);
        }
    }

    /** An end waits for as long as the grave stands (O-10); behind that it goes with the grave. */
    private void compareWaitingEnds(EventStore store) {
        Map<String, Set<Long>> found = StoreCheck.waitingEnds(task.usage().all());
        long count = found.values().stream().mapToLong(Set::size).sum();
        found.keySet().removeIf(name -> !shadow.model.stands(name, nowMs()));
        if (!found.equals(shadow.model.waitingEnds(nowMs()))) {
            throw new Violation("O-10 ends wait", found + " wait, in the model " + shadow.model.waitingEnds(nowMs()));
        }
        if (count != store.ends().count()) {
            throw new Violation("O-10 waiting ends are counted", store.ends().count() + " for " + count);
        }
    }

    /** Holds all of the partition against the model, rows included. */
    void compareAll() {
        EventStore store = task.store();
        if (store == null) {
            return;
        }
        StoreProbe.streams(store).forEach(stream -> {
            if (shadow.stream(stream.stream().value()) == null) {
                throw new Violation("I-4 streams", stream + " is there, and not in the model");
            }
        });
        shadow.model.streams().keySet().forEach(this::compare);
        compareGraves(store);
        new RowLaw(task, shadow).checkAll();
    }
}
