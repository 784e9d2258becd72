package dev.ebb.store.arrival;

import dev.ebb.domain.event.Execution;
import dev.ebb.domain.event.ExecutionUpdate;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.store.layout.StatusesInForce;
import dev.ebb.store.state.Segment;
import dev.ebb.store.state.StreamState;
import dev.ebb.store.state.StreamTable;
import org.jspecify.annotations.Nullable;

/** Declares and changes executions (M-5); moves no event. Not thread-safe. */
public final class ExecutionUpdates {

    private final StreamTable streams;
    private final StatusesInForce statuses;

    public ExecutionUpdates(StreamTable streams, StatusesInForce statuses) {
        this.streams = streams;
        this.statuses = statuses;
    }

    /**
     * Declares a deleted execution again, whose work has lasted since the given time: work that the stream knows by now
     * is not older (O-6).
     */
    public ExecutionChange putBack(ExecutionUpdate deleted, long openSinceMs, long nowMs, PolicySet policies) {
        ExecutionChange change = change(deleted, nowMs, openSinceMs, policies, false);
        Segment segment = streams.segment(change.stream(), deleted.execution());
        if (segment.openSinceMs() > openSinceMs) {
            segment.beginWork(openSinceMs);
            streams.save(change.stream(), segment);
        }
        return change;
    }

    /** Declares or changes an execution; an end that comes ahead of events waits for them. */
    public ExecutionChange apply(ExecutionUpdate update, long timestampMs, long nowMs, PolicySet policies) {
        return change(update, timestampMs, nowMs, policies, true);
    }

    private ExecutionChange change(
            ExecutionUpdate update, long timestampMs, long nowMs, PolicySet policies, boolean mayWait) {
        StreamState known = streams.find(update.stream());
        StreamState stream = known == null ? streams.create(update.stream(), policies) : known;
        if (update.parent() != null) {
            stream.belongTo(update.parent());
        }
        Segment segment = streams.segment(stream, update.execution());
        Execution execution = changed(segment.execution(), update, timestampMs);
        streams.changeExecution(segment, execution);
        if (execution.isTerminal()) {
            segment.endWork();
            if (Retiming.noteCompletion(segment)) {
                streams.saveAll(stream);
            }
        } else if (segment.openSinceMs() == 0) {
            segment.beginWork(nowMs);
        }
        if (mayWait) {
            streams.noteEnd(segment, policies.effective(update.stream()), nowMs);
        }
        streams.save(stream, segment);
        return new ExecutionChange(stream, execution, stream.parent());
    }

    private Execution changed(Execution before, ExecutionUpdate update, long timestampMs) {
        String status = update.status() != null ? update.status() : before.status();
        if (status == null) {
            status = "";
        }
        boolean isTerminal = isTerminal(statuses, before.number(), status);
        return new Execution(
                before.number(),
                status,
                isTerminal,
                update.startedAt() != null ? update.startedAt() : before.startedAt(),
                isTerminal ? (Long) completedAt(before, update, timestampMs) : null);
    }

    /** Other terminal statuses may have opened an execution that is not reclassified yet (M-3). */
    private long completedAt(Execution before, ExecutionUpdate update, long timestampMs) {
        Long named = update.completedAt();
        Long kept = isTerminal(statuses, before.number(), before.status()) ? before.completedAt() : null;
        if (named != null) {
            return named;
        }
        return kept != null ? kept : timestampMs;
    }

    /**
     * Returns true if the execution is terminal: a numbered one only if it is declared so, the implicit one unless it
     * is declared otherwise.
     */
    public static boolean isTerminal(StatusesInForce statuses, long number, @Nullable String status) {
        boolean isUnknown = status == null || status.isEmpty();
        return isUnknown ? number == 0 : statuses.isTerminal(status);
    }
}
