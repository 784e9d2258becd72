package dev.ebb.simulation;

import dev.ebb.model.RetentionModel;
import dev.ebb.model.RetentionModelStream;
import dev.ebb.model.RetentionModelStream.Declared;
import dev.ebb.model.RetentionModelStream.Kept;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Contents of one partition by the model. It follows the task step by step, and goes back with it when its
 * transaction is aborted.
 */
final class Shadow {

    /** A deleted stream that is being emptied in the background. */
    static final class Retired {

        final String stream;
        final String commandId;
        final String cause;
        final Map<String, Kept> events;
        final Map<Long, Declared> declared;

        /** The numbers of its executions that are still to be removed. */
        final Set<Long> executions;

        final long lastStored;

        Retired(
                String stream,
                String commandId,
                String cause,
                Map<String, Kept> events,
                Map<Long, Declared> declared,
                Set<Long> executions,
                long lastStored) {
            this.stream = stream;
            this.commandId = commandId;
            this.cause = cause;
            this.events = new LinkedHashMap<>(events);
            this.declared = Map.copyOf(declared);
            this.executions = new TreeSet<>(executions);
            this.lastStored = lastStored;
        }

        private Retired copy() {
            return new Retired(stream, commandId, cause, events, declared, executions, lastStored);
        }
    }

    final RetentionModel model = new RetentionModel();
    final Map<Bytes, Message> parked = new LinkedHashMap<>();
    final Map<Integer, Retired> retired = new LinkedHashMap<>();
    final Set<String> answered = new HashSet<>();
    final OrderLaw order = new OrderLaw();
    final TrashShadow trash = new TrashShadow();
    final Map<Bytes, byte[]> rows = new HashMap<>();
    final Map<Bytes, byte[]> executionRows = new HashMap<>();

    private final Map<String, @Nullable RetentionModelStream> formerStreams = new HashMap<>();
    private final Map<Bytes, byte @Nullable []> formerRows = new HashMap<>();
    private final Map<Bytes, byte @Nullable []> formerExecutionRows = new HashMap<>();
    private Map<String, Long> formerGraves = Map.of();
    private Runnable besideFormerGraves = model.besideGraves();
    private Map<Bytes, Message> formerParked = Map.of();
    private Map<Integer, Retired> formerRetired = Map.of();
    private final List<String> newlyAnswered = new ArrayList<>();

    /** Must come before anything about the stream is changed. */
    void touch(String stream) {
        if (!formerStreams.containsKey(stream)) {
            RetentionModelStream now = model.streams().get(stream);
            formerStreams.put(stream, now == null ? null : now.snapshot());
        }
    }

    @Nullable
    RetentionModelStream stream(String name) {
        return model.streams().get(name);
    }

    void row(Bytes key, byte @Nullable [] value) {
        change(rows, formerRows, key, value);
    }

    void executionRow(Bytes key, byte @Nullable [] value) {
        change(executionRows, formerExecutionRows, key, value);
    }

    private static void change(
            Map<Bytes, byte[]> rows, Map<Bytes, byte @Nullable []> former, Bytes key, byte @Nullable [] value) {
        byte[] before = value == null ? rows.remove(key) : rows.put(key, value);
        if (!former.containsKey(key)) {
            former.put(key, before);
        }
    }

    /** Notes that a command has been answered for good; returns whether that is new. */
    boolean answer(String commandId) {
        boolean isNew = answered.add(commandId);
        if (isNew) {
            newlyAnswered.add(commandId);
        }
        return isNew;
    }

    void forget(Kept kept) {
        RetentionModelStream stream = model.streams().get(kept.stream);
        stream.events.remove(kept.id);
        forgetIfGone(stream);
    }

    void forgetIfGone(RetentionModelStream stream) {
        if (stream.isGone()) {
            model.streams().remove(stream.name);
        }
    }

    /** Returns true if a record of that stream waits. */
    boolean waits(String stream) {
        for (Message message : parked.values()) {
            if (message.textOfKey().equals(stream)) {
                return true;
            }
        }
        return false;
    }

    /** The records of one key are taken in their order (O-20). */
    void requireFirst(Message taken) {
        for (Message waiting : parked.values()) {
            if (waiting == taken) {
                return;
            }
            if (waiting.textOfKey().equals(taken.textOfKey())) {
                throw new Violation("O-20 in their order", taken + " overtakes " + waiting);
            }
        }
    }

    void commit() {
        order.commit();
        trash.commit();
        formerStreams.clear();
        formerRows.clear();
        formerExecutionRows.clear();
        newlyAnswered.clear();
        formerParked = parked.isEmpty() ? Map.of() : new LinkedHashMap<>(parked);
        formerRetired = copy(retired);
        formerGraves = Map.copyOf(model.graves());
        besideFormerGraves = model.besideGraves();
    }

    void abort() {
        order.abort();
        trash.abort();
        formerStreams.forEach((name, stream) -> {
            if (stream == null) {
                model.streams().remove(name);
            } else {
                model.streams().put(name, stream);
            }
        });
        formerStreams.clear();
        restore(rows, formerRows);
        restore(executionRows, formerExecutionRows);
        newlyAnswered.forEach(answered::remove);
        newlyAnswered.clear();
        parked.clear();
        parked.putAll(formerParked);
        model.graves().clear();
        model.graves().putAll(formerGraves);
        besideFormerGraves.run();
        retired.clear();
        retired.putAll(copy(formerRetired));
    }

    private static void restore(Map<Bytes, byte[]> rows, Map<Bytes, byte @Nullable []> former) {
        former.forEach((key, value) -> {
            if (value == null) {
                rows.remove(key);
            } else {
                rows.put(key, value);
            }
        });
        former.clear();
    }

    private static Map<Integer, Retired> copy(Map<Integer, Retired> all) {
        if (all.isEmpty()) {
            return Map.of();
        }
        Map<Integer, Retired> copy = new LinkedHashMap<>();
        all.forEach((sid, one) -> copy.put(sid, one.copy()));
        return copy;
    }
}
