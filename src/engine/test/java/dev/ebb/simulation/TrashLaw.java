package dev.ebb.simulation;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.undo.Deletion;
import dev.ebb.model.RetentionModelStream;
import dev.ebb.model.RetentionModelStream.Declared;
import dev.ebb.model.RetentionModelStream.Kept;
import dev.ebb.simulation.TrashShadow.Gone;
import dev.ebb.store.events.RemovedExecution;
import dev.ebb.store.layout.StoredEventCodec;
import dev.ebb.topology.trash.DeletionHeaders;
import dev.ebb.topology.trash.TrashKey;
import dev.ebb.topology.wire.EbbHeaders;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What goes to the trash (T-1, T-5, T-16): a record holds an event that goes in the same step, as the model had it, and
 * names the command that takes it; whatever a command takes has a record. A sweep may take for good what its producer has
 * ended, also one that somebody asks for: so nothing is owed of sweeps. Not thread-safe.
 */
final class TrashLaw {

    private final World world;
    private final Shadow shadow;

    /** By stream and number, the forms in which an execution has gone. */
    private final Map<String, Set<String>> goneExecutions = new HashMap<>();

    private final Map<String, Went> went = new TreeMap<>();
    private final List<Trashed> trashed = new ArrayList<>();

    /** A record that this step has sent, and its place in the order of deletes and uses. */
    private record Trashed(TrashKey key, Message message, long at) {}

    /** An event that goes in this step. */
    private record Went(
            Kept kept,
            @Nullable Declared declared,
            @Nullable String commandId,
            long atMs) {}

    TrashLaw(World world, Task task) {
        this.world = world;
        this.shadow = task.shadow;
    }

    /** A step begins. */
    void begin() {
        went.clear();
        trashed.clear();
    }

    /**
     * A record of the trash: one with a value is new. An execution waits there at once, since an undo may bring it back in
     * the same step.
     */
    void sent(Message message) {
        byte[] value = message.value();
        if (value == null) {
            return;
        }
        Trashed sent = new Trashed(TrashKey.decode(message.key()), message, shadow.trash.tick());
        trashed.add(sent);
        if (sent.key().kind() == TrashKey.Kind.EXECUTION) {
            RemovedExecution kept = RemovedExecution.decode(sent.key().number(), value);
            add(sent, null, declared(kept), null, kept.openSinceMs());
        }
    }

    /**
     * An event goes.
     *
     * @param declared its execution; null if it is not declared. A stream that is being emptied keeps its own executions
     *     while a new one of its name has others
     */
    void went(Kept kept, @Nullable Declared declared, @Nullable String commandId, long atMs) {
        went.put(identity(kept.stream, kept.id, kept.storedAt), new Went(kept, declared, commandId, atMs));
    }

    /** Returns the execution of an event of a stream that no command has deleted; null if it is not declared. */
    @Nullable
    Declared declaredNow(Kept kept) {
        RetentionModelStream stream = shadow.stream(kept.stream);
        return stream == null ? null : stream.declared.get(kept.execution);
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

    /** The step is over, and has told what it did. */
    void end() {
        trashed.forEach(this::keep);
        trashed.clear();
        went.values().stream().filter(this::isByCommand).forEach(gone -> {
            throw new Violation(
                    "T-1 what a command deletes can be undone",
                    gone.kept().stream + "|" + gone.kept().id + " by " + gone.commandId() + " is not in the trash");
        });
    }

    /** A sweep that somebody asks for deletes by the policies: what its producer has ended is final. */
    private boolean isByCommand(Went gone) {
        CommandRequest request = gone.commandId() == null ? null : world.commands.get(gone.commandId());
        return request != null && !(request.command() instanceof Command.SweepNow);
    }

    private void keep(Trashed sent) {
        TrashKey key = sent.key();
        Message message = sent.message();
        Deletion deletion = DeletionHeaders.read(message.headers());
        byte[] value = Objects.requireNonNull(message.value());
        if (key.kind() == TrashKey.Kind.EXECUTION) {
            requireGone(key, RemovedExecution.decode(key.number(), value));
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
        byte[] numbered = DeletionHeaders.execution(message.headers());
        RemovedExecution carried = numbered == null ? null : RemovedExecution.decodeNumbered(numbered);
        Declared known = gone.declared();
        if (known != null && (carried == null || !form(known).equals(form(declared(carried))))) {
            throw new Violation("T-2 an event has its execution with it", key + " has " + carried);
        }
        if (carried == null) {
            add(sent, gone.kept(), null, null, 0);
        } else {
            add(sent, gone.kept(), null, declared(carried), carried.openSinceMs());
        }
    }

    private static String form(Declared declared) {
        return form(declared.status, declared.startedAt, declared.completedAt);
    }

    private static Declared declared(RemovedExecution kept) {
        Declared declared = new Declared();
        declared.number = kept.execution().number();
        declared.status = Objects.requireNonNull(kept.execution().status());
        declared.isTerminal = kept.execution().isTerminal();
        declared.startedAt = kept.execution().startedAt();
        declared.completedAt = kept.execution().completedAt();
        StreamName parent = kept.parent();
        declared.parent = parent == null ? null : parent.value();
        return declared;
    }

    private void requireGone(TrashKey key, RemovedExecution kept) {
        String stream = key.stream().value();
        String form = form(
                kept.execution().status(),
                kept.execution().startedAt(),
                kept.execution().completedAt());
        Set<String> known = goneExecutions.getOrDefault(TrashShadow.nameOf(stream, key.number()), Set.of());
        if (!known.contains(form)) {
            throw new Violation("T-5 the trash holds what goes", key + " as " + form + ", went as " + known);
        }
    }

    private void add(
            Trashed sent,
            @Nullable Kept kept,
            @Nullable Declared declared,
            @Nullable Declared carried,
            long openSinceMs) {
        Deletion deletion = DeletionHeaders.read(sent.message().headers());
        shadow.trash.add(new Gone(
                sent.key(),
                kept,
                declared,
                carried,
                openSinceMs,
                deletion.commandId(),
                deletion.deletedAtMs(),
                deletion.untilMs(),
                world.commands.size(),
                sent.at(),
                EbbHeaders.number(sent.message().headers(), EbbHeaders.STREAM_NUMBER, 0)));
    }
}
