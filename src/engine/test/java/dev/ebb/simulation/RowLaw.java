package dev.ebb.simulation;

import dev.ebb.domain.event.StreamName;
import dev.ebb.model.RetentionModelStream;
import dev.ebb.model.RetentionModelStream.Kept;
import dev.ebb.store.state.StreamState;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/** F-13: an event has a row if its stream has rows, as it is; while a stream comes to rows or loses them, or none. */
final class RowLaw {

    private final Task task;
    private final Shadow shadow;

    RowLaw(Task task, Shadow shadow) {
        this.task = task;
        this.shadow = shadow;
    }

    static Bytes keyOf(Kept kept) {
        return Bytes.wrap(Instance.rows().eventKey(kept.storedAt, kept.stream, kept.id));
    }

    /** True for the removal of a row whose event stays: it has no cause. */
    static boolean isOfRowAlone(byte @Nullable [] value, Headers headers) {
        return value == null && headers.lastHeader("ebb-cause") == null;
    }

    /** Holds the row of a living event against it. */
    void check(Kept kept) {
        byte[] row = shadow.rows.get(keyOf(kept));
        StreamState state = stateOf(kept.stream);
        boolean mayLackRow = state == null || !state.hasRows() || state.isMoving();
        boolean isRight = row == null ? mayLackRow : Arrays.equals(row, Rows.of(kept));
        if (!isRight) {
            throw new Violation(
                    "I-4 the row of an event",
                    kept.stream + "|" + kept.id + " is " + (row == null ? "missing" : new String(row)) + ", must be "
                            + new String(Rows.of(kept)));
        }
        if (row != null && state != null && !state.mayHaveRows()) {
            throw new Violation("F-13 no row", kept.stream + "|" + kept.id + " has " + new String(row));
        }
    }

    /** Returns the stream in the store; null if a later record of the step has deleted it. */
    private @Nullable StreamState stateOf(String stream) {
        return Objects.requireNonNull(task.store()).glance(new StreamName(stream));
    }

    /** Returns true if the row of a living event may have come or gone although nothing befell the event. */
    boolean mayTurn(Bytes key) {
        for (RetentionModelStream stream : shadow.model.streams().values()) {
            for (Kept kept : stream.events.values()) {
                if (keyOf(kept).equals(key)) {
                    check(kept);
                    StreamState state = stateOf(kept.stream);
                    return state != null && shadow.rows.containsKey(key) == state.hasRows();
                }
            }
        }
        // It came or went before its stream was deleted.
        return shadow.retired.values().stream()
                .flatMap(gone -> gone.events.values().stream())
                .anyMatch(kept -> keyOf(kept).equals(key));
    }

    /** Holds all rows against all events. */
    void checkAll() {
        Set<Bytes> known = new HashSet<>();
        for (RetentionModelStream stream : shadow.model.streams().values()) {
            for (Kept kept : stream.events.values()) {
                check(kept);
                known.add(keyOf(kept));
            }
        }
        for (Shadow.Retired gone : shadow.retired.values()) {
            gone.events.values().forEach(kept -> known.add(keyOf(kept)));
        }
        for (Bytes key : shadow.rows.keySet()) {
            if (!known.contains(key)) {
                throw new Violation("I-4 rows", new String(key.get()) + " is the row of no event");
            }
        }
    }

    /** At rest each stream has come to what its policy wants. */
    void checkAtRest() {
        for (RetentionModelStream stream : shadow.model.streams().values()) {
            boolean hasRows = shadow.model.policies().rules(stream.name).isMirrored();
            for (Kept kept : stream.events.values()) {
                if (shadow.rows.containsKey(keyOf(kept)) != hasRows) {
                    throw new Violation(
                            "F-13 the policy decides on rows",
                            kept.stream + "|" + kept.id + (hasRows ? " has none" : " has one"));
                }
            }
        }
    }
}
