package dev.ebb.topology.plan;

import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.plan.LeftOut;
import dev.ebb.domain.plan.PlanDigest;
import dev.ebb.domain.plan.PlanTally;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.EventStore;
import dev.ebb.store.events.RemovalListener;
import dev.ebb.store.plan.PlannedStream;
import dev.ebb.store.plan.StreamDigest;
import dev.ebb.store.state.StreamState;
import org.jspecify.annotations.Nullable;

/**
 * Plan of a command that goes from stream to stream: its dry run lists the streams, and the command deletes a whole
 * stream only if it is listed and has received no event since. Not thread-safe.
 */
public final class PlannedStreams {

    private final EventStore store;
    private final @Nullable String planId;
    private final @Nullable PlanWriter writer;
    private PlanTally tally;
    private @Nullable StreamDigest digest;

    private PlannedStreams(EventStore store, @Nullable String planId, @Nullable PlanWriter writer, PlanTally tally) {
        this.store = store;
        this.planId = planId;
        this.writer = writer;
        this.tally = tally;
    }

    /**
     * Returns the plan that a request makes or carries out.
     *
     * @param round number that distinguishes the pieces of work of one dry run
     * @param tally the tally of the work so far
     */
    public static PlannedStreams of(EventStore store, CommandRequest request, int round, PlanTally tally) {
        PlanWriter writer = request.makesPlan() ? new PlanWriter(store, request.commandId(), round) : null;
        return new PlannedStreams(store, request.plan(), writer, tally);
    }

    /** Begins a slice. */
    public void at(long nowMs) {
        if (writer != null) {
            writer.beginSlice(nowMs);
        }
    }

    /** Returns true if the streams are being listed. */
    public boolean isMade() {
        return writer != null;
    }

    /** Returns a listener to single events that would go. */
    public RemovalListener listener() {
        return writer == null ? RemovalListener.NONE : writer;
    }

    /** State of a stream compared with the plan. */
    public enum Look {
        /** The budget ended the look. */
        MORE,
        /** The stream may go; if it is deleted, it must be at once. */
        GOES,
        /** The stream is not as it was planned, and stays. */
        CHANGED
    }

    /** Looks at a stream that would be deleted as a whole. */
    public Look look(StreamState stream, SweepBudget budget) {
        PlannedStream planned = planned(stream.stream());
        if (writer == null && planId == null) {
            return Look.GOES;
        }
        if (planId != null && (planned == null || !planned.covers(stream))) {
            return Look.CHANGED;
        }
        PlanDigest events =
                planned == null || stream.totalEvents() != planned.digest().events()
                        ? digest(stream, budget)
                        : planned.digest();
        if (events == null) {
            return Look.MORE;
        }
        if (writer != null) {
            writer.add(stream, events);
        } else if (planned != null) {
            long gone = planned.digest().events() - events.events();
            tally = tally.plus(PlanTally.done(events)).plus(PlanTally.left(LeftOut.GONE, gone));
        }
        return Look.GOES;
    }

    private @Nullable PlannedStream planned(StreamName stream) {
        return planId == null ? null : store.plans().find(planId, stream);
    }

    /** Returns the digest of the stream; null if the budget ended the search. */
    private @Nullable PlanDigest digest(StreamState stream, SweepBudget budget) {
        StreamDigest current = digest;
        if (current == null || current.stream() != stream) {
            leave();
            current = store.digest(stream);
            digest = current;
        }
        if (!current.slice(budget)) {
            return null;
        }
        PlanDigest found = current.digest();
        leave();
        return found;
    }

    private void leave() {
        if (digest != null) {
            digest.close();
            digest = null;
        }
    }

    /** Counts the planned events of a stream that is left alone. */
    public void left(StreamName stream, LeftOut reason) {
        PlannedStream planned = planned(stream);
        if (planned != null) {
            tally = tally.plus(PlanTally.left(reason, planned.digest().events()));
        }
    }

    /** Returns the tally of the events that went or were left; that of a list is known from {@link #finish} on. */
    public PlanTally tally() {
        return tally;
    }

    /** Ends the list, if one is made; returns the tally. */
    public PlanTally finish() {
        leave();
        return writer == null ? tally : writer.finish();
    }

    /** Returns the reason, as a plan knows it, why a command leaves a stream alone. */
    public static LeftOut reason(@Nullable Refusal refusal) {
        if (refusal == null) {
            return LeftOut.CHANGED;
        }
        return switch (refusal) {
            case HELD -> LeftOut.HELD;
            case STREAM_OPEN, PROTECTED, PARENT_OPEN, PARENT_CYCLE -> LeftOut.PROTECTED;
            case NOT_FOUND -> LeftOut.GONE;
            case NOT_READY -> LeftOut.NOT_READY;
            default -> LeftOut.FAILED;
        };
    }
}
